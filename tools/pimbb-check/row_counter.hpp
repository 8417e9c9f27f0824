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

/// Of one tensor under one layout, for any order of loops.
class RowCounter {
 public:
  /// A sequential tensor.
  RowCounter(const Problem& p, std::size_t t, const Factors& tile);
  /// A row-aligned one; `block` of the input.
  RowCounter(const Problem& p, std::size_t t, const Factors& tile, const Factors& row_tile,
             const Block& block);

  [[nodiscard]] Count rows(const Stream& stream) const;

 private:
  struct Line {
    std::int64_t row, span;
    Factors step;                    // per iteration of a dimension that advances by one
    std::vector<std::int64_t> rows;  // touched, by offset
  };
  struct Starts;
  void add_line(std::int64_t row, const Box& box, const Factors& step);

  std::size_t t_;
  std::vector<Line> lines_;
  Factors group_{};  // row-buffer tile in the dimensions of a group; 0: none
};

}  // namespace pimbb_check
