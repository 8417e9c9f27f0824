// One operator of an ONNX model, without ONNX's types, and its mapping problem.
//
// A convolution with groups is one problem with a loop over G. A product of two batched tensors
// becomes the product of one pair of matrices; GraphLayer counts the products. Every operator that
// is neither a convolution nor a matrix product is passed through.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/graph.hpp"

namespace pimbb::layers {

/// Largest extent and attribute that is accepted: sums and products of two are exact.
inline constexpr std::int64_t kLargestSize = (std::int64_t{1} << 31) - 1;

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
  /// The shape of input `slot`, whose name in ONNX's documentation is `what`. Throws InputError if
  /// it is unknown or has a size of 0.
  [[nodiscard]] const Shape& input_shape(std::size_t slot, std::string_view what) const;
  /// A single integer attribute.
  [[nodiscard]] std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const;
  [[nodiscard]] bool constant(std::size_t slot) const { return inputs.at(slot)->constant; }
  /// Throws InputError unless the output has this shape or its shape is unknown.
  void check_output(const Shape& shape) const;
};

/// "[1, 3, 224, 224]"
std::string to_string(const Shape& shape);

/// The layer of an operator of ONNX's own domain; nothing if the operator is passed through. Throws
/// InputError for unsupported operators that multiply, and for bad shapes and attributes.
std::optional<GraphLayer> layer_of(const OnnxOperator& op);

GraphLayer convolution(const OnnxOperator& op);     ///< Conv
GraphLayer matrix_product(const OnnxOperator& op);  ///< Gemm, MatMul

}  // namespace pimbb::layers
