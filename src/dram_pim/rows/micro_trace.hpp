// Micro-traces: the rows that one tile touches, for every alignment of the tile at once.
//
// A tile's elements, read in ascending address order, open each row they touch once. How many rows
// that is depends only on the start address modulo the row size:
//
//     rows(o) = 1 + sum over neighbouring elements x < y of [row of o+x differs from row of o+y]
//
// Each summand is 1 on one cyclic interval of offsets o, and the summands inside a run of adjacent
// elements telescope, so all of rows(0 .. Row-1) is a step function with a few steps a run. The
// hybrid model, the counted and the walked trace read their tile costs from here.
#pragma once

#include <cstdint>

#include "dram_pim/rows/dense_tensor.hpp"
#include "dram_pim/rows/step_function.hpp"

namespace pimbb::dram_pim::rows {

/// Number of rows touched by `box` at each offset 0 .. row-1 of its first element.
StepFunction rows_by_offset(const Box& box, std::int64_t row);

/// No fewer rows than this are touched at any offset. Axis by axis from the inside: copies of what
/// is inside share no row if a row's length lies between them, and if no gap is longer than a row,
/// no row in between is left out.
std::int64_t least_rows(const Box& box, std::int64_t row);

}  // namespace pimbb::dram_pim::rows
