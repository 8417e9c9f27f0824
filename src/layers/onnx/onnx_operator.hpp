// One operator of an ONNX model, without ONNX's types, and its mapping problems.
//
// A convolution with groups is one problem with a loop over G. A product of two batched tensors
// becomes the product of one pair of matrices; GraphLayer counts the products. A transposed
// convolution becomes one problem for each shape of its phases. Every operator that is neither a
// convolution nor a matrix product is passed through.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/error.hpp"
#include "pimbb/graph.hpp"

namespace pimbb::layers {

/// Largest extent and attribute that is accepted: sums and products of two are exact.
inline constexpr std::int64_t kLargestSize = (std::int64_t{1} << 31) - 1;

/// An operator that multiplies and has no mapping problem; NetworkOptions::skip_unsupported passes
/// it through. The message says why, and what is allowed.
struct UnsupportedOperator : InputError {
  using InputError::InputError;
};

/// An operand whose shape is unknown, a consequence of an operator before it as a rule.
struct UnknownShape : InputError {
  using InputError::InputError;
};

struct OnnxOperator {
  std::string where;                       ///< "model.onnx: node 'conv1' (Conv)", for messages
  std::string name;                        ///< of the node
  std::string type;                        ///< "Conv"
  std::vector<const GraphTensor*> inputs;  ///< null: not given
  const GraphTensor* output = nullptr;     ///< the first one
  std::map<std::string, std::vector<std::int64_t>, std::less<>> integers;  ///< attributes
  std::map<std::string, std::string, std::less<>> strings;                 ///< attributes
  std::string_view inference_report;  ///< error message of ONNX's shape inference

  /// Throws InputError "where: what: found ..., allowed are ...".
  [[noreturn]] void fail(std::string_view what, std::string_view found,
                         std::string_view allowed) const;
  /// Throws UnsupportedOperator.
  [[noreturn]] void refuse(std::string_view why) const;
  /// The shape of input `slot`, whose name in ONNX's documentation is `what`. Throws UnknownShape,
  /// or InputError if it is missing or has a size of 0.
  [[nodiscard]] const Shape& input_shape(std::size_t slot, std::string_view what) const;
  /// A single integer attribute.
  [[nodiscard]] std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const;
  [[nodiscard]] bool constant(std::size_t slot) const { return inputs.at(slot)->constant; }
  /// Throws InputError unless the output has this shape or its shape is unknown.
  void check_output(const Shape& shape) const;
  /// Throws InputError unless input `slot`, a bias, is missing, of unknown shape, or has one
  /// element for each of `channels`.
  void check_bias(std::size_t slot, std::int64_t channels) const;
};

/// "[1, 3, 224, 224]"
std::string to_string(const Shape& shape);

/// The operators that have layers, for messages.
inline constexpr std::string_view kLayerOperators =
    "Conv, ConvTranspose, Gemm, MatMul, their quantized forms, Einsum of two matrices";

/// The layers of an operator of ONNX's own domain; none if the operator is passed through, more
/// than one for a transposed convolution whose phases differ. Throws UnsupportedOperator for other
/// operators that multiply, and InputError for bad shapes and attributes.
std::vector<GraphLayer> layers_of(const OnnxOperator& op);

/// The inputs that an operator calls X, W and B (or A and B): quantized operators have scales and
/// zero points in between.
struct OperandSlots {
  std::size_t x = 0;
  std::size_t w = 1;
  std::optional<std::size_t> bias = {};
};

GraphLayer convolution(const OnnxOperator& op, const OperandSlots& slots);     ///< Conv, ...
GraphLayer matrix_product(const OnnxOperator& op, const OperandSlots& slots);  ///< Gemm, MatMul
/// ConvTranspose; one layer for each shape of its phases.
std::vector<GraphLayer> transposed_convolution(const OnnxOperator& op);
/// Fills in `pool` of a pooling operator and `axis` of Concat, as far as attributes and shapes say
/// them; what cannot be read is left out, for only some kinds of accelerators need it.
void add_attributes(const OnnxOperator& op, GraphNode& node);
/// Einsum; nothing if it multiplies no matrices.
std::optional<GraphLayer> einsum(const OnnxOperator& op);

}  // namespace pimbb::layers
