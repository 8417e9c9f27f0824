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

constexpr std::array<Refusal, 9> kRefusals{{
    {"ConvTranspose", "its input is read at fractions of a stride, which the loops cannot say"},
    {"ConvInteger", "quantized operators are not read yet; export the model before quantization"},
    {"QLinearConv", "quantized operators are not read yet; export the model before quantization"},
    {"MatMulInteger", "quantized operators are not read yet; export the model before quantization"},
    {"QLinearMatMul", "quantized operators are not read yet; export the model before quantization"},
    {"Einsum", "its equation is not taken apart; export it as MatMul"},
    {"LSTM", "recurrent layers are not read; export its matrix products as MatMul or Gemm"},
    {"GRU", "recurrent layers are not read; export its matrix products as MatMul or Gemm"},
    {"RNN", "recurrent layers are not read; export its matrix products as MatMul or Gemm"},
}};

}  // namespace

std::string to_string(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

void OnnxOperator::fail(std::string_view what, std::string_view found,
                        std::string_view allowed) const {
  throw InputError(fmt::format("{}: {}: found {}, allowed are {}", where, what, found, allowed));
}

const Shape& OnnxOperator::input_shape(std::size_t slot, std::string_view what) const {
  if (slot >= inputs.size() || inputs[slot] == nullptr) fail(what, "no input", "tensors");
  const GraphTensor& tensor = *inputs[slot];
  const std::string label = fmt::format("input {} '{}'", what, tensor.name);
  if (!tensor.shape) {
    fail(label, "no shape",
         fmt::format(
             "tensors whose shape is declared or follows from the inputs'{}{}",
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

std::optional<GraphLayer> layer_of(const OnnxOperator& op) {
  if (op.type == "Conv") return convolution(op);
  if (op.type == "Gemm" || op.type == "MatMul") return matrix_product(op);
  const auto* refusal = std::ranges::find(kRefusals, op.type, &Refusal::type);
  if (refusal == kRefusals.end()) return std::nullopt;
  op.fail("operator", fmt::format("{}: {}", op.type, refusal->why),
          "Conv, Gemm, MatMul and operators that multiply no matrices");
}

}  // namespace pimbb::layers
