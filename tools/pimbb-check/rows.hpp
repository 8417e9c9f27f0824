// Row activations by the closed formulas `analytic` and `hybrid`, in units of 1/Row; none at all
// under the row model `none`.
#pragma once

#include "addresses.hpp"

namespace pimbb_check {

/// A tensor's irrelevant loops at the DRAM (3) and the row buffer (2): inner, if no relevant loop
/// of the level stands inside them, else outer.
struct Reuse {
  Count inner3 = 1, outer3 = 1, inner2 = 1, outer2 = 1;
};

/// What the row-buffer tile fixes for one tensor.
struct RowTile {
  Count tiles = 0;         // T: tiles of one sweep; 0: not looked at yet
  bool divides = false;    // its bytes divide the row
  bool may_align = false;  // the row-aligned layout is allowed
  Count micro = 0;         // A: micro-traces of one sweep; hybrid, input
  Count cross = 0;         // Cross: tiles that straddle a block edge; input
};

/// Everything but `micro`; the input's block is the one of least Cross.
RowTile row_tile(const Problem& p, std::size_t t, const Factors& c);
/// A, exactly, in one order of the input; the least over the orders that it may have; and a floor
/// of that which counts only gaps of a row or more as switches.
Count micro_traces(const Problem& p, const Factors& c, bool channels_last);
Count fewest_micro_traces(const Problem& p, const Factors& c);
Count least_micro_traces(const Problem& p, const Factors& c);
/// Cross for one block.
Count crossings(const Problem& p, const Factors& c, std::int64_t block_h, std::int64_t block_w);

Count activations(const Problem& p, std::size_t t, bool aligned, const RowTile& tile,
                  const Reuse& r);
/// The fewest over the layouts allowed.
Count fewest_activations(const Problem& p, std::size_t t, const RowTile& tile, const Reuse& r);

}  // namespace pimbb_check
