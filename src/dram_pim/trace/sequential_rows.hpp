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

/// Row changes of a sequential tensor at the seams of the loop over j from a tile to a larger one,
/// which have places `at` and the irrelevant loops around them.
template <class AnyTile>
std::int64_t changes_at_seams(const rows::LineSeams& line, Tensor t, Dim j, const AnyTile& from,
                              const AnyTile& to) {
  const std::size_t box = line.box(from.at);
  const std::int64_t around = from.irrelevant_loops[index(t)];
  if (relevant(t, j)) {
    return around * (line.full(box, index(j)) - line.full(line.box(to.at), index(j)));
  }
  return (around - to.irrelevant_loops[index(t)]) * line.crosses(box);
}

/// Row changes inside the moves of a tile to each of its positions once.
std::int64_t changes_inside_moves(const Architecture& a, const Workload& w, Tensor t,
                                  const Factors& c);

}  // namespace pimbb::dram_pim::mapper
