// What all operators share: checked access to shapes and attributes, and which are layers at all.
#include "layers/onnx/onnx_operator.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "pimbb/error.hpp"

namespace pimbb::layers {
namespace {

struct Refusal {
  std::string_view type;
  std::string_view why;
};

constexpr std::array<Refusal, 5> kRefusals{{
    {"Attention", "its two products are inside one node; export it as MatMul and Softmax"},
    {"DeformConv", "where it reads its input is computed, which the loops cannot say"},
    {"LSTM", "recurrent layers are not read; export its matrix products as MatMul or Gemm"},
    {"GRU", "recurrent layers are not read; export its matrix products as MatMul or Gemm"},
    {"RNN", "recurrent layers are not read; export its matrix products as MatMul or Gemm"},
}};

struct OperandRow {
  std::string_view type;
  OperandSlots slots;
};

constexpr std::array<OperandRow, 3> kConvolutions{{
    {"Conv", {0, 1, 2}},
    {"ConvInteger", {0, 1, {}}},
    {"QLinearConv", {0, 3, 8}},
}};

constexpr std::array<OperandRow, 4> kProducts{{
    {"Gemm", {0, 1, 2}},
    {"MatMul", {0, 1, {}}},
    {"MatMulInteger", {0, 1, {}}},
    {"QLinearMatMul", {0, 3, {}}},
}};

}  // namespace

std::string to_string(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

void OnnxOperator::fail(std::string_view what, std::string_view found,
                        std::string_view allowed) const {
  throw InputError(fmt::format("{}: {}: found {}, allowed are {}", where, what, found, allowed));
}

void OnnxOperator::refuse(std::string_view why) const {
  throw UnsupportedOperator(std::string(why));
}

const Shape& OnnxOperator::input_shape(std::size_t slot, std::string_view what) const {
  if (slot >= inputs.size() || inputs[slot] == nullptr) fail(what, "no input", "tensors");
  const GraphTensor& tensor = *inputs[slot];
  const std::string label = fmt::format("input {} '{}'", what, tensor.name);
  if (!tensor.shape) {
    throw UnknownShape(fmt::format(
        "{}: {}: found no shape, allowed are tensors whose shape is declared or follows from the "
        "inputs'{}{}",
        where, label,
        inference_report.empty() ? "" : "; ONNX's shape inference says: ", inference_report));
  }
  if (std::ranges::count(*tensor.shape, 0) > 0) {
    fail(label, "the shape " + to_string(*tensor.shape),
         fmt::format("sizes 1 .. {}", kLargestSize));
  }
  return *tensor.shape;
}

std::int64_t OnnxOperator::integer(std::string_view attribute, std::int64_t otherwise) const {
  const auto found = integers.find(attribute);
  if (found == integers.end() || found->second.size() != 1) return otherwise;
  return found->second.front();
}

void OnnxOperator::check_output(const Shape& shape) const {
  if (output == nullptr || !output->shape || *output->shape == shape) return;
  fail("output '" + output->name + "'", "the shape " + to_string(*output->shape),
       to_string(shape) + ", which follows from the inputs");
}

void OnnxOperator::check_bias(std::size_t slot, std::int64_t channels) const {
  if (slot >= inputs.size() || inputs[slot] == nullptr || !inputs[slot]->shape) return;
  const Shape& bias = *inputs[slot]->shape;
  if (bias == Shape{channels}) return;
  fail("input B", "the shape " + to_string(bias),
       fmt::format("[{}], one for each output channel", channels));
}

std::vector<GraphLayer> layers_of(const OnnxOperator& op) {
  const auto* conv = std::ranges::find(kConvolutions, op.type, &OperandRow::type);
  if (conv != kConvolutions.end()) return {convolution(op, conv->slots)};
  const auto* product = std::ranges::find(kProducts, op.type, &OperandRow::type);
  if (product != kProducts.end()) return {matrix_product(op, product->slots)};
  if (op.type == "ConvTranspose") return transposed_convolution(op);
  if (op.type == "Einsum") {
    if (std::optional<GraphLayer> layer = einsum(op)) return {*std::move(layer)};
    return {};
  }
  const auto* refusal = std::ranges::find(kRefusals, op.type, &Refusal::type);
  if (refusal != kRefusals.end()) op.refuse(refusal->why);
  return {};
}

}  // namespace pimbb::layers
