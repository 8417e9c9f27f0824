// Values and bounds of goals on scaled integers.
#include "dram_pim/mapper/target.hpp"

#include <algorithm>

#include "exact/rational_impl.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

cpp_int big(const Wide& value) { return (cpp_int(value.high) << 128) + cpp_int(value.low); }

Wide wide(const cpp_int& value) {
  const cpp_int low_half = (cpp_int(1) << 128) - 1;
  if ((value >> 256) != 0) return Wide::infinity();
  return {cpp_int(value >> 128).convert_to<UInt128>(),
          cpp_int(value & low_half).convert_to<UInt128>()};
}

Int128 clamp(const cpp_int& value) {
  if (value < 0) return -1;
  return value >= cpp_int(kInfinity) ? kInfinity : value.convert_to<Int128>();
}

/// The weights of a blend as integers over a common denominator `unit`:
/// alpha * l / L + beta * e / E with l, e in units of 1/L, 1/E.
struct BlendWeights {
  cpp_int alpha;
  cpp_int beta;
  cpp_int unit;

  BlendWeights(const Scale& scale, const Objective& objective) {
    const cpp_rational a = objective.alpha.impl().value / cpp_int(scale.latency_unit);
    const cpp_rational b = objective.beta.impl().value / cpp_int(scale.energy_unit);
    unit = lcm(denominator(a), denominator(b));
    alpha = numerator(cpp_rational(a * unit));
    beta = numerator(cpp_rational(b * unit));
  }
  [[nodiscard]] bool fit() const { return alpha < cpp_int(kInfinity) && beta < cpp_int(kInfinity); }
};

}  // namespace

bool Target::weights_fit(const Scale& scale, const Objective& objective) {
  return BlendWeights(scale, objective).fit();
}

Target::Target(const Scale& scale, const Objective& objective, Goal goal)
    : scale_(scale), goal_(goal) {
  const BlendWeights weights(scale, objective);
  if (!weights.fit()) {
    throw InputError("objective: alpha " + objective.alpha.to_string() + " and beta " +
                     objective.beta.to_string() +
                     " need more than 126 bits over their common denominator; allowed are weights "
                     "with fewer digits");
  }
  alpha_ = weights.alpha.convert_to<Int128>();
  beta_ = weights.beta.convert_to<Int128>();
  blend_unit_ = make_rational(cpp_rational(weights.unit));
}

Int128 Target::latency_cap() const {
  Int128 cap = kInfinity;
  for (const auto& [goal, value] : caps_) {
    if (goal == Goal::latency) cap = std::min(cap, static_cast<Int128>(value.low));
  }
  return cap;
}

std::optional<Wide> Target::own_cap() const {
  std::optional<Wide> cap;
  for (const auto& [goal, value] : caps_) {
    if (goal == goal_ && (!cap || value < *cap)) cap = value;
  }
  return cap;
}

Wide Target::trade_off(Goal goal, Int128 latency, Int128 energy) const {
  if (goal == Goal::edp) return Wide::product(latency, energy);
  return Wide::product(alpha_, latency) + Wide::product(beta_, energy);
}

Wide Target::value_of(Goal goal, const Costs& costs) const {
  switch (goal) {
    case Goal::latency: return Wide::from(costs.latency);
    case Goal::energy: return Wide::from(costs.energy);
    case Goal::activations: return Wide::from(costs.activations);
    default: return trade_off(goal, costs.latency, costs.energy);
  }
}

bool Target::keeps_caps(const Costs& costs) const {
  return std::all_of(caps_.begin(), caps_.end(),
                     [&](const auto& cap) { return value_of(cap.first, costs) <= cap.second; });
}

/// `energy` is what is spent already, `energies` what each threshold at least adds. A completion
/// that takes no longer than threshold k, but longer than the one before, spends energies[k].
Wide Target::bound_of(Goal goal, Int128 latency, Int128 energy, const Int128* energies,
                      const std::vector<Int128>& thresholds, Int128 activations) const {
  if (goal == Goal::latency) return Wide::from(latency);
  if (goal == Goal::activations) return Wide::from(activations);
  if (goal == Goal::energy) {  // the last threshold admits the most, and so spends the least
    const Int128 rest = energies[thresholds.size() - 1];
    return rest < kInfinity ? Wide::from(energy + rest) : Wide::infinity();
  }
  Wide best = Wide::infinity();
  Int128 at_least = latency;
  for (std::size_t k = 0; k < thresholds.size(); ++k) {
    if (thresholds[k] < latency) continue;
    if (energies[k] < kInfinity) {
      const Int128 spent = energy + energies[k];
      best = std::min(best, trade_off(goal, at_least, spent));
    }
    at_least = std::max(at_least, thresholds[k]);
  }
  return best;
}

