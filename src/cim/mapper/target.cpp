// Weights of a blend as integers; values as rationals.
#include "cim/mapper/target.hpp"

#include <algorithm>
#include <numeric>

#include "exact/rational_impl.hpp"
#include "pimbb/error.hpp"

namespace pimbb::cim::mapper {
namespace {

using boost::multiprecision::cpp_int;

cpp_int big(const Wide& value) {
  const auto half = [](UInt128 x) {
    return (cpp_int(static_cast<std::uint64_t>(x >> 64)) << 64) + static_cast<std::uint64_t>(x);
  };
  return (half(value.high) << 128) + half(value.low);
}

}  // namespace

Target::Target(const cost::Units& units, const Objective& objective, Goal goal)
    : units_(units), goal_(goal) {
  const bool blended = std::ranges::find(objective.goals, Goal::blended) != objective.goals.end();
  if (!blended) return;
  const auto refuse = [] {
    throw InputError(
        "objective: the weights alpha and beta exceed the range of exact arithmetic, allowed are "
        "smaller numerators and denominators");
  };
  const auto a = objective.alpha.denominator();
  const auto b = objective.beta.denominator();
  if (!a || !b) refuse();
  std::int64_t unit = 0;
  if (__builtin_mul_overflow(*a / std::gcd(*a, *b), *b, &unit)) refuse();
  const auto alpha = objective.alpha.in_units(unit);
  const auto beta = objective.beta.in_units(unit);
  if (!alpha || !beta) refuse();
  // alpha * latency / cycle + beta * total / (energy * cycle)
  alpha_ = Int128{*alpha} * units.energy;
  beta_ = *beta;
  blend_unit_ = Rational(1) / Rational(unit) / Rational(units.energy) / Rational(units.cycle);
}

Rational Target::unscaled(const Wide& value) const {
  const Rational number = make_rational(boost::multiprecision::cpp_rational(big(value)));
  const Rational cycle = units_.cycle;
  const Rational energy = units_.energy;
  switch (goal_) {
    case Goal::latency: return number / cycle;
    case Goal::energy: return number / cycle / energy;
    case Goal::edp: return number / cycle / cycle / energy;
    default: return number * blend_unit_;
  }
}

bool Target::uses_energy() const {
  const auto uses = [](Goal goal) { return goal != Goal::latency; };
  return uses(goal_) ||
         std::ranges::any_of(caps_, [&](const auto& cap) { return uses(cap.first); });
}

}  // namespace pimbb::cim::mapper
