// An ONNX model as protobuf holds it, checked until ONNX's shape inference can be trusted with it.
//
// The inference asserts little, divides by attributes and indexes lists by the rank of others. So
// before it runs, every operator of ONNX's own is verified against its schema and every size and
// stride is in range; what depends on shapes is checked as they become known. Weights are never
// needed: whether they are stored in the file, outside of it or nowhere makes no difference, and no
// other file is opened.
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
  std::string inference_report;  ///< what shape inference complained about; empty if nothing

  /// Throws InputError "label: what: found ..., allowed are ...".
  [[noreturn]] void fail(std::string_view what, std::string_view found,
                         std::string_view allowed) const;
};

/// The model in `bytes`, checked as above, its nodes named. Throws InputError.
OnnxModel parse_onnx_model(std::string_view bytes, const std::string& label);

/// Sets the first dimension of every input where that is symbolic; other dimensions must be fixed.
/// Throws InputError if a batch is needed and not given, or given and not needed.
void fix_dimensions(OnnxModel& model, std::optional<std::int64_t> batch);

/// Runs ONNX's shape inference: its findings are in `value_info` and `output` (onnx_inference.cpp).
void infer_shapes(OnnxModel& model);

/// Whether ONNX itself defines the operators of this domain, in the version that is linked.
bool is_known_domain(const std::string& domain);

/// ONNX's own messages have several lines, and in them what stands in the file: made fit for ours.
std::string one_line(std::string_view text);

/// "node 'conv1' (Conv)"
std::string describe(const onnx::NodeProto& node);

}  // namespace pimbb::layers
