// Row activations of one stream for all orders of its loops at once, exactly.
//
// With the seams of seam_table.hpp, the activations of an order are
//
//     N_act = moves(run) - sum over loops k outside the run of kept(loops inside k, k),
//
// where the run, the irrelevant loops directly around the moved tile, does not move it. An order,
// built from the inside outwards, is a path through sets of loops with a cost for each step. The
// least N_act over all orders, or over all orders that begin with given loops, is therefore a
// shortest path: a table over the subsets of a level's loops, with 2^loops entries instead of
// loops! orders.
//
// One level is completed before the next begins, and only some loops of a level may be innermost.
#pragma once

#include <boost/container/small_vector.hpp>

#include <cstdint>
#include <memory>
#include <span>

#include "dram_pim/rows/seam_table.hpp"

namespace pimbb::dram_pim::rows {

/// The loops of one level: relevant loops first, as in the seam table, then irrelevant ones. Bit
/// masks of loops use these positions.
struct LooseLevel {
  boost::container::small_vector<MoveLoop, kDims> loops;
  std::size_t relevant = 0;       ///< number of relevant loops
  std::uint32_t innermost = ~0U;  ///< the loops that may be innermost

  [[nodiscard]] std::span<const MoveLoop> moving() const { return {loops.data(), relevant}; }
};

class OrderCounts {
 public:
  /// The loops placed around the moved tile so far, and their cost.
  struct Path {
    std::size_t level = 0;
    std::uint32_t inside = 0;
    bool moves = false;        ///< some loop so far moves the tile
    std::int64_t counted = 0;  ///< the part of N_act that is known
  };

  /// `levels`: innermost first. `again`: the tile moves in every iteration, even to the same
  /// position.
  OrderCounts(std::shared_ptr<const SeamTable> seams, std::span<const LooseLevel> levels,
              bool again);

  [[nodiscard]] Path begin() const;
  /// The path with loop `next` of its level placed around all others; continues at the next level
  /// after the last loop of a level.
  [[nodiscard]] Path extended(const Path& path, std::size_t next) const;
  /// The least N_act of all orders that extend the path; the N_act of a complete path.
  [[nodiscard]] std::int64_t least(const Path& path) const;

 private:
  struct Level {
    std::uint32_t all = 0;       // every loop
    std::uint32_t relevant = 0;  // the first ones
    std::uint32_t innermost = 0;
    boost::container::small_vector<std::int64_t, kDims> trips;
    std::int64_t outer_idle = 1;  // trips of the irrelevant loops of all levels further out
    std::size_t begin = 0;        // of its costs

    [[nodiscard]] std::size_t sets() const { return all + std::size_t{1}; }
  };

  /// Trips of the irrelevant loops of a level's set.
  [[nodiscard]] static std::int64_t idle_trips(const Level& level, std::uint32_t set);
  [[nodiscard]] std::int64_t kept(std::size_t m, std::uint32_t inside, std::size_t k) const;
  /// The rows of all moves, if irrelevant loops inside the rest of the level are a run.
  [[nodiscard]] std::int64_t moves(const Level& level, std::uint32_t run) const;
  void find_paths(std::size_t m);
  /// What is still to come of a path, by the set inside.
  [[nodiscard]] const std::int64_t* to_come(const Level& level, bool moves) const {
    return &to_come_[level.begin + (moves ? level.sets() : 0)];
  }

  std::shared_ptr<const SeamTable> seams_;
  // There is one of these for every node: few of them take memory of their own.
  boost::container::small_vector<Level, 3> levels_;
  boost::container::small_vector<std::int64_t, 64> to_come_;  // at rest and moving, of every level
  bool again_;
  std::int64_t all_idle_ = 1;  // trips of all irrelevant loops
};

}  // namespace pimbb::dram_pim::rows
