// The number of seams of a stream that keep a row open, for all orders of its relevant loops.
//
// A count has two parts (activation_counter.hpp). The rows of all moves do not depend on the order
// of the loops. The number of seams of a loop k that keep a row open depends only on the *sets* of
// loops inside and outside k: the residues of the positions due to the loops outside do not depend
// on their order, and neither does the wrap of the loops inside. Irrelevant loops affect neither;
// they multiply the count. One table, indexed by level, set of relevant loops inside, and loop, is
// therefore enough for every order and every choice of irrelevant loops (order_counts.hpp).
//
// Time: one distribution of residues for each set of loops of a level, O(2^loops * row / unit).
#pragma once

#include <boost/container/small_vector.hpp>

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <vector>

#include "dram_pim/rows/offset_counts.hpp"
#include "dram_pim/rows/row_lines.hpp"
#include "dram_pim/rows/stream.hpp"

namespace pimbb::dram_pim::rows {

class SeamTable {
 public:
  using allocator_type = std::pmr::polymorphic_allocator<std::byte>;

  /// `levels`: the relevant loops of each, innermost level first.
  SeamTable(const RowLines& lines, const std::vector<std::vector<MoveLoop>>& levels);
  /// A copy whose counts are elsewhere.
  SeamTable(const SeamTable& other, const allocator_type& allocator);

  /// The rows of all moves, if the tile moves to each position once.
  [[nodiscard]] std::int64_t all_rows() const { return all_rows_; }
  /// The seams of loop `k` of `level` that keep a row open, if the levels further in and the loops
  /// of the mask `inside` are inside it.
  [[nodiscard]] std::int64_t kept(std::size_t level, std::uint32_t inside, std::size_t k) const {
    return counts_[levels_[level].kept + inside * levels_[level].loops + k];
  }
  /// The positions of the loops outside at which a new sweep over the loops inside starts in the
  /// row that the sweep before has left open: the seams of an irrelevant loop at this position, per
  /// step.
  [[nodiscard]] std::int64_t stays(std::size_t level, std::uint32_t inside) const {
    return counts_[levels_[level].stays + inside];
  }
  [[nodiscard]] std::uint64_t bytes() const;

 private:
  struct Level {
    std::size_t loops = 0;
    std::size_t kept = 0;   // where its counts begin
    std::size_t stays = 0;  // and these
  };
  /// Something for each line, of which there are at most two.
  template <class T>
  using PerLine = boost::container::small_vector<T, 2>;
  /// The loops outside a level, or outside a set of its loops.
  struct Outside {
    PerLine<OffsetCounts> starts;
    std::int64_t others = 1;  ///< trips of loops that act on no line
  };

  class Sets;

  void fill(const Level& level, const RowLines& lines, const std::vector<MoveLoop>& loops,
            const PerLine<std::int64_t>& wrap, bool groups_inside, Outside& outside);

  boost::container::small_vector<Level, 4> levels_;
  std::pmr::vector<std::int64_t> counts_;
  std::int64_t all_rows_ = 0;
};

}  // namespace pimbb::dram_pim::rows
