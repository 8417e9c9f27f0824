// Lower bound on the row activations of one tensor over all orders of its loops (row model trace).
//
// The loops outside the tile that moves form a nest: some levels, innermost first, each with a set
// of loops whose order is not yet decided. Let the set S of loops be innermost, and let the tile
// with the loops of S around it touch at least D(S) rows, wherever it starts. Each iteration of the
// loops outside S opens all of these rows except the one that may still be open, so
//
//     N_act >= outside(S) * (D(S) - 1) + 1,    outside(S) = product of the trips of all other loops
//
// provided that the tile moves in every such iteration: some loop of S, or the loop next to S, is
// relevant to the tensor (a run of irrelevant loops directly around the tile does not move it). In
// row-aligned layouts a loop that changes the row-buffer tile (or, for the input, its part in N, C
// or G) changes the row at every step and wrap. If it is next to S, no row is still open, and N_act
// >= outside(S) * D(S).
//
// An order is a chain of sets, from the empty set to all loops. Its bound is the largest bound over
// the chain, and the least over all chains is a bottleneck shortest path: a table over the subsets
// of a level, combined with the least value of the level further out.
//
// Claim: subsets of the loops relevant to the tensor are enough. Among the chains whose first loop
// is irrelevant (is the relevant loop j), one with all irrelevant loops first (directly after j)
// has the least bound.
//
// Proof. Take any chain with this first loop and move its irrelevant loops there. A relevant loop
// that was next to R and some irrelevant loops is now next to R and all irrelevant loops: D is the
// same, outside() has not grown, so its bound has not grown. An irrelevant loop is now next to
// irrelevant loops only, or to j and irrelevant loops. In the first case its bound is 1, or, if a
// loop further in moves the tile, at most outside({}) * (D({}) - 1) + 1, which the chain had before
// from its first loop. In the second case it is at most outside({j}) * (D({j}) - 1) + 1, which the
// chain had from its second loop, whichever that was.  []
//
// A chain with an irrelevant loop first is never worse than one with a relevant loop first, by the
// same argument. The irrelevant loops therefore appear as the product of their trips only, and one
// table serves all tiles that have the same relevant factors.
#pragma once

#include <array>
#include <cstdint>

#include "dram_pim/trace/touched_rows.hpp"

namespace pimbb::dram_pim::mapper {

/// The levels further out than one of a nest.
struct LoopsFurtherOut {
  std::int64_t trips;                 ///< of all their loops
  std::array<std::int64_t, 2> least;  ///< their bounds; [1]: if some loop further in is relevant
};

/// One level of a nest.
class OrderFloor {
 public:
  /// The loops from tile `inner`, which moves as a `whole` or in parts, to tile `outer`; only the
  /// factors relevant to the tensor matter. `further_out`: null if there are no further levels, and
  /// then `outer` is the whole layer.
  OrderFloor(const Moved& moved, const Factors& inner, const Factors& outer, bool whole,
             const LoopsFurtherOut* further_out);

  /// A lower bound of N_act over all orders of this level and the levels further out. `moves`: some
  /// loop further in is relevant to the tensor. `innermost`: the loops of this level that may be
  /// innermost, none if it has no loops; `idle_trips`: of its irrelevant loops.
  [[nodiscard]] std::int64_t least(bool moves, DimMask innermost, std::int64_t idle_trips) const;

  /// This level and those further out, as a level further in sees them.
  [[nodiscard]] LoopsFurtherOut from_inside(DimMask innermost, std::int64_t idle_trips) const {
    return {trips_ * idle_trips,
            {least(false, innermost, idle_trips), least(true, innermost, idle_trips)}};
  }

 private:
  static constexpr std::size_t kSets = std::size_t{1} << kDims;
  struct Bounds {                ///< of the chains that contain one set S of relevant loops
    std::int64_t kept = 0;       // outside(S) * (D(S) - 1) + 1, less 1
    std::int64_t opened = 0;     // outside(S) * D(S)
    std::int64_t from_here = 0;  // the least over all chains from S on
  };

  DimMask loops_ = 0;              // the relevant ones
  DimMask groups_ = 0;             // those of them that change the row of a row-aligned layout
  std::int64_t trips_;             // of the relevant loops, and of all loops further out
  std::int64_t at_rest_ = 0;       // the bound if there is no relevant loop, nor further in
  Bounds none_;                    // S = {}
  std::array<Bounds, kDims> one_;  // S = {j}, for j in loops_
};

}  // namespace pimbb::dram_pim::mapper
