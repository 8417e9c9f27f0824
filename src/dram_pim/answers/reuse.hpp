// The reuse classes of a level's loops: which tensor is stationary over which innermost run.
//
// The innermost loops of a level that are irrelevant to one tensor s leave the tile of s in place;
// the first loop that is relevant to s ends the run. Fills and the closed row models depend on the
// order of the level's loops through this set of loops only: for s, the loops of the run are inner
// and all others outer; to the other two tensors the innermost loop is relevant, so all their loops
// are outer. Nothing is in place if the innermost loop is G.
//
// nest/steps.hpp merges the classes of one tensor, because the one with all irrelevant loops in the
// run costs no more than the others. Whoever lists all mappings needs each of them, and the number
// of orders that it has.
#pragma once

#include <array>
#include <vector>

#include "dram_pim/mapper/order_rule.hpp"

namespace pimbb::dram_pim::answers {

struct ReuseClass {
  mapper::LoopClass stationary;   ///< none: G is innermost, or there are no loops
  mapper::DimMask run = 0;        ///< the loops that leave it in place
  std::uint64_t orders = 1;       ///< orders of the level's loops in the class
  mapper::LoopOrder canonical{};  ///< the first of them, by dimensions from the outermost loop on
};

class ReuseClasses {
 public:
  /// All classes of all sets of loops that a precedence allows, for levels 1 .. `levels` - 1.
  ReuseClasses(const mapper::OrderRule& orders, std::size_t levels);

  /// The classes of these loops at `level`; one, with an empty run, if there are no loops.
  [[nodiscard]] const std::vector<ReuseClass>& of(std::size_t level, mapper::DimMask loops) const {
    return levels_[levels_.size() == 1 ? 0 : level][loops];
  }

 private:
  using Level = std::array<std::vector<ReuseClass>, mapper::kEveryDim + 1>;
  static void fill(const mapper::OrderRule& orders, std::size_t level, Level& classes);

  std::vector<Level> levels_;  // one, if the same is allowed at all levels
};

/// The set of innermost loops of an order that leave a tensor in place.
mapper::DimMask run_of(const mapper::LoopOrder& order);

/// The state inside `to` when loops of this class lead there from `from`.
mapper::State state_after(const mapper::Lattice& lattice, const mapper::State& from,
                          mapper::TileIndex to, const ReuseClass& loops);

}  // namespace pimbb::dram_pim::answers
