// Good mappings for `ht` where a multiplication takes as long as the starts of several.
//
// With k = time / interval, a core whose array groups have the cycles g_1 >= g_2 >= ... takes
//
//     interval * (k * g_1 + g_(k+1) + g_(k+2) + ...)
//
// because a cycle of fewer than k array groups takes as long as one of k. Nothing is lost if the
// first k have equal cycles, the level of the core. So each core gets k array groups of its level;
// the others go, those of most cycles first, to the core of least time whose level is as high. Some
// families have so few cycles that their array groups, the last ones, fill up every core.
#pragma once

#include <cstdint>
#include <optional>

#include "crossbar/assign/problem.hpp"
#include "exact/splitmix64.hpp"

namespace pimbb::crossbar::assign {

/// Whether levels matter: a core of one array group waits for its multiplications.
bool has_levels(const Problem& problem);

/// Of several replications and levels that are drawn, what takes least time beyond the deadline,
/// summed over cores; nothing if none has room. Replicas have `idle` multiplications without a
/// window at most.
std::optional<Mapping> dealt_by_levels(const Problem& problem, std::int64_t deadline,
                                       std::int64_t idle, SplitMix64& random);

}  // namespace pimbb::crossbar::assign
