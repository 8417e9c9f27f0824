#include "dram_pim/rows/tile_rows.hpp"

#include <algorithm>

#include "dram_pim/rows/element_runs.hpp"
#include "pimbb/dram_pim/feasibility.hpp"

namespace pimbb::dram_pim::rows {
namespace {

constexpr int kMostRuns = 1 << 16;

/// The units [from, from + count) of a bank, cut at the ends of rows; neighbours become one run.
class RowCutter {
 public:
  RowCutter(std::int64_t row_units, std::int64_t byte_units)
      : row_units_(row_units), byte_units_(byte_units) {}

  void add(std::int64_t from, std::int64_t count) {
    for (const std::int64_t end = from + count; from < end;) {
      const std::int64_t row = from / row_units_;
      const std::int64_t stop = std::min(end, (row + 1) * row_units_);
      if (row != last_row_) ++found_.rows;
      last_row_ = row;
      if (found_.rows <= kDrawnRows) add_run(row, from % row_units_, stop - from);
      from = stop;
    }
  }
  [[nodiscard]] TileRows take() { return std::move(found_); }

 private:
  void add_run(std::int64_t row, std::int64_t unit, std::int64_t count) {
    const std::int64_t column = unit / byte_units_;
    const std::int64_t end = (unit + count + byte_units_ - 1) / byte_units_;
    if (!found_.runs.empty()) {
      TileRows::Run& last = found_.runs.back();
      if (last.row == row && last.column + last.bytes >= column) {
        last.bytes = end - last.column;
        return;
      }
    }
    if (found_.runs.size() < kDrawnRuns) found_.runs.push_back({row, column, end - column});
  }

  std::int64_t row_units_;
  std::int64_t byte_units_;
  std::int64_t last_row_ = -1;
  TileRows found_;
};

}  // namespace

std::optional<TileRows> tile_rows(const Architecture& architecture, const Workload& workload,
                                  const Mapping& mapping, Tensor t, Layout layout) {
  const bool has_block = mapping.layout[index(Tensor::input)] == Layout::row_aligned;
  if (t == Tensor::input && layout == Layout::row_aligned && !has_block) return std::nullopt;
  Mapping changed = mapping;
  changed.layout[index(t)] = layout;
  if (find_violation(architecture, workload, changed)) return std::nullopt;
  ElementRuns runs(element_map(architecture, workload, changed, t));
  runs.begin(first_element(workload, t, Factors{}),
             extents(workload, t, mapping.tile(architecture.row_buffer())));
  RowCutter cutter(architecture.row_units(), architecture.byte_units());
  int count = 0;
  for (ElementRun run{}; runs.next(run);) {
    if (++count > kMostRuns) return std::nullopt;
    const std::int64_t size = architecture.element_units(t);
    if (run.step == size) {
      cutter.add(run.address, run.count * size);
      continue;
    }
    for (std::int64_t i = 0; i < run.count; ++i) cutter.add(run.address + i * run.step, size);
  }
  return cutter.take();
}

}  // namespace pimbb::dram_pim::rows
