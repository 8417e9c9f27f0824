// One operator of an ONNX model without ONNX's types, and the mapping problem that it is.
//
// A convolution over groups is one problem with a loop over G; a product of two batched tensors
// becomes that of one pair of matrices, and GraphLayer counts how often it is solved. Every
// operator that multiplies no matrices is passed through.
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

/// Extents and attributes up to this are taken: sums and products of two are exact.
inline constexpr std::int64_t kLargestSize = (std::int64_t{1} << 31) - 1;

struct OnnxOperator {
  std::string where;                       ///< "model.onnx: node 'conv1' (Conv)", for messages
  std::string name;                        ///< of the node
  std::string type;                        ///< "Conv"
  std::vector<const GraphTensor*> inputs;  ///< null: left out
  const GraphTensor* output = nullptr;     ///< the first one
  std::map<std::string, std::vector<std::int64_t>, std::less<>> integers;  ///< attributes
  std::map<std::string, std::string, std::less<>> strings;                 ///< attributes
  std::string_view inference_report;  ///< what ONNX's shape inference complained about

  /// Throws InputError "where: what: found ..., allowed are ...".
  [[noreturn]] void fail(std::string_view what, std::string_view found,
                         std::string_view allowed) const;
  /// The shape of input `slot`, which is called `what` in ONNX's documents. Throws InputError if it
  /// is not known or has a size of 0.
  [[nodiscard]] const Shape& input_shape(std::size_t slot, std::string_view what) const;
  /// A single integer attribute.
  [[nodiscard]] std::int64_t integer(std::string_view attribute, std::int64_t otherwise) const;
  [[nodiscard]] bool constant(std::size_t slot) const { return inputs.at(slot)->constant; }
  /// Throws InputError unless the output's shape is this one, or is not known.
  void check_output(const Shape& shape) const;
};

/// "[1, 3, 224, 224]"
std::string to_string(const Shape& shape);

/// The layer of an operator of ONNX's own domain; nothing if it multiplies no matrices. Throws
/// InputError for operators that multiply but cannot be read, and for bad shapes and attributes.
std::optional<GraphLayer> layer_of(const OnnxOperator& op);

GraphLayer convolution(const OnnxOperator& op);     ///< Conv
GraphLayer matrix_product(const OnnxOperator& op);  ///< Gemm, MatMul

}  // namespace pimbb::layers
