// Least row activations of one tensor over all orders of its loops; docs/proof-format.md says why.
//
// If the loops of a set S stand innermost, the moved tile with them around it touches at least D(S)
// rows, and every iteration of the loops outside opens all of these but the last one:
//
//     rows >= outside(S) * (D(S) - 1) + 1,      or outside(S) * D(S) where the next loop changes
//                                               the group of a row-aligned layout.
//
// An order is a chain of sets from none to all, its bound the largest on the chain, and the least
// over all orders a table over the sets of a level, on top of the next level outwards.
#pragma once

#include <limits>
#include <vector>

#include "addresses.hpp"

namespace pimbb_check {

/// A layout of a tensor: aligned to a row-buffer tile, whatever the block, or sequential (null).
struct LayoutKind {
  const Factors* row_tile = nullptr;
  bool channels_last = false;  // of a sequential input
};
/// The sequential layouts that a tensor may have: one, or two of an input whose order is free; none
/// if the constraints forbid them.
std::vector<LayoutKind> sequential_layouts(const Problem& p, std::size_t t);

class OrderFloor {
 public:
  /// Tensor t in this layout, under the loops from tile `inner`, which
  /// moves as a `whole` or in parts, to `outer`, of which one irrelevant to s (G, if that is
  /// kNoTensor) is innermost; `outwards`: the next level, null at the DRAM.
  OrderFloor(const Problem& p, std::size_t t, const LayoutKind& layout, const Factors& inner,
             const Factors& outer, bool whole, std::size_t s, const OrderFloor* outwards);

  /// Of orders that begin with the loops of `inside`, from there on. `moves`: a loop further in is
  /// relevant to t.
  [[nodiscard]] std::int64_t least(bool moves, DimSet inside = 0) const {
    return least_[moves ? 1 : 0][inside];
  }
  /// What loop j tells that stands next to the loops of `inside`.
  [[nodiscard]] std::int64_t step(bool moves, DimSet inside, std::size_t j) const;

 private:
  void fill(bool moves, DimSet first, const OrderFloor* outwards);

  DimSet loops_, seen_;  // loops of this level; dimensions that t sees
  DimSet groups_ = 0;    // loops that change the group
  Factors trips_{};
  std::int64_t all_trips_;  // from this level outwards
  static constexpr std::size_t kSets = std::size_t{1} << kDims;
  std::array<std::int64_t, kSets> outside_{}, rows_{};
  std::array<std::array<std::int64_t, kSets>, 2> least_{};
};

/// Rows that hold what the layer uses of a tensor.
std::int64_t rows_of_tensor(const Problem& p, std::size_t t);

/// Of all tensors below a row-buffer tile, whatever the layouts.
class DramFloors {
 public:
  /// `s`: class of the DRAM's loops; `whole`: rows of the tensors.
  DramFloors(const Problem& p, const Factors& row_tile, std::size_t s,
             const PerTensor<std::int64_t>& whole);

  /// Whatever the row buffer's loops; if they lead to the tile `inner` in class s, of which `whole`
  /// says what moves as a whole.
  [[nodiscard]] PerTensor<std::int64_t> least() const;
  [[nodiscard]] PerTensor<std::int64_t> least(const Factors& inner, std::size_t s,
                                              const Flags& whole) const;

 private:
  const Problem& p_;
  const Factors row_tile_;
  const PerTensor<std::int64_t> whole_;
  struct Floor {
    LayoutKind layout;
    OrderFloor floor;
  };
  PerTensor<std::vector<Floor>> floors_;  // sequential ones, row-aligned if that is allowed
};

}  // namespace pimbb_check
