// Sums of at most 62 bits times, as make_partition() has checked for networks that have room.
#include "crossbar/assign/bounds.hpp"

#include "exact/int128.hpp"

namespace pimbb::crossbar::assign {
namespace {

std::int64_t least_cycles(const Problem& problem) {
  std::int64_t enough = 1;  // one window at a time has room
  for (const Family& family : problem.families) enough = std::max(enough, family.windows);
  std::int64_t least = 1;
  while (least < enough) {
    const std::int64_t middle = least + (enough - least) / 2;
    if (problem.has_room(problem.least_replication(middle))) {
      enough = middle;
    } else {
      least = middle + 1;
    }
  }
  return least;
}

/// The cores that are left to nodes narrower than a width, and what these nodes need there.
struct Beside {
  std::int64_t cores = 0;
  Int128 crossbars = 0;
  Int128 work = 0;

  [[nodiscard]] bool has_room(const Problem& problem) const {
    return cores >= 0 && crossbars <= Int128{cores} * problem.crossbars;
  }
};

/// Nothing if a narrow array group fits beside as many wide ones as a core holds.
std::optional<Beside> beside(const Problem& problem, std::int64_t width, const Needs& needs) {
  const std::int64_t most = problem.crossbars / width;
  const std::int64_t rest = problem.crossbars % width;
  Beside result;
  std::int64_t count = 0;
  for (std::size_t v = 0; v < needs.groups.size(); ++v) {
    const ArrayNode& array = problem.p.arrays[v];
    if (array.width >= width) {
      count += needs.groups[v];
      continue;
    }
    if (array.width <= rest) return std::nullopt;
    result.crossbars += Int128{needs.groups[v]} * array.width;
    result.work += needs.work[v];
  }
  result.cores = std::min(problem.cores, most * problem.cores - count);
  return result;
}

}  // namespace

std::vector<NarrowCores> narrow_cores(const Problem& problem,
                                      const std::vector<std::int64_t>& groups) {
  const Needs needs{groups, std::vector<std::int64_t>(groups.size(), 0)};
  std::vector<NarrowCores> all;
  for (const ArrayNode& wide : problem.p.arrays) {
    if (std::ranges::count(all, wide.width, &NarrowCores::width) > 0) continue;
    if (const auto narrow = beside(problem, wide.width, needs)) {
      all.push_back({wide.width, narrow->cores});
    }
  }
  return all;
}

std::optional<std::int64_t> mandatory_bound(const Problem& problem, const Needs& needs) {
  std::int64_t bound = 0;
  for (const ArrayNode& wide : problem.p.arrays) {
    const std::optional<Beside> narrow = beside(problem, wide.width, needs);
    if (!narrow) continue;
    if (!narrow->has_room(problem)) return std::nullopt;
    if (narrow->work == 0) continue;
    const Int128 each = (narrow->work + narrow->cores - 1) / narrow->cores;
    bound = std::max(bound, problem.a.mvm.interval * static_cast<std::int64_t>(each));
  }
  return bound;
}

std::optional<std::int64_t> refuting_width(const Problem& problem, const Needs& needs,
                                           std::optional<std::int64_t> deadline) {
  for (const ArrayNode& wide : problem.p.arrays) {
    const std::optional<Beside> narrow = beside(problem, wide.width, needs);
    if (!narrow) continue;
    if (!narrow->has_room(problem)) return wide.width;
    if (!deadline) continue;
    const Int128 each = *deadline / problem.a.mvm.interval;  // multiplications that a core starts
    if (narrow->work > narrow->cores * each) return wide.width;
  }
  return std::nullopt;
}

std::optional<ThroughputBounds> throughput_bounds(const Problem& problem) {
  if (!problem.has_room(std::vector<std::int64_t>(problem.families.size(), 1))) return std::nullopt;
  Needs needs;
  std::int64_t load = 0;
  for (const ArrayNode& array : problem.p.arrays) {
    needs.groups.push_back(array.groups);
    needs.work.push_back(array.groups * array.windows);
    load += needs.work.back();
  }
  const std::optional<std::int64_t> mandatory = mandatory_bound(problem, needs);
  if (!mandatory) return std::nullopt;
  ThroughputBounds bounds;
  bounds.load = problem.a.mvm.interval * ceil_div(load, problem.cores);
  bounds.cycles = problem.a.mvm.time * least_cycles(problem);
  bounds.mandatory = *mandatory;
  return bounds;
}

}  // namespace pimbb::crossbar::assign
