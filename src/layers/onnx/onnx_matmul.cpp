// Gemm and MatMul as products of two matrices; alpha, beta and the addend C of Gemm cost no matrix
// product. The quantized forms, MatMulInteger and QLinearMatMul, have scales and zero points too.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "layers/onnx/onnx_matrices.hpp"
#include "layers/onnx/onnx_operator.hpp"

namespace pimbb::layers {
namespace {

/// Batches beyond this make layers beyond the range that is exact.
constexpr std::int64_t kLargestBatch = std::int64_t{1} << 53;

bool weight_is_a(const OnnxOperator& op, const OperandSlots& slots, const Matrices& m) {
  if (m.a_serves_all != m.b_serves_all) return m.a_serves_all;
  return op.constant(slots.x) && !op.constant(slots.w);
}

void check_inner(const OnnxOperator& op, const Shape& a, std::int64_t a_inner, const Shape& b,
                 std::int64_t b_inner) {
  if (a_inner == b_inner) return;
  op.fail("inputs A and B",
          fmt::format("the shapes {} and {}, summed over {} and {}", to_string(a), to_string(b),
                      a_inner, b_inner),
          "equal sizes of the dimension that is summed over");
}

bool flag(const OnnxOperator& op, std::string_view attribute) {
  return op.integer(attribute, 0) != 0;
}

Matrices gemm(const OnnxOperator& op, const OperandSlots& slots) {
  const Shape& a = op.input_shape(slots.x, "A");
  const Shape& b = op.input_shape(slots.w, "B");
  for (const Shape* shape : {&a, &b}) {
    if (shape->size() != 2) {
      op.fail(shape == &a ? "input A" : "input B", "the shape " + to_string(*shape), "rank 2");
    }
  }
  const bool trans_a = flag(op, "transA");
  const bool trans_b = flag(op, "transB");
  Matrices m;
  m.rows = a[trans_a ? 1 : 0];
  m.inner = a[trans_a ? 0 : 1];
  m.columns = b[trans_b ? 0 : 1];
  check_inner(op, a, m.inner, b, b[trans_b ? 1 : 0]);
  op.check_output({m.rows, m.columns});
  return m;
}

using Batch = std::span<const std::int64_t>;

/// The batch dimensions of both operands, the shorter one filled up with ones in front, and where
/// one of them is 1 the other's.
Shape broadcast(const OnnxOperator& op, Batch a, Batch b) {
  Shape batch(std::max(a.size(), b.size()), 1);
  for (std::size_t i = 0; i < batch.size(); ++i) {  // from the back
    const std::int64_t x = i < a.size() ? a[a.size() - 1 - i] : 1;
    const std::int64_t y = i < b.size() ? b[b.size() - 1 - i] : 1;
    if (x != y && x != 1 && y != 1) {
      op.fail("inputs A and B",
              fmt::format("the batch dimensions {} and {}", to_string({a.begin(), a.end()}),
                          to_string({b.begin(), b.end()})),
              "equal sizes, or 1 on one side");
    }
    batch[batch.size() - 1 - i] = std::max(x, y);
  }
  return batch;
}

bool all_ones(Batch batch) {
  return std::ranges::all_of(batch, [](std::int64_t size) { return size == 1; });
}

/// A vector is a matrix of one row on the left, of one column on the right.
Matrices matmul(const OnnxOperator& op, const OperandSlots& slots) {
  const Shape& a = op.input_shape(slots.x, "A");
  const Shape& b = op.input_shape(slots.w, "B");
  if (a.empty() || b.empty()) {
    op.fail(a.empty() ? "input A" : "input B", "a scalar", "ranks of at least 1");
  }
  const Batch batch_a = Batch(a).first(a.size() - std::min<std::size_t>(a.size(), 2));
  const Batch batch_b = Batch(b).first(b.size() - std::min<std::size_t>(b.size(), 2));
  Matrices m;
  m.rows = a.size() > 1 ? a[a.size() - 2] : 1;
  m.inner = a.back();
  m.columns = b.size() > 1 ? b.back() : 1;
  check_inner(op, a, m.inner, b, b.size() > 1 ? b[b.size() - 2] : b[0]);
  Shape output = broadcast(op, batch_a, batch_b);
  m.batch = checked_product(op, output);
  m.a_serves_all = all_ones(batch_a);
  m.b_serves_all = all_ones(batch_b);
  if (a.size() > 1) output.push_back(m.rows);
  if (b.size() > 1) output.push_back(m.columns);
  op.check_output(output);
  return m;
}

}  // namespace

std::int64_t checked_product(const OnnxOperator& op, const Shape& sizes) {
  std::int64_t all = 1;
  for (const std::int64_t size : sizes) {
    if (__builtin_mul_overflow(all, size, &all) || all > kLargestBatch) {
      op.fail("inputs A and B", "the batch dimensions " + to_string(sizes),
              "at most 2^53 products");
    }
  }
  return all;
}

GraphLayer layer_of(const OnnxOperator& op, const OperandSlots& slots, const Matrices& m) {
  GraphLayer layer;
  layer.input_slot = slots.x;
  layer.weight_slot = slots.w;
  const bool swapped = weight_is_a(op, slots, m);
  if (swapped) std::swap(layer.input_slot, layer.weight_slot);
  const bool shared = m.a_serves_all || m.b_serves_all;
  if (!shared) layer.products = m.batch;
  Factors& bounds = layer.workload.bounds;
  bounds[index(Dim::P)] = swapped ? m.columns : m.rows;
  bounds[index(Dim::C)] = m.inner;
  bounds[index(Dim::K)] = swapped ? checked_product(op, {m.rows, m.outer_rows})
                                  : checked_product(op, {m.columns, m.outer_columns});
  bounds[index(Dim::N)] =
      checked_product(op, {shared ? m.batch : 1, swapped ? m.outer_columns : m.outer_rows});
  return layer;
}

GraphLayer matrix_product(const OnnxOperator& op, const OperandSlots& slots) {
  return layer_of(op, slots, op.type == "Gemm" ? gemm(op, slots) : matmul(op, slots));
}

}  // namespace pimbb::layers
