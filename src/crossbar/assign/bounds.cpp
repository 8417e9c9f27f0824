// Sums of at most 62 bits times, as make_partition() has checked for networks that have room.
#include "crossbar/assign/bounds.hpp"

namespace pimbb::crossbar::assign {
namespace {

std::int64_t least_cycles(const Problem& problem) {
  std::int64_t enough = 1;  // one window at a time has room
  for (const Family& family : problem.families) enough = std::max(enough, family.windows);
  std::int64_t least = 1;
  while (least < enough) {
    const std::int64_t middle = least + (enough - least) / 2;
    std::vector<std::int64_t> replication;
    for (const Family& family : problem.families) {
      replication.push_back(ceil_div(family.windows, middle));
    }
    if (problem.has_room(replication)) {
      enough = middle;
    } else {
      least = middle + 1;
    }
  }
  return least;
}

}  // namespace

std::optional<std::int64_t> mandatory_bound(const Problem& problem,
                                            const std::vector<std::int64_t>& groups,
                                            const std::vector<std::int64_t>& work) {
  const std::vector<ArrayNode>& arrays = problem.p.arrays;
  std::int64_t narrowest = problem.crossbars;
  for (const ArrayNode& array : arrays) narrowest = std::min(narrowest, array.width);
  std::int64_t bound = 0;
  for (const ArrayNode& wide : arrays) {
    const std::int64_t most = problem.crossbars / wide.width;
    if (narrowest < wide.width && most * wide.width + narrowest <= problem.crossbars) continue;
    std::int64_t count = 0;
    std::int64_t narrow = 0;
    std::int64_t rest = 0;
    for (std::size_t v = 0; v < arrays.size(); ++v) {
      if (arrays[v].width >= wide.width) {
        count += groups[v];
      } else {
        narrow += groups[v];
        rest += work[v];
      }
    }
    const std::int64_t left = std::min(problem.cores, most * problem.cores - count);
    if (left < 0 || narrow > left * problem.crossbars) return std::nullopt;
    if (rest > 0) bound = std::max(bound, problem.a.mvm.interval * ceil_div(rest, left));
  }
  return bound;
}

std::optional<ThroughputBounds> throughput_bounds(const Problem& problem) {
  if (!problem.has_room(std::vector<std::int64_t>(problem.families.size(), 1))) return std::nullopt;
  std::vector<std::int64_t> groups;
  std::vector<std::int64_t> work;
  std::int64_t load = 0;
  for (const ArrayNode& array : problem.p.arrays) {
    groups.push_back(array.groups);
    work.push_back(array.groups * array.windows);
    load += work.back();
  }
  const std::optional<std::int64_t> mandatory = mandatory_bound(problem, groups, work);
  if (!mandatory) return std::nullopt;
  ThroughputBounds bounds;
  bounds.load = problem.a.mvm.interval * ceil_div(load, problem.cores);
  bounds.cycles = problem.a.mvm.time * least_cycles(problem);
  bounds.mandatory = *mandatory;
  return bounds;
}

}  // namespace pimbb::crossbar::assign
