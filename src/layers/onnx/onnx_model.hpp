// An ONNX model as a protobuf message, validated before ONNX's shape inference runs.
//
// The shape inference checks little: it divides by attributes and indexes lists by the rank of
// other tensors. Therefore every operator of ONNX's own domain is first verified against its
// schema, and every size and stride is checked; conditions that depend on shapes are checked when
// the shapes are known. Weights are never needed: they may be in the file, in another file or
// missing, and no other file is opened.
#pragma once

#include <onnx/onnx_pb.h>

#include <cstdint>
#include <string>
#include <string_view>

#include "pimbb/io.hpp"

namespace pimbb::layers {

struct OnnxModel {
  onnx::ModelProto proto;
  std::string label;             ///< names the file in messages
  int version = 0;               ///< of ONNX's own operators
  std::string inference_report;  ///< error message of the shape inference, if any

  /// Throws InputError "label: what: found ..., allowed are ...".
  [[noreturn]] void fail(std::string_view what, std::string_view found,
                         std::string_view allowed) const;
};

/// The model in `bytes`, validated; every node has a name. Throws InputError; for functions of the
/// model's own unless `skip_unsupported`.
OnnxModel parse_onnx_model(std::string_view bytes, const std::string& label, bool skip_unsupported);

/// Gives every symbolic size its value (onnx_dimensions.cpp): `options.dims` by symbol, or
/// `options.batch` for first dimensions. Throws InputError if one is needed but not given, or given
/// but not needed.
void fix_dimensions(OnnxModel& model, const NetworkOptions& options);

/// Runs ONNX's shape inference, which writes to `value_info` and `output` (onnx_inference.cpp).
/// Nodes that it cannot take are removed from `model` first.
void infer_shapes(OnnxModel& model);

using OnnxNodes = google::protobuf::RepeatedPtrField<onnx::NodeProto>;

/// Fills in the layers of the graph's nodes, or why they have none (onnx_layers.cpp); `protos` are
/// the nodes in the model, tensors have their shapes. Throws InputError for bad operators, and for
/// those that cannot be read unless `options` leaves them out.
void add_layers(const OnnxModel& model, const NetworkOptions& options, const OnnxNodes& protos,
                Graph& graph);

/// Whether ONNX itself defines the operators of this domain, in the version that is linked.
bool is_known_domain(const std::string& domain);

/// Whether the node has a graph inside (If, Loop, Scan).
bool has_graph(const onnx::NodeProto& node);

/// A message of ONNX, which may have several lines and contain text of the file, as one printable
/// line.
std::string one_line(std::string_view text);

/// "node 'conv1' (Conv)"
std::string describe(const onnx::NodeProto& node);

}  // namespace pimbb::layers
