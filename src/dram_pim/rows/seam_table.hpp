// What the seams of a stream keep open, for all orders of its relevant loops at once.
//
// Of the two parts of a count (activation_counter.hpp), the rows of all moves do not depend on the
// order of the loops. And what the seams of a loop k keep open depends on the *sets* of loops
// inside and outside k only: the residues of the positions that the loops outside make are the same
// in any order of theirs, and so is the wrap of the loops inside. Irrelevant loops have no part in
// either; they multiply. So one table by level, set of relevant loops inside and loop serves every
// order, and every choice of irrelevant loops besides (order_counts.hpp).
//
// Time: a distribution of residues for each set of loops of a level, O(2^loops * row / unit).
#pragma once

#include <cstdint>
#include <vector>

#include "dram_pim/rows/offset_counts.hpp"
#include "dram_pim/rows/row_lines.hpp"
#include "dram_pim/rows/stream.hpp"

namespace pimbb::dram_pim::rows {

class SeamTable {
 public:
  /// `levels`: the relevant loops of each, innermost level first.
  SeamTable(const RowLines& lines, const std::vector<std::vector<MoveLoop>>& levels);

  /// Rows of all moves, each position being moved to once.
  [[nodiscard]] std::int64_t all_rows() const { return all_rows_; }
  /// Seams of loop `k` of `level`, with the levels further in and the loops of the mask `inside`
  /// it, that find their row open.
  [[nodiscard]] std::int64_t kept(std::size_t level, std::uint32_t inside, std::size_t k) const {
    return levels_[level].kept[inside * levels_[level].loops + k];
  }
  /// Positions of the loops outside at which a sweep over what is inside, begun anew, finds its row
  /// open: the seams of an irrelevant loop in this place, for each of its steps.
  [[nodiscard]] std::int64_t stays(std::size_t level, std::uint32_t inside) const {
    return levels_[level].stays[inside];
  }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct Level {
    std::size_t loops = 0;
    std::vector<std::int64_t> kept;
    std::vector<std::int64_t> stays;
  };
  /// What is outside a level, or a set of loops of it.
  struct Outside {
    std::vector<OffsetCounts> starts;  ///< by line
    std::int64_t others = 1;           ///< trips of loops that act on no line
  };

  void fill(Level& level, const RowLines& lines, const std::vector<MoveLoop>& loops,
            const std::vector<std::int64_t>& wrap, bool groups_inside, Outside& outside);

  std::vector<Level> levels_;
  std::int64_t all_rows_ = 0;
};

}  // namespace pimbb::dram_pim::rows
