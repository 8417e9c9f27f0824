// Where tensors lie in memory, and which rows tiles of them touch. Addresses count units: bytes, or
// bits if elements are packed.
#pragma once

#include "space.hpp"

namespace pimbb_check {

using Count = Int128;

Count product(std::initializer_list<Count> factors);

struct Axis {
  std::int64_t count, stride;  // positions, units apart
};
using Box = std::array<Axis, 5>;  // outermost axis first

/// A tile in the dense tensor t: input N G C H W (N H W G C if its channels are last), weight G K C
/// S R, output N G K Q P: channels of groups stand one group after the other.
Box box(const Problem& p, std::size_t t, const Factors& c, bool channels_last);
/// Units that a tile moves by when a dimension advances by one; 0 where it is irrelevant.
Factors strides(const Problem& p, std::size_t t, bool channels_last);
/// Units from the first element to the last.
std::int64_t span(const Box& box);

/// Rows that a box touches if it starts at offset 0 .. row - 1 of a row.
std::vector<std::int64_t> rows_by_offset(const Box& box, std::int64_t row);
/// No fewer than this, wherever it starts: only gaps of a row or more count.
std::int64_t least_rows(const Box& box, std::int64_t row);
/// How often each offset is hit if every start moves on by `step` trips - 1 times, modulo the row.
std::vector<std::int64_t> swept(const std::vector<std::int64_t>& starts, std::int64_t trips,
                                std::int64_t step);

struct Block {
  std::int64_t h = 0, w = 0;
};
/// Blocks that a row-aligned input may have above the row-buffer tile c.
std::vector<Block> blocks(const Problem& p, const Factors& c);
/// Whether tensor t may be row-aligned above it.
bool may_align(const Problem& p, std::size_t t, const Factors& c);
/// Whether constraints leave every tensor a layout there.
bool has_layouts(const Problem& p, const Factors& c);

}  // namespace pimbb_check
