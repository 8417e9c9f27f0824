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

/// The largest integer that is not above `value` >= 0; infinity if that has more than 256 bits.
Wide largest_below(const Rational& value) {
  const boost::multiprecision::cpp_rational exact(value.to_string());
  const cpp_int whole = numerator(exact) / denominator(exact);
  if ((whole >> 256) != 0) return Wide::infinity();
  const auto half = [](const cpp_int& x) {
    const cpp_int low = x & ~std::uint64_t{0};
    return (static_cast<UInt128>(cpp_int(x >> 64).convert_to<std::uint64_t>()) << 64) +
           low.convert_to<std::uint64_t>();
  };
  const cpp_int low = whole & ((cpp_int(1) << 128) - 1);
  return {half(whole >> 128), half(low)};
}

}  // namespace

Target::Target(const cost::Units& units, const Question& question, Goal goal)
    : units_(units), goal_(goal) {
  const bool blended = std::ranges::count(question.objective.goals, Goal::blended) > 0 ||
                       std::ranges::count(question.caps, Goal::blended, &GoalCap::goal) > 0;
  if (blended) weigh(question.objective);
  for (const GoalCap& cap : question.caps) {
    add_cap(cap.goal, largest_below(cap.most / unit_of(cap.goal)));
  }
}

void Target::weigh(const Objective& objective) {
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
  alpha_ = Int128{*alpha} * units_.energy;
  beta_ = *beta;
  blend_unit_ = Rational(1) / Rational(unit) / Rational(units_.energy) / Rational(units_.cycle);
}

Rational Target::unit_of(Goal goal) const {
  const Rational cycle = Rational(1) / Rational(units_.cycle);
  const Rational energy = Rational(1) / Rational(units_.energy);
  switch (goal) {
    case Goal::latency: return cycle;
    case Goal::energy: return cycle * energy;
    case Goal::edp: return cycle * cycle * energy;
    default: return blend_unit_;
  }
}

Exchange Target::exchange(Time latency, Int128 total, const Wide& cutoff) const {
  if (!caps_.empty() || goal_ == Goal::latency || latency <= 0 || total <= 0) return {};
  const cpp_int leakage = units_.leakage;
  std::optional<cpp_int> most = leakage;  // in units of total energy, times `part`
  cpp_int least = leakage;
  cpp_int part = 1;
  if (goal_ == Goal::blended) {
    if (beta_ == 0) return {};
    part = big(Wide::from(beta_));
    most = least = leakage * part + big(Wide::from(alpha_));
  } else if (goal_ == Goal::edp) {
    const cpp_int z = big(cutoff);
    const cpp_int square = big(Wide::product(latency, latency));
    most.reset();
    if (cutoff < Wide::infinity()) *(most = leakage) += (z + square - 1) / square;
    least += big(Wide::product(total, total)) / z;
  }
  const cpp_int unit = part * units_.cycle;
  const cpp_int limit = std::int64_t{1} << 62;
  Exchange exchange;
  least /= unit;
  exchange.least = static_cast<std::int64_t>(std::min(least, limit));
  if (most && *most < limit * unit) {
    exchange.most = static_cast<std::int64_t>((*most + unit - 1) / unit);
  }
  return exchange;
}

Rational Target::unscaled(const Wide& value) const {
  return make_rational(boost::multiprecision::cpp_rational(big(value))) * unit_of(goal_);
}

Wide Target::scaled_floor(const Rational& value) const {
  return largest_below(value / unit_of(goal_));
}

bool Target::uses_energy() const {
  const auto uses = [](Goal goal) { return goal != Goal::latency; };
  return uses(goal_) ||
         std::ranges::any_of(caps_, [&](const auto& cap) { return uses(cap.first); });
}

}  // namespace pimbb::cim::mapper
