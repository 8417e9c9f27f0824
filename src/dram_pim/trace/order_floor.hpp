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
// of a level, combined with the least value of the level further out. The same table gives the
// cost-to-go of an order that has been decided from the inside up to some set.
#pragma once

#include <array>
#include <cstdint>

#include "dram_pim/mapper/tiles.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::mapper {

/// A tensor with a layout, which a nest of loops moves.
struct Moved {
  const Architecture& architecture;
  const Workload& workload;
  Tensor tensor;
  Layout layout;
  Factors row_tile;  ///< cumulative tile at the row buffer
};

/// One level of a nest.
class OrderFloor {
 public:
  /// The loops from tile `inner`, which moves as a `whole` or in parts, to tile `outer`; among
  /// loops with more than one trip, one of `innermost` is innermost. `further_out`: the next level,
  /// which must outlive this one; null if there is none, and then `outer` is the whole layer.
  OrderFloor(const Moved& moved, const Factors& inner, const Factors& outer, bool whole,
             DimMask innermost, const OrderFloor* further_out);

  /// A lower bound of N_act over all orders of this level and the levels further out. `moves`: some
  /// loop further in is relevant to the tensor.
  [[nodiscard]] std::int64_t least(bool moves) const { return to_come(0, moves); }
  /// The same if the loops of `inside` are innermost, from there on.
  [[nodiscard]] std::int64_t to_come(DimMask inside, bool moves) const {
    return to_come_[moves ? 1 : 0][inside];
  }
  /// The bound that follows if loop `next` is directly outside those of `inside`.
  [[nodiscard]] std::int64_t step(DimMask inside, bool moves, Dim next) const;
  /// Dimensions with a loop at this level.
  [[nodiscard]] DimMask loops() const { return loops_; }
  [[nodiscard]] DimMask innermost() const { return innermost_; }

 private:
  static constexpr std::size_t kSets = std::size_t{1} << kDims;

  void count_rows(const Moved& moved, const Factors& inner, bool whole);
  void fill(bool moves, const OrderFloor* further_out);
  [[nodiscard]] bool changes_group(Dim j) const;

  Tensor t_;
  Layout layout_;
  bool outside_row_buffer_;
  DimMask loops_ = 0;
  DimMask innermost_;
  Factors trips_;
  std::int64_t all_trips_ = 1;  // of this level and those further out
  // By set; only subsets of loops_ are set.
  std::array<std::int64_t, kSets> outside_{};
  std::array<std::int64_t, kSets> rows_{};
  std::array<std::array<std::int64_t, kSets>, 2> to_come_{};
};

}  // namespace pimbb::dram_pim::mapper
