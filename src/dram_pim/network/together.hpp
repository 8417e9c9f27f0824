// Several layers solved at the same time.
//
// Most searches of a network's layers are over in milliseconds, too short to gain from a second
// thread inside; one beside the other they gain.
#pragma once

#include <functional>
#include <vector>

#include "pimbb/dram_pim/solver.hpp"

namespace pimbb::dram_pim::network {

/// Layers solved at a time; each may then take this part of the memory limit.
inline constexpr std::size_t kTogether = 4;

/// Calls `solve(k, own)` for every k < count, from as many threads as `limits` say; `own` are these
/// limits with a share of the memory and no progress told, whose lines would be those of many; a
/// call that throws LimitError (it may have been too little) is repeated alone, with all of it. The
/// first exception of any other kind, by k, is thrown on.
void each_together(const RunLimits& limits, std::size_t count,
                   const std::function<void(std::size_t, const RunLimits&)>& solve);

/// What `solve(k, own)` returns for every k < count.
std::vector<Solution> solve_together(
    const RunLimits& limits, std::size_t count,
    const std::function<Solution(std::size_t, const RunLimits&)>& solve);

}  // namespace pimbb::dram_pim::network
