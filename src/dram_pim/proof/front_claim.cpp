// Verdicts by the points; brackets of latency between them, in which the points that are fast
// enough say how much energy is too much.
#include "dram_pim/proof/front_claim.hpp"

#include <algorithm>
#include <set>

#include "dram_pim/mapper/cost_to_go.hpp"

namespace pimbb::dram_pim::proof {

using mapper::Costs;
using mapper::kInfinity;

FrontClaim::FrontClaim(const mapper::Scale& scale, const Objective& objective,
                       const std::vector<Costs>& points, const std::vector<GoalCap>& caps)
    : points_(objective.goals),
      // Of axes in the order of Goal: a latency among them comes first.
      target_(scale, objective, points_.axes().front()) {
  for (const Costs& point : points) points_.add(point);
  // Limits that exclude nothing, on the other axes.
  for (const Goal axis : points_.axes().subspan(1)) target_.add_cap(axis, Wide::infinity());
  for (const GoalCap& cap : caps) {
    const mapper::Target limited = target_.with_goal(cap.goal);
    if (const auto most = limited.scaled_cap(cap.most)) target_.add_cap(cap.goal, *most);
  }
}

Verdict FrontClaim::verdict(const Costs& least) const {
  return target_.keeps_caps(least) && !points_.covers(least) ? Verdict::open : Verdict::bound;
}

std::vector<Int128> FrontClaim::thresholds() const {
  std::set<Int128> below;
  if (points_.has(Goal::latency) && points_.axes().size() > 1) {
    for (const Costs& point : points_.points()) {
      if (point.latency > 0) below.insert(point.latency - 1);
    }
  }
  if (target_.latency_cap() < kInfinity) below.insert(target_.latency_cap());
  constexpr std::size_t kMost = mapper::CostToGo::kMaxThresholds - 1;
  const std::vector<Int128> all(below.begin(), below.end());
  const std::size_t count = std::min(all.size(), kMost);
  std::vector<Int128> chosen;
  for (std::size_t k = 0; k < count; ++k) chosen.push_back(all[k * all.size() / count]);
  chosen.push_back(kInfinity);
  return chosen;
}

}  // namespace pimbb::dram_pim::proof
