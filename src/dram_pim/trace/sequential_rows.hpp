// A sequential tensor as a line that is cut into rows (rows/line_seams.hpp), and the rows that its
// moves open.
#pragma once

#include <cstdint>

#include "dram_pim/rows/line_seams.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::mapper {

/// The line, with all divisors of the bounds. The architecture says the order of an input.
rows::SeamLine sequential_line(const Architecture& a, const Workload& w, Tensor t);

/// Row changes inside the moves of a tile to each of its positions once.
std::int64_t changes_inside_moves(const Architecture& a, const Workload& w, Tensor t,
                                  const Factors& c);

}  // namespace pimbb::dram_pim::mapper
