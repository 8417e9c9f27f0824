// Positions of a tile modulo the row, and the rows below it.
#include "dram_pim/trace/sequential_rows.hpp"

#include "dram_pim/rows/dense_tensor.hpp"
#include "dram_pim/rows/offset_counts.hpp"
#include "dram_pim/rows/row_lines.hpp"
#include "exact/factors.hpp"

namespace pimbb::dram_pim::mapper {

rows::SeamLine sequential_line(const Architecture& a, const Workload& w, Tensor t) {
  rows::SeamLine line{a.row_units(), rows::first_address(a, w, t), {}};
  const Factors steps = rows::loop_strides(a, w, t);
  for (const Dim j : kAllDims) {
    if (relevant(t, j)) line.axes.push_back({j, divisors_of(w.bound(j)), steps[index(j)]});
  }
  return line;
}

std::int64_t changes_inside_moves(const Architecture& a, const Workload& w, Tensor t,
                                  const Factors& c) {
  const rows::RowLines lines(a, w, t, Layout::sequential, c, c, {});
  const rows::RowLine& line = lines.lines.front();
  rows::OffsetCounts starts(line.row, line.unit, line.first);
  std::int64_t moves = 1;
  for (const Dim j : kAllDims) {
    const std::int64_t trips = w.bound(j) / c[index(j)];
    if (!relevant(t, j) || trips == 1) continue;
    starts.repeat(trips, line.step[index(j)] * c[index(j)]);
    moves *= trips;
  }
  return static_cast<std::int64_t>(starts.weigh(line.rows)) - moves;
}

}  // namespace pimbb::dram_pim::mapper
