// The bound of the simulated time. The last multiplication of a core starts when all others have
// started, `interval` after each other, and takes `time`. The array groups of a replica multiply
// for one window after another. Every replica loads all rows for its first window, and fewer for
// later ones: one replica loads least.
#include <algorithm>

#include "crossbar/assign/bounds.hpp"
#include "crossbar/assign/estimate_bounds.hpp"
#include "pimbb/crossbar/fastest.hpp"

namespace pimbb::crossbar {

SimulatedBound simulated_bound(const Architecture& architecture, const Partition& partition,
                               Mode mode) {
  const assign::Problem problem(architecture, partition);
  SimulatedBound bound;
  bound.memory = assign::ceil_div(assign::least_busy(problem, mode).memory, architecture.chips);
  const auto counted = assign::throughput_bounds(problem);
  if (!counted) return bound;
  const Mvm& mvm = architecture.mvm;
  bound.multiplications = std::max(counted->load, counted->mandatory) - mvm.interval + mvm.time;
  bound.windows = counted->cycles;
  return bound;
}

}  // namespace pimbb::crossbar
