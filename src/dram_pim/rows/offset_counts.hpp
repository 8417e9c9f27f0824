// The number of tiles of a loop nest that start at each offset within a row.
//
// A loop adds `trips` copies of the tiles, each one step after the other. As long as there are few
// tiles they are kept as a list. Later a table over all offsets replaces the list, and a loop
// becomes a sliding-window sum along the orbits of its step: O(row / unit) for any trip count,
// where the unit is a common divisor of the row and of all steps.
#pragma once

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <vector>

#include "dram_pim/rows/step_function.hpp"
#include "exact/int128.hpp"

namespace pimbb::dram_pim::rows {

class OffsetCounts {
 public:
  /// One tile, at offset `first` < row. `unit` divides `first`, the row and all later steps.
  explicit OffsetCounts(std::int64_t row, std::int64_t unit = 1, std::int64_t first = 0);
  void restart();  ///< back to the one tile; keeps the memory
  /// Replaces each tile by `trips` copies, each `step` bytes after the one before.
  void repeat(std::int64_t trips, std::int64_t step);

  /// Number of tiles that start in [low, high), 0 <= low, high <= row.
  [[nodiscard]] std::int64_t within(std::int64_t low, std::int64_t high) const;
  /// sum over offsets of (tiles starting there) * cost(offset).
  [[nodiscard]] Int128 weigh(const StepFunction& cost) const;

 private:
  struct Tiles {
    std::int64_t place;  // offset / unit
    std::int64_t count;
  };

  void repeat_list(std::int64_t advance, std::int64_t copies, std::int64_t rounds,
                   std::int64_t window);
  void repeat_table(std::int64_t advance, std::int64_t orbits, std::int64_t rounds,
                    std::int64_t window);
  void make_table();
  [[nodiscard]] std::int64_t place_from(std::int64_t offset) const {
    return (offset + unit_ - 1) / unit_;
  }

  std::int64_t unit_;
  std::int64_t places_;      // row / unit
  std::int64_t first_;       // offset / unit of the initial tile
  std::int64_t factor_ = 1;  // common to all counts below
  bool tabled_ = false;
  boost::container::small_vector<Tiles, 6> list_;
  std::vector<std::int64_t> table_;
};

}  // namespace pimbb::dram_pim::rows
