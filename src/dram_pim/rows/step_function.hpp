// Functions of an offset that are constant except for a few steps.
//
// The number of rows that a tile touches changes only at the offsets where one of its runs begins
// to reach into the next row: a few offsets, for rows of any length.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace pimbb::dram_pim::rows {

struct StepFunction {
  struct Piece {
    std::int64_t from;  ///< the piece ends where the next one begins
    std::int64_t value;
  };
  std::vector<Piece> pieces;  ///< ascending; the first begins at offset 0

  [[nodiscard]] std::int64_t at(std::int64_t offset) const {
    const auto next =
        std::upper_bound(pieces.begin(), pieces.end(), offset,
                         [](std::int64_t o, const Piece& piece) { return o < piece.from; });
    return std::prev(next)->value;
  }
};

}  // namespace pimbb::dram_pim::rows
