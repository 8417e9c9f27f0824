// The number of tiles of a sweep that straddle a block edge, in closed form.
//
// Tile i of a sweep starts at offset + i * step. Modulo the block size B the starts are periodic
// with period B / gcd(step, B), and tile i straddles an edge iff
//
//     (offset + i * step) mod B + tile > B.
//
// Counting the i in [0, n) whose residue reaches a threshold T is a difference of two floor sums,
// since [x mod B >= T] = floor((x + B - T) / B) - floor(x / B). A floor sum follows the Euclidean
// algorithm on (step, B): the count takes O(log B) steps for a sweep of any length.
#pragma once

#include <cstdint>

#include "exact/int128.hpp"

namespace pimbb::dram_pim::rows {

/// sum over i in [0, n) of floor((a * i + b) / m); n, a, b >= 0, m >= 1.
Int128 floor_sum(std::int64_t n, std::int64_t m, std::int64_t a, std::int64_t b);

/// Number of tiles i in [0, n) that straddle a block edge; 1 <= tile <= block.
std::int64_t count_crossings(std::int64_t n, std::int64_t step, std::int64_t offset,
                             std::int64_t tile, std::int64_t block);

}  // namespace pimbb::dram_pim::rows
