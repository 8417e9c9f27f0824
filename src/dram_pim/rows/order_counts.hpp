// Row activations of one stream for all orders of its loops at once, exactly.
//
// With the seams of seam_table.hpp, the activations of an order are
//
//     N_act = moves(run) - sum over loops k outside the run of kept(loops inside k, k),
//
// where the run, irrelevant loops right around the moved tile, moves nothing. An order, built from
// the inside outwards, is a path through sets of loops with a price on each step. So the least
// N_act over all orders, or over all that begin with given loops, is a shortest path: one table
// over the subsets of a level's loops, 2^loops entries instead of loops! orders.
//
// Levels are complete one after the other, and within a level only some loops may stand innermost.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "dram_pim/rows/seam_table.hpp"

namespace pimbb::dram_pim::rows {

/// The loops of one level: relevant ones first, which is how the seam table counts them, then the
/// irrelevant ones. Sets of them are bit masks by this place.
struct LooseLevel {
  std::vector<MoveLoop> loops;
  std::size_t relevant = 0;       ///< so many of them
  std::uint32_t innermost = ~0U;  ///< those that may stand innermost
};

class OrderCounts {
 public:
  /// Loops that have been put around the moved tile, and what they have cost so far.
  struct Path {
    std::size_t level = 0;
    std::uint32_t inside = 0;
    bool moves = false;        ///< some loop so far moves the tile
    std::int64_t counted = 0;  ///< what is known of N_act by now
  };

  /// `levels`: innermost first. `again`: the tile moves in every iteration, its place being the
  /// same or not.
  OrderCounts(std::shared_ptr<const SeamTable> seams, const std::vector<LooseLevel>& levels,
              bool again);

  [[nodiscard]] Path begin() const;
  /// With loop `next` of the path's level put around all others; goes on to the next level when the
  /// last loop of one is there.
  [[nodiscard]] Path extended(const Path& path, std::size_t next) const;
  /// The least N_act of all orders that begin like this; the N_act of one that is complete.
  [[nodiscard]] std::int64_t least(const Path& path) const;

 private:
  struct Level {
    std::uint32_t all = 0;       // every loop
    std::uint32_t relevant = 0;  // the first ones
    std::uint32_t innermost = 0;
    std::vector<std::int64_t> trips;
    std::int64_t outer_idle = 1;  // trips of the irrelevant loops of all levels further out
    std::array<std::vector<std::int64_t>, 2> to_come;  // by whether it moves, and set inside
  };

  /// Trips of the irrelevant loops of a level's set.
  [[nodiscard]] static std::int64_t idle_trips(const Level& level, std::uint32_t set);
  [[nodiscard]] std::int64_t kept(std::size_t m, std::uint32_t inside, std::size_t k) const;
  /// The rows of all moves, if irrelevant loops inside the rest of the level are a run.
  [[nodiscard]] std::int64_t moves(const Level& level, std::uint32_t run) const;
  void find_paths(std::size_t m);

  std::shared_ptr<const SeamTable> seams_;
  std::vector<Level> levels_;
  bool again_;
  std::int64_t all_idle_ = 1;  // trips of all irrelevant loops
};

}  // namespace pimbb::dram_pim::rows
