// Row activations of the model `trace`, counted.
//
// A stream moves a tile from position to position. A move opens all rows that the tile touches
// there, but for the first one if the move before has ended in it. Moves that follow each other are
// told apart by the loop that steps between them. At such a *seam* the loops outside stand still
// and those inside wrap around, so where the earlier move ends lies at a fixed distance from where
// the later one starts: whether both are in one row depends on the start modulo the row alone. How
// many starts there are at each residue is known loop by loop from the outside.
//
// In a row-aligned layout the row is a group, the row-buffer tile's index (of the input: its index
// in N, G and C), and for the input a block: what rows are to addresses, blocks are to the height
// and to the width of the plane. Loops at the DRAM change the group whenever they step or wrap, and
// what holds for height and width must hold for both.
//
// Tensors that share a bank close each other's rows. A tile moves at every step of the outermost
// loops down to some place, its *reach*, when the loops further in begin; tensors that move at the
// same step do so one after the other, input, weight, output. Between two moves of t another tensor
// u of its bank moves too, unless the reach of t is the longer one and
//     u is before t: the seam is at a loop beyond the reach of u (else u moves right before the
//     later move of t); u is after t: not all loops beyond the reach of u begin at the earlier move
//     of t (else u moves right after it), which can only be at seams of t's innermost loop.
#pragma once

#include "addresses.hpp"

namespace pimbb_check {

struct MoveLoop {
  std::size_t dim;
  std::int64_t trips;    // > 1
  std::int64_t advance;  // of the dimension per iteration
};

struct Stream {
  Factors tile{};               // what is moved
  std::vector<MoveLoop> loops;  // outermost first
  bool again = false;           // moves in every iteration, else when a relevant index changes
};

/// How many loops move a tensor, from the outermost on.
std::size_t reach(std::size_t t, const Stream& stream);

/// What the other tensors of a bank leave of a tensor's seams.
struct Mates {
  bool none = true;                  // it has the bank for itself
  bool longer = false;               // one of them moves at least as often
  std::size_t before = 0;            // the longest reach of those before it
  std::optional<std::size_t> after;  // of those after it
};
Mates mates(const Problem& p, std::size_t t, const PerTensor<std::size_t>& reach);

/// Of one tensor under one layout, for any order of loops.
class RowCounter {
 public:
  /// A sequential tensor; `channels_last`: of the input.
  RowCounter(const Problem& p, std::size_t t, const Factors& tile, bool channels_last);
  /// A row-aligned one; `block` of the input.
  RowCounter(const Problem& p, std::size_t t, const Factors& tile, const Factors& row_tile,
             const Block& block);

  [[nodiscard]] Count rows(const Stream& stream, const Mates& mates) const;

 private:
  struct Line {
    std::int64_t row, span;
    Factors step;                    // per iteration of a dimension that advances by one
    std::vector<std::int64_t> rows;  // touched, by offset
  };
  struct Starts;
  struct Sums {
    Count kept = 0;    // moves that find their first row open
    Count rows = 0;    // of all moves
    Count single = 0;  // moves of one row
  };
  /// Over all seams of `loops` from the loop `from` on.
  [[nodiscard]] Sums count(const std::vector<MoveLoop>& loops, std::size_t from) const;
  [[nodiscard]] Count rows_alone(const Stream& stream) const;
  void add_line(std::int64_t row, const Box& box, const Factors& step);

  std::size_t t_;
  std::vector<Line> lines_;
  Factors group_{};  // row-buffer tile in the dimensions of a group; 0: none
};

}  // namespace pimbb_check
