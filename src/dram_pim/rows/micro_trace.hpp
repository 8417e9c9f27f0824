// Micro-traces: the number of rows that one tile touches, for all alignments of the tile.
//
// A tile's elements, read in ascending address order, open each row that they touch once. The
// number of rows depends only on the start address modulo the row size:
//
//     rows(o) = 1 + sum over neighbouring elements x < y of [row of o+x differs from row of o+y]
//
// Each summand is 1 on one cyclic interval of offsets o, and the summands inside a run of adjacent
// elements telescope, so rows(0 .. Row-1) is a step function with a few steps per run. The hybrid
// model, the counted trace and the simulated trace use this function.
#pragma once

#include <cstdint>

#include "dram_pim/rows/dense_tensor.hpp"
#include "dram_pim/rows/step_function.hpp"

namespace pimbb::dram_pim::rows {

/// Number of rows touched by `box` at each offset 0 .. row-1 of its first element.
StepFunction rows_by_offset(const AddressBox& box, std::int64_t row);

/// A lower bound on the rows touched at any offset. It is computed axis by axis from the inside:
/// two copies of the inner part share no row if they are at least a row apart, and if no gap is
/// longer than a row, every row in between is touched.
std::int64_t least_rows(const AddressBox& box, std::int64_t row);

}  // namespace pimbb::dram_pim::rows
