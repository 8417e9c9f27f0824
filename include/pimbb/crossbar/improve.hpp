// A local search on the simulated time of a mapping, which no estimate predicts.
//
// Batches of random neighbours of the best mapping so far are simulated, and the fastest one takes
// its place unless it is slower. Neighbours move or exchange array groups, or change replications.
// A neighbour whose transfers or multiplications alone take longer is not simulated, and a
// simulation ends when it is slower than the best mapping.
#pragma once

#include <cstdint>

#include "pimbb/crossbar/mapping.hpp"
#include "pimbb/crossbar/schedule.hpp"
#include "pimbb/run_limits.hpp"

namespace pimbb::crossbar {

struct ImproveOptions {
  Mode mode = Mode::ht;
  std::uint64_t seed = 1;
  std::int64_t bound = 0;  ///< ns, below which no mapping is known to be: it ends the search
};

struct Improvement {
  Mapping mapping;                ///< legal, and never slower than the given one
  std::int64_t given_time = 0;    ///< ns, simulated
  std::int64_t time = 0;          ///< ns, simulated
  std::uint64_t simulations = 0;  ///< also those that ended early
  std::uint64_t neighbours = 0;   ///< drawn, legal
};

/// Simulations where no limit is given.
inline constexpr std::uint64_t kDefaultSimulations = 400;

/// `limits.node_limit` counts simulations, and so does Progress::nodes; the answer depends neither
/// on the number of threads nor on timing unless a time limit or an interruption ends the search,
/// which then returns the best mapping so far. Throws InputError if the mapping breaks a rule,
/// LimitError if not even the given mapping can be simulated within the limits.
Improvement improve(const Architecture& architecture, const Partition& partition,
                    const Mapping& mapping, const ImproveOptions& options = {},
                    const RunLimits& limits = {});

}  // namespace pimbb::crossbar
