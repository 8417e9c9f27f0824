// Products of two matrices as mapping problems: A [rows, inner] * B [inner, columns].
//
// One operand plays the weight, the other the input. The weight is the one that serves every
// product of the batch: then the batch is N. As a rule that is B and the problem is P = rows, C =
// inner, K = columns; where it is A, the transposed product is taken, whose loops are the same: P =
// columns, K = rows. If both could be the weight, a constant is preferred to an activation and B to
// A. If neither serves all products (attention: both depend on the sentence), each product is a
// problem of its own.
#pragma once

#include <cstdint>

#include "layers/onnx/onnx_operator.hpp"

namespace pimbb::layers {

struct Matrices {
  std::int64_t rows = 1;
  std::int64_t inner = 1;
  std::int64_t columns = 1;
  std::int64_t batch = 1;  ///< products
  bool a_serves_all = true;
  bool b_serves_all = true;
  /// More rows of A, and columns of B: N beside the other operand as weight.
  std::int64_t outer_rows = 1;
  std::int64_t outer_columns = 1;
};

/// The layer of the product of the operands in the slots of A and B.
GraphLayer layer_of(const OnnxOperator& op, const OperandSlots& slots, const Matrices& matrices);

/// The product of some sizes; throws InputError if it is too large to be exact.
std::int64_t checked_product(const OnnxOperator& op, const Shape& sizes);

}  // namespace pimbb::layers
