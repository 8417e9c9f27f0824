// Least row activations of one tensor over all orders of its loops, under the trace model.
//
// The loops outside the tile that is moved form a nest: some levels, innermost first, each with a
// set of loops whose order is still open. Let the set S of loops be innermost, and let the tile
// with the loops of S around it touch at least D(S) rows wherever it starts. Each iteration of the
// loops outside S opens all of these rows but the one that may be open still, so
//
//     N_act >= outside(S) * (D(S) - 1) + 1,    outside(S) = product of the trips of all other loops
//
// provided that the tile moves in every such iteration: either some loop of S is relevant to the
// tensor, or the loop next to S is (a run of irrelevant loops right around the tile moves nothing).
// Row-aligned layouts add what group indices tell: a loop that changes the row-buffer tile (or, for
// the input, its part in N, C or G) changes the row at every step and wrap. If it stands next to S,
// no row is still open, and N_act >= outside(S) * D(S).
//
// An order is a chain of sets, from none to all of them; its bound is the largest over the chain,
// and the least over all chains is a shortest path for the bottleneck: a table over the subsets of
// a level, on top of the least of the level further out. The same table tells what is still to come
// of an order that has been decided from the inside up to some set.
#pragma once

#include <array>
#include <cstdint>

#include "dram_pim/mapper/tiles.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::mapper {

/// A tensor with a layout; what a nest of loops moves.
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
  /// Loops that lead from tile `inner`, which moves as a `whole` or in parts, to `outer`; of those
  /// that have any trips, one of `innermost` stands innermost. `further_out`: the next level, which
  /// must outlive this one; null for none, and then `outer` is the whole layer.
  OrderFloor(const Moved& moved, const Factors& inner, const Factors& outer, bool whole,
             DimMask innermost, const OrderFloor* further_out);

  /// A lower bound of N_act over all orders of this level and those further out. `moves`: some loop
  /// further in is relevant to the tensor.
  [[nodiscard]] std::int64_t least(bool moves) const { return to_come(0, moves); }
  /// The same if the loops of `inside` are innermost, from there on.
  [[nodiscard]] std::int64_t to_come(DimMask inside, bool moves) const {
    return to_come_[moves ? 1 : 0][inside];
  }
  /// What it tells that loop `next` stands right outside those of `inside`.
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
  std::array<std::int64_t, kSets> outside_;
  std::array<std::int64_t, kSets> rows_;
  std::array<std::array<std::int64_t, kSets>, 2> to_come_;
};

}  // namespace pimbb::dram_pim::mapper