Int128 Target::least_latency(const Sums& sums, const CostToGo::Entry& rest) {
  Int128 latency = std::max(sums.latency, rest.latency());
  for (std::size_t i = 0; i < rest.open_count(); ++i) {
    latency = std::max(latency, sums.open[i] + rest.open(i));
  }
  return latency;
}

std::vector<Costs> Target::corners(const Sums& sums, const CostToGo& cost_to_go,
                                   const CostToGo::Entry& rest, Int128 least_activations) const {
  std::vector<Costs> found;
  const Int128 latency = least_latency(sums, rest);
  if (latency >= kInfinity) return found;
  for_each_bracket({latency, sums.energy, sums.activations + least_activations}, rest.energies(),
                   cost_to_go.thresholds(), [&](const Costs& least) {
                     if (keeps_caps(least)) found.push_back(least);
                   });
  return found;
}

Wide Target::bound(const Sums& sums, const CostToGo& cost_to_go, const CostToGo::Entry& rest,
                   Int128 least_activations) const {
  const Int128 latency = least_latency(sums, rest);
  const auto& thresholds = cost_to_go.thresholds();
  // Beyond the last threshold nothing is admitted; at infinity there is no completion at all.
  if (latency > thresholds.back() || latency >= kInfinity) return Wide::infinity();
  const Int128* energies = rest.energies();
  const Int128 activations = sums.activations + least_activations;
  for (const auto& [goal, cap] : caps_) {
    if (bound_of(goal, latency, sums.energy, energies, thresholds, activations) > cap) {
      return Wide::infinity();
    }
  }
  if (front_ == nullptr) {
    return bound_of(goal_, latency, sums.energy, energies, thresholds, activations);
  }
  Wide best = Wide::infinity();
  for_each_bracket({latency, sums.energy, activations}, energies, thresholds,
                   [&](const Costs& least) {
                     if (keeps_caps(least)) best = std::min(best, value(least));
                   });
  return best;
}

bool Target::depends_on(bool GoalTraits::*cost) const {
  const auto on_axis = [&](Goal axis) { return traits(axis).*cost; };
  const bool goal = front_ ? std::ranges::any_of(front_->axes(), on_axis) : traits(goal_).*cost;
  return goal || std::any_of(caps_.begin(), caps_.end(),
                             [&](const auto& cap) { return traits(cap.first).*cost; });
}

bool Target::uses_latency() const { return depends_on(&GoalTraits::latency); }

bool Target::uses_energy() const { return depends_on(&GoalTraits::energy); }

bool Target::uses_activations() const { return depends_on(&GoalTraits::activations); }

bool Target::no_worse(const Sums& a, const Sums& b, std::size_t open_count) const {
  if (uses_latency()) {
    if (a.latency > b.latency) return false;
    for (std::size_t i = 0; i < open_count; ++i) {
      if (a.open[i] > b.open[i]) return false;
    }
  }
  return (!uses_energy() || a.energy <= b.energy) &&
         (!uses_activations() || a.activations <= b.activations);
}

Int128 Target::useful_latency(const Wide& incumbent, Int128 least_energy) const {
  if (goal_ == Goal::latency) return clamp(big(incumbent));
  if (goal_ == Goal::edp && least_energy > 0) {
    return clamp(big(incumbent) / cpp_int(least_energy));
  }
  if (goal_ == Goal::blended && alpha_ > 0) {
    return clamp((big(incumbent) - cpp_int(beta_) * cpp_int(least_energy)) / cpp_int(alpha_));
  }
  return kInfinity;
}

Rational Target::unscaled(const Wide& value) const {
  const Rational number = make_rational(cpp_rational(big(value)));
  switch (goal_) {
    case Goal::latency: return number * scale_.latency(1);
    case Goal::energy: return number * scale_.energy(1);
    case Goal::activations: return number * scale_.activations(1);
    case Goal::edp: return number * scale_.latency(1) * scale_.energy(1);
    default: return number / blend_unit_;
  }
}

std::optional<Wide> Target::scaled_floor(const Rational& value) const {
  if (value.sign() < 0) return std::nullopt;
  const cpp_rational units = (value / unscaled(Wide::from(1))).impl().value;
  return wide(numerator(units) / denominator(units));
}

std::optional<Wide> Target::scaled_cap(const Rational& value) const {
  const std::optional<Wide> cap = scaled_floor(value);
  if (!cap || dram_pim::trades_off(goal_)) return cap;
  return std::min(*cap, Wide::from(kInfinity - 1));
}

std::optional<Wide> Target::scaled_below(const Rational& value) const {
  if (value.sign() <= 0) return std::nullopt;
  const cpp_rational units = (value / unscaled(Wide::from(1))).impl().value;
  const Wide most = wide((numerator(units) - 1) / denominator(units));
  return dram_pim::trades_off(goal_) ? most : std::min(most, Wide::from(kInfinity - 1));
}

}  // namespace pimbb::dram_pim::mapper
