// Cycles of a core from the last to the first: the number of groups that are still active.
#include "crossbar/cost/throughput.hpp"

#include <algorithm>
#include <utility>

#include "crossbar/partition/placement.hpp"

namespace pimbb::crossbar::cost {

std::int64_t core_time(const Architecture& a, const Partition& p, const Mapping& mapping,
                       const std::vector<Share>& core) {
  std::vector<std::pair<std::int64_t, std::int64_t>> steps;  // cycles, groups
  for (const Share& share : core) {
    steps.emplace_back(partition::cycles(p.arrays[share.array], mapping.replication[share.array]),
                       share.groups);
  }
  std::ranges::sort(steps, std::greater<>{});
  std::int64_t time = 0;
  std::int64_t active = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    active += steps[i].second;
    const std::int64_t until = i + 1 < steps.size() ? steps[i + 1].first : 0;
    time += (steps[i].first - until) * std::max(active * a.mvm.interval, a.mvm.time);
  }
  return time;
}

std::vector<std::int64_t> core_times(const Architecture& a, const Partition& p,
                                     const Mapping& mapping) {
  std::vector<std::int64_t> times;
  for (const auto& core : mapping.cores) times.push_back(core_time(a, p, mapping, core));
  return times;
}

}  // namespace pimbb::crossbar::cost
