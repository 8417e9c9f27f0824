// The mapping of least simulated time: the best one that a search finds, and a proven bound.
//
// No estimate predicts the simulated time, so mappings of several kinds are simulated: those of
// least `ht` and `ll`; those of the rules `puma` and `w0h0`; replicas for several numbers of
// cycles, spread evenly. The fastest one is improved by the local search of
// pimbb/crossbar/improve.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "pimbb/crossbar/improve.hpp"

namespace pimbb::crossbar {

struct Fastest {
  Status status = Status::unknown;  ///< optimal if the time is the bound
  std::optional<Mapping> mapping;
  std::optional<Metrics> metrics;
  std::int64_t time = 0;          ///< ns, simulated, with sums in place
  std::int64_t bound = 0;         ///< ns; proven: no mapping is faster
  std::int64_t start_time = 0;    ///< ns, before the local search
  std::uint64_t starts = 0;       ///< mappings that were simulated before it
  std::uint64_t simulations = 0;  ///< all of them, also those that ended early
  std::string reason;             ///< infeasible: why
  double seconds = 0;
  int threads = 1;
};

/// `limits.node_limit` counts simulations, kDefaultSimulations where no limit is given; of a time
/// limit, a part is for the starts, of which the first is simulated whatever the time. The answer
/// depends neither on the number of threads nor on timing unless a time limit or an interruption
/// ends the search. Throws InputError if the architecture is not valid, LimitError if no mapping
/// fits the memory limit.
Fastest fastest(const Architecture& architecture, const Partition& partition,
                const ImproveOptions& options = {}, const RunLimits& limits = {});

/// ns that the simulation of every legal mapping takes at least, for three reasons.
struct SimulatedBound {
  std::int64_t memory = 0;           ///< loads and stores of one replica each, on all chips
  std::int64_t multiplications = 0;  ///< on all cores, or on those left to narrow nodes
  std::int64_t windows = 0;          ///< of the replicas that have room, one after another
  [[nodiscard]] std::int64_t best() const { return std::max({memory, multiplications, windows}); }
};
SimulatedBound simulated_bound(const Architecture& architecture, const Partition& partition,
                               Mode mode);

}  // namespace pimbb::crossbar
