// The bound of the simulated time. The last multiplication of a core starts when all others have
// started, `interval` after each other, and takes `time`. The array groups of a replica multiply
// for one window after another. Every replica loads all rows for its first window, and fewer for
// later ones: one replica loads least.
#include <algorithm>

#include "crossbar/assign/bounds.hpp"
#include "crossbar/cost/streams.hpp"
#include "pimbb/crossbar/fastest.hpp"

namespace pimbb::crossbar {
namespace {

/// One replica of each node, all in the first core, whether they have room or not.
Mapping one_replica(const Architecture& a, const Partition& p) {
  Mapping mapping;
  mapping.replication.assign(p.arrays.size(), 1);
  mapping.cores.resize(static_cast<std::size_t>(a.all_cores()));
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    mapping.cores.front().push_back({v, p.arrays[v].groups});
  }
  return mapping;
}

std::int64_t memory_bound(const Architecture& a, const Partition& p, Mode mode) {
  const Mapping mapping = one_replica(a, p);
  const auto placements = partition::placements(p, mapping);
  const cost::StreamTimes stream = mode == Mode::ht
                                       ? cost::throughput_stream(a, p, mapping, placements)
                                       : cost::latency_stream(a, p, mapping, placements);
  return assign::ceil_div(stream.sums().memory, a.chips);
}

}  // namespace

SimulatedBound simulated_bound(const Architecture& architecture, const Partition& partition,
                               Mode mode) {
  SimulatedBound bound;
  bound.memory = memory_bound(architecture, partition, mode);
  const auto counted = assign::throughput_bounds(assign::Problem(architecture, partition));
  if (!counted) return bound;
  const Mvm& mvm = architecture.mvm;
  bound.multiplications = std::max(counted->load, counted->mandatory) - mvm.interval + mvm.time;
  bound.windows = counted->cycles;
  return bound;
}

}  // namespace pimbb::crossbar
