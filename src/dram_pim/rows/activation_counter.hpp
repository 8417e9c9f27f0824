// Row activations of the `trace` model, counted without walking the stream (spec 6).
//
// A stream moves one tile to many positions. A move to position x opens each of the D(x) rows that
// the tile touches there, in ascending order, but for the first one if that is the last row of the
// move before, which is still open. So
//
//     N_act = sum over moves of D(x)  -  number of neighbouring moves x, y with last(x) = first(y).
//
// Neighbours are sorted by the loop that steps between them: at a *seam* of loop k, the loops
// outside k stand still, k goes from i to i + 1, and the loops inside wrap from their last
// iteration to their first. Loop j changes the address by s_j per iteration (irrelevant ones by 0),
// so with A = the part of y's address that k and the loops outside it make, and W = sum over the
// loops inside of (trips - 1) * s, the neighbours start at y = A and x = A - s_k + W, and x ends at
// x + span, the first byte of the tile's last element. With d = W - s_k + span,
//
//     last(x) = first(y)   iff   floor((A + d) / Row) = floor(A / Row)
//                          iff   0 <= A mod Row + d < Row.
//
// That is an interval of residues, the same for all seams of k: how many A lie in it is a matter of
// the distribution of A mod Row, which grows loop by loop from the outside (OffsetCounts); those
// with k at its first iteration, which no seam leads to, are the ones counted before k was added.
// D depends on x mod Row alone, too. Nothing else is needed for a sequential layout.
//
// Row-aligned layouts are products. A row is the index of a row-buffer tile (weight, output), or
// that of a tile in N, G and C with a block of the plane (input). A loop outside the row buffer
// along such a *group* dimension changes the row whenever it steps or wraps. Along the input's
// height, blocks are to Q and S what rows are to addresses, along its width to P and R; rows are
// equal iff both blocks and the group are. Hence D is the product over the two lines of the blocks
// touched, sums over moves are products of sums, and the seams of k that keep the row open are
// counted line by line, times the trips of the loops outside k that act on none.
#pragma once

#include <cstdint>
#include <vector>

#include "dram_pim/rows/offset_counts.hpp"
#include "dram_pim/rows/row_lines.hpp"
#include "dram_pim/rows/stream.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::rows {

/// Counts the streams of one moved tile under one layout, for any order of their loops. Keeps
/// scratch memory from call to call: one object a thread.
class ActivationCounter {
 public:
  /// `tile`: what is moved; `rb_tile`: the cumulative tile at the row buffer; `block`: of a
  /// row-aligned input.
  ActivationCounter(const Architecture& architecture, const Workload& workload, Tensor t,
                    Layout layout, const Factors& tile, const Factors& rb_tile,
                    const Block& block = {});

  /// N_act. `loops` move the tile, outermost first (Stream); `repeats` moves at every position.
  Int128 activations(const std::vector<MoveLoop>& loops, Int128 repeats = 1);

 private:
  struct Line {
    RowLine is;
    StepFunction one_row;  ///< 1 where the tile touches one row, else 0
    OffsetCounts starts;   ///< of the loops so far
    std::int64_t wrap;     ///< W of the loops still to come

    void restart(const std::vector<MoveLoop>& loops);
    [[nodiscard]] std::int64_t advance(const MoveLoop& loop) const;
    /// Seams of `loop`, by position on this line, at which a row stays open; adds the loop.
    std::int64_t seams_kept(const MoveLoop& loop);
  };

  [[nodiscard]] bool acts_on_a_line(const MoveLoop& loop) const;

  RowLines geometry_;
  std::vector<Line> lines_;
};

/// N_act of tensor `t`.
Int128 count_activations(const Architecture& architecture, const Workload& workload,
                         const Mapping& mapping, Tensor t);

}  // namespace pimbb::dram_pim::rows
