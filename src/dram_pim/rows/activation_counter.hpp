// Row activations of the `trace` model (docs/model.md), counted without simulating the stream.
//
// A stream moves one tile to many positions. A move to position x opens each of the D(x) rows that
// the tile touches there, in ascending order, except the first one if it is the last row of the
// move before, which is still open. Therefore
//
//     N_act = sum over moves of D(x)  -  number of consecutive moves x, y with last(x) = first(y).
//
// Consecutive moves are classified by the loop that advances between them: at a *seam* of loop k,
// the loops outside k do not change, k goes from i to i + 1, and the loops inside wrap from their
// last iteration to their first. Loop j changes the address by s_j per iteration (irrelevant loops
// by 0). Let A be the part of y's address due to k and the loops outside it, and W the sum over the
// loops inside of (trips - 1) * s. The two moves start at y = A and x = A - s_k + W, and x ends at
// x + span, the first byte of the tile's last element. With d = W - s_k + span,
//
//     last(x) = first(y)   iff   floor((A + d) / Row) = floor(A / Row)
//                          iff   0 <= A mod Row + d < Row.
//
// This is an interval of residues, the same for all seams of k. The number of A in it follows from
// the distribution of A mod Row, which is built loop by loop from the outside (OffsetCounts). The A
// with k at its first iteration, which do not follow a seam of k, are those counted before k was
// added. D also depends on x mod Row only. A sequential layout needs nothing else.
//
// Row-aligned layouts are products. A row is the index of a row-buffer tile (weight, output), or
// the index of a tile in N, G and C together with a block of the plane (input). A loop outside the
// row buffer over such a *group* dimension changes the row whenever it advances or wraps. Along the
// input's height, blocks correspond to rows, and positions in Q and S to addresses; the same holds
// along its width for P and R. Two rows are equal iff both blocks and the group are equal. Hence D
// is the product of the numbers of blocks touched along the two lines, sums over moves are products
// of sums, and the seams of k that keep the row open are counted line by line, multiplied by the
// trips of the loops outside k that do not act on any line.
//
// In a bank that tensors share, fewer seams keep a row open (bank_sharing.hpp): those of the inner
// loops, and of the innermost loop not the seams from its first to its second iteration while
// others are at their first. These are the seams of the innermost loop if it had two iterations and
// the others one.
#pragma once

#include <cstdint>
#include <vector>

#include "dram_pim/rows/bank_sharing.hpp"
#include "dram_pim/rows/offset_counts.hpp"
#include "dram_pim/rows/row_lines.hpp"
#include "dram_pim/rows/stream.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::rows {

/// Counts the streams of one moved tile under one layout, for any order of their loops. Reuses
/// scratch memory between calls, so every thread needs its own object.
class ActivationCounter {
 public:
  /// `tile`: the tile that moves; `rb_tile`: the cumulative tile at the row buffer; `block`: the
  /// block of a row-aligned input.
  ActivationCounter(const Architecture& architecture, const Workload& workload, Tensor t,
                    Layout layout, const Factors& tile, const Factors& rb_tile,
                    const Block& block = {});

  /// N_act. `loops` move the tile, outermost first (Stream); `repeats` moves at every position.
  Int128 activations(const std::vector<MoveLoop>& loops, Int128 repeats = 1);
  /// The same in a shared bank, of a tile that moves at every iteration of `loops`.
  Int128 activations(const std::vector<MoveLoop>& loops, const Kept& kept);

 private:
  struct Line {
    RowLine is;
    StepFunction one_row;   ///< 1 if the tile touches one row at the offset, else 0
    OffsetCounts starts;    ///< of the loops added so far
    std::int64_t wrap = 1;  ///< W of the loops that are not yet added

    void restart(const std::vector<MoveLoop>& loops);
    [[nodiscard]] std::int64_t advance(const MoveLoop& loop) const;
    /// Seams of `loop`, by position on this line, at which a row stays open; adds the loop.
    std::int64_t seams_kept(const MoveLoop& loop);
  };

  [[nodiscard]] bool acts_on_a_line(const MoveLoop& loop) const;
  /// Moves that find their first row open, at the seams of the loops from `from` on; adds all loops
  /// to the lines.
  Int128 kept_rows(const std::vector<MoveLoop>& loops, std::size_t from);
  /// Rows of all moves to one position each, once kept_rows() has added the loops.
  [[nodiscard]] Int128 all_rows() const;

  RowLines geometry_;
  std::vector<Line> lines_;
  Int128 others_ = 1;  // trips of the loops added so far that act on no line
};

/// N_act of tensor `t`, whatever else is in its bank.
Int128 count_activations(const Architecture& architecture, const Workload& workload,
                         const Mapping& mapping, Tensor t);

}  // namespace pimbb::dram_pim::rows
