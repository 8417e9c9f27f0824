// Common denominators, ranges and limits.
#include "units.hpp"

#include <algorithm>

namespace pimbb_check::cim {
namespace {

std::int64_t whole(const Rational& value, const cpp_int& unit) {
  return scaled<std::int64_t>(value, unit);
}

cpp_int floor_of(const Rational& value) { return numerator(value) / denominator(value); }
cpp_int ceiling_of(const Rational& value) {
  return (numerator(value) + denominator(value) - 1) / denominator(value);
}

}  // namespace

/// Serial execution bounds all semantics: a transfer counts at most four times its time and some
/// cycles of rounding for each firing, and its firings times its tile are at most the iterations
/// of the whole layer. There is one transfer for each tensor and level, and one past the DRAM.
Units::Units(const Problem& p) {
  cpp_int cycles = 1;
  for (const Level& level : p.levels) {
    cycles = lcm(cycles, cpp_int(level.bandwidth));
    energy = lcm(energy, cpp_int(denominator(level.read)));
    energy = lcm(energy, cpp_int(denominator(level.write)));
  }
  energy = lcm(energy, cpp_int(denominator(p.activation_energy)));
  energy = lcm(energy, cpp_int(denominator(p.leakage)));
  cycle = narrow<std::int64_t>(cycles);
  product = times(p.product_cycles(), cycle);
  activation = whole(p.activation_energy, energy);
  leakage = whole(p.leakage, energy);
  std::int64_t dearest = std::max<std::int64_t>(activation, 1);
  for (std::size_t m = 0; m < p.levels.size(); ++m) {
    bit[m] = cycle / p.levels[m].bandwidth;
    read[m] = whole(p.levels[m].read, energy);
    write[m] = whole(p.levels[m].write, energy);
    dearest = std::max({dearest, read[m], write[m]});
  }
  cpp_int iterations = 1;
  for (const std::int64_t bound : p.bounds) {
    iterations *= p.padding == Padding::ceil ? 2 * cpp_int(bound) - 1 : cpp_int(bound);
  }
  const std::int64_t bits = std::max({p.bits[0], p.bits[1], p.bits[2], p.psum_bits});
  const cpp_int moves = cpp_int(12 * (p.levels.size() + 1)) * (bits + 2);
  const cpp_int time = iterations * (moves * cycle + product);
  const cpp_int total = iterations * moves * 2 * dearest * cycle + time * leakage;
  require(time < cpp_int(1) << 61 && total < cpp_int(1) << 122, "a number is out of range");
}

Claim::Claim(const Problem& p, const Units& units) : p_(p), units_(units) {
  weigh();
  for (const auto& [goal, most] : p.at_most) {
    limits_.push_back(above(goal, most));
    with_energy_ = with_energy_ || goal != Goal::latency;
  }
}

void Claim::weigh() {
  // alpha * latency / cycle + beta * total / (cycle * energy), in a common unit
  const cpp_int common = lcm(cpp_int(denominator(p_.alpha)), cpp_int(denominator(p_.beta)));
  blend_scale_ = common * units_.cycle * units_.energy;
  const cpp_int alpha = numerator(Rational(p_.alpha * common * units_.energy));
  const cpp_int beta = numerator(Rational(p_.beta * common));
  const bool blended =
      std::ranges::count(p_.goals, Goal::blended) > 0 ||
      std::ranges::any_of(p_.at_most, [](const auto& cap) { return cap.first == Goal::blended; });
  if (!blended) return;
  require(alpha < cpp_int(1) << 127 && beta < cpp_int(1) << 127, "a number is out of range");
  alpha_ = alpha.convert_to<Int256>();
  beta_ = beta.convert_to<Int256>();
}

Rational Claim::scale(Goal goal) const {
  switch (goal) {
    case Goal::latency: return units_.cycle;
    case Goal::energy: return cpp_int(units_.cycle * units_.energy);
    case Goal::edp: return cpp_int(units_.energy * units_.cycle * units_.cycle);
    default: return blend_scale_;
  }
}

void Claim::begin(Goal goal, const Rational& optimum) {
  if (current_) {  // what exceeds it closes from now on
    limits_.back() = above(current_->first, current_->second);
  }
  current_.emplace(goal, optimum);
  limits_.push_back(at_least(goal, ceiling_of(optimum * scale(goal))));
  with_energy_ = with_energy_ || goal != Goal::latency;
}

void Claim::add_point(const Rational& latency, const Rational& energy) {
  const auto least = [&](Goal goal, const Rational& value) {
    return at_least(goal, ceiling_of(value * scale(goal))).least;
  };
  points_.push_back({least(Goal::latency, latency), least(Goal::energy, energy)});
  with_energy_ = true;
}

Claim::Limit Claim::above(Goal goal, const Rational& most) const {
  return at_least(goal, floor_of(most * scale(goal)) + 1);
}

Claim::Limit Claim::at_least(Goal goal, const cpp_int& value) const {
  Limit limit{goal, 0, {}, 0};
  switch (goal) {
    case Goal::edp: {
      const cpp_int most = (cpp_int(1) << 192) - 1;  // above every product
      const cpp_int kept = std::min(value, most);
      limit.least_product = {static_cast<UInt128>(cpp_int(kept >> 64)),
                             static_cast<std::uint64_t>(cpp_int(kept & ~std::uint64_t{0}))};
      break;
    }
    case Goal::blended: {
      const cpp_int most = (cpp_int(1) << 254) - 1;
      limit.least_blend = cpp_int(std::min(value, most)).convert_to<Int256>();
      break;
    }
    default: {
      const cpp_int most = (cpp_int(1) << 126) - 1;
      limit.least = cpp_int(std::min(value, most)).convert_to<Int128>();
    }
  }
  return limit;
}

bool Claim::reaches(const Limit& limit, Time latency, Int128 total) const {
  switch (limit.goal) {
    case Goal::latency: return latency >= limit.least;
    case Goal::energy: return total >= limit.least;
    case Goal::edp: {
      const auto energy = static_cast<UInt128>(total);
      const auto time = static_cast<std::uint64_t>(latency);
      const UInt128 low = UInt128{static_cast<std::uint64_t>(energy)} * time;
      const UInt128 high = (energy >> 64) * time + (low >> 64);
      return Product{high, static_cast<std::uint64_t>(low)} >= limit.least_product;
    }
    default: {
      const Int256 value = alpha_ * Int256(latency) + beta_ * Int256(total);
      return value >= limit.least_blend;
    }
  }
}

}  // namespace pimbb_check::cim
