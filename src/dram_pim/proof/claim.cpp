// Brackets of latency, their thresholds and their verdicts.
#include "dram_pim/proof/claim.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace pimbb::dram_pim::proof {

using mapper::Costs;
using mapper::kInfinity;

void spread(std::set<Int128>& thresholds, Int128 least, Int128 most) {
  const int steps = static_cast<int>(mapper::CostToGo::kMaxThresholds - thresholds.size()) - 1;
  if (most >= kInfinity || most <= least) return;
  const double ratio = to_double(most) / std::max(1.0, to_double(least));
  for (int k = 0; k <= steps; ++k) {
    const double at = std::max(1.0, to_double(least)) * std::pow(ratio, double(k) / steps);
    if (at < 0x1p125) thresholds.insert(std::clamp(static_cast<Int128>(at), least, most));
  }
}

Claim::Claim(const mapper::Scale& scale, const Objective& objective, std::size_t position,
             const Costs& optimum, const Caps& caps)
    : target_(scale, objective, objective.goals[position]),
      goal_(objective.goals[position]),
      optimum_(optimum),
      value_(target_.value(optimum)) {
  for (const auto& [goal, value] : caps) add_cap(goal, value);
  for (std::size_t g = 0; g < position; ++g) {
    const Goal earlier = objective.goals[g];
    add_cap(earlier, target_.value_of(earlier, optimum));
    is_fastest_ = is_fastest_ || earlier == Goal::latency;
  }
}

Claim::Claim(const mapper::Scale& scale, const Objective& objective, const Caps& caps)
    : target_(scale, objective, caps.empty() ? objective.goals.front() : caps.front().first),
      goal_(target_.goal()),
      optimum_{kInfinity, kInfinity, kInfinity},
      value_(Wide::infinity()) {
  for (const auto& [goal, value] : caps) add_cap(goal, value);
}

void Claim::add_cap(Goal goal, const Wide& value) {
  caps_.emplace_back(goal, value);
  target_.add_cap(goal, value);
}

std::optional<std::pair<Goal, Wide>> Claim::traded() const {
  if (dram_pim::trades_off(goal_) && value_ != Wide::infinity()) return std::pair(goal_, value_);
  const auto cap = std::ranges::find_if(
      caps_, [](const auto& capped) { return dram_pim::trades_off(capped.first); });
  return cap == caps_.end() ? std::nullopt : std::optional(*cap);
}

bool Claim::trades_off() const { return !is_fastest_ && traded().has_value(); }

std::vector<Int128> Claim::thresholds(const Costs& least) const {
  std::set<Int128> result{kInfinity};
  if (target_.latency_cap() < kInfinity) result.insert(target_.latency_cap());
  // A better mapping is faster by one unit at least: how much energy is spent then?
  if (goal_ == Goal::latency && !caps_.empty() && optimum_.latency > 0 &&
      optimum_.latency < kInfinity) {
    result.insert(optimum_.latency - 1);
  }
  if (trades_off()) {
    const auto [goal, value] = *traded();
    spread(result, least.latency, target_.with_goal(goal).useful_latency(value, least.energy));
  }
  return {result.begin(), result.end()};
}

Verdict Claim::verdict(const Costs& least) const {
  if (!target_.keeps_caps(least)) return Verdict::cap;
  return target_.value(least) < value_ ? Verdict::open : Verdict::bound;
}

Verdict AnyClaim::judge(const Costs& so_far, const Int128* energies,
                        const std::vector<Int128>& thresholds) const {
  Verdict worst = Verdict::cap;
  Costs least = so_far;
  for (std::size_t k = 0; k < thresholds.size() && worst != Verdict::open; ++k) {
    if (thresholds[k] < so_far.latency || energies[k] >= kInfinity) continue;
    if (k > 0) least.latency = std::max(so_far.latency, thresholds[k - 1] + 1);
    least.energy = so_far.energy + energies[k];
    worst = std::min(worst, verdict(least));
  }
  return worst;
}

}  // namespace pimbb::dram_pim::proof
