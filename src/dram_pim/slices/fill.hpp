// How much of an extent of the PE array the divisors of loop bounds can fill.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "pimbb/dims.hpp"

namespace pimbb::dram_pim::slices {

/// A set of dimensions, one bit each.
using DimSet = unsigned;
constexpr DimSet set_of(Dim d) { return 1U << index(d); }

/// The largest product of divisors, one of each bound in `dims`, that is at most `extent`: the most
/// that spatial factors of these dimensions can reach in one direction.
std::int64_t largest_fill(std::int64_t extent, DimSet dims, const Factors& bounds);

}  // namespace pimbb::dram_pim::slices
