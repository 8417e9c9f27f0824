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
#include <optional>
#include <string>
#include <string_view>

namespace pimbb::layers {

struct OnnxModel {
  onnx::ModelProto proto;
  std::string label;             ///< names the file in messages
  std::string inference_report;  ///< error message of the shape inference, if any

  /// Throws InputError "label: what: found ..., allowed are ...".
  [[noreturn]] void fail(std::string_view what, std::string_view found,
                         std::string_view allowed) const;
};

/// The model in `bytes`, validated; every node has a name. Throws InputError.
OnnxModel parse_onnx_model(std::string_view bytes, const std::string& label);

/// Sets the first dimension of every input whose first dimension is symbolic; other dimensions must
/// be fixed. Throws InputError if a batch is needed but not given, or given but not needed.
void fix_dimensions(OnnxModel& model, std::optional<std::int64_t> batch);

/// Runs ONNX's shape inference, which writes to `value_info` and `output` (onnx_inference.cpp).
void infer_shapes(OnnxModel& model);

/// Whether ONNX itself defines the operators of this domain, in the version that is linked.
bool is_known_domain(const std::string& domain);

/// A message of ONNX, which may have several lines and contain text of the file, as one printable
/// line.
std::string one_line(std::string_view text);

/// "node 'conv1' (Conv)"
std::string describe(const onnx::NodeProto& node);

}  // namespace pimbb::layers
