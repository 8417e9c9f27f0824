// Positions and steps; the flexible factorization of MIREDO (ASP-DAC 2026, alg. 1).
#include "cim/mapper/factor_steps.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "exact/factors.hpp"

namespace pimbb::cim::mapper {
namespace {

/// Distinct partitions of the list into one, two and three parts, told apart by the parts'
/// products; weighted 1, 1/2 and 1/4. Four times that.
std::int64_t flexibility(const std::vector<std::int64_t>& factors) {
  using Parts = std::array<std::int64_t, 3>;
  std::set<Parts> all{{1, 1, 1}};
  for (const std::int64_t factor : factors) {
    std::set<Parts> next;
    for (const Parts& parts : all) {
      for (std::size_t k = 0; k < parts.size(); ++k) {
        Parts more = parts;
        more[k] *= factor;
        std::ranges::sort(more);
        next.insert(more);
      }
    }
    all = std::move(next);
  }
  std::int64_t score = 0;
  for (const Parts& parts : all) {  // ascending: empty parts are 1 and come first
    score += parts[1] == 1 ? 4 : parts[0] == 1 ? 2 : 1;
  }
  return score;
}

/// The divisors of the extent, and a step from each to every one of its multiples.
std::vector<FactorSteps::Position> divisor_positions(std::int64_t extent, bool primes_only) {
  const std::vector<std::int64_t> divisors = divisors_of(extent);
  std::vector<FactorSteps::Position> positions(divisors.size());
  for (std::size_t i = 0; i < divisors.size(); ++i) {
    positions[i].done = divisors[i];
    for (std::size_t j = i + 1; j < divisors.size(); ++j) {
      if (divisors[j] % divisors[i] != 0) continue;
      const std::int64_t factor = divisors[j] / divisors[i];
      const bool prime = is_prime(factor);
      if (prime || !primes_only) {
        positions[i].steps.push_back({factor, static_cast<std::uint16_t>(j), prime});
      }
    }
  }
  return positions;
}

/// The parts of a list of factors. Parts differ if they have different numbers of some factor.
std::vector<FactorSteps::Position> list_positions(const std::vector<std::int64_t>& factors) {
  std::vector<std::int64_t> distinct = factors;
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<std::size_t> stride{1};
  std::vector<std::size_t> most;
  for (const std::int64_t f : distinct) {
    most.push_back(static_cast<std::size_t>(std::ranges::count(factors, f)));
    stride.push_back(stride.back() * (most.back() + 1));
  }
  std::vector<FactorSteps::Position> positions(stride.back());
  for (std::size_t i = 0; i < positions.size(); ++i) {
    for (std::size_t k = 0; k < distinct.size(); ++k) {
      const std::size_t count = i / stride[k] % (most[k] + 1);
      for (std::size_t n = 0; n < count; ++n) positions[i].done *= distinct[k];
      if (count < most[k]) {
        positions[i].steps.push_back(
            {distinct[k], static_cast<std::uint16_t>(i + stride[k]), true});
      }
    }
  }
  return positions;
}

}  // namespace

std::vector<std::int64_t> flexible_factors(std::int64_t extent) {
  std::vector<std::int64_t> factors =
      extent > 1 ? prime_factors_of(extent) : std::vector<std::int64_t>{};
  constexpr std::size_t kFewest = 2;
  const std::int64_t full = flexibility(factors);
  while (factors.size() > kFewest) {
    const std::int64_t now = flexibility(factors);
    std::vector<std::int64_t> best;
    std::int64_t least = now + 1;
    for (std::size_t i = 0; i < factors.size(); ++i) {
      for (std::size_t j = i + 1; j < factors.size(); ++j) {
        std::vector<std::int64_t> merged = factors;
        merged[i] *= merged[j];
        merged.erase(merged.begin() + static_cast<std::ptrdiff_t>(j));
        std::ranges::sort(merged);
        const std::int64_t loss = now - flexibility(merged);
        if (!best.empty() && loss >= least) continue;
        least = loss;
        best = std::move(merged);
      }
    }
    if (least * 10 > full) break;  // a tenth of the full score
    factors = std::move(best);
  }
  return factors;
}

FactorSteps::FactorSteps(std::int64_t extent, FactorRule rule)
    : positions(rule == FactorRule::flex ? list_positions(flexible_factors(extent))
                                         : divisor_positions(extent, rule == FactorRule::prime)) {
  for (Position& position : positions) {
    position.left = extent / position.done;
    if (position.steps.empty()) continue;
    const auto by_factor = [](const Step& a, const Step& b) { return a.factor < b.factor; };
    position.largest = std::ranges::max_element(position.steps, by_factor)->factor;
    position.smallest = std::ranges::min_element(position.steps, by_factor)->factor;
  }
}

const FactorSteps& FactorTables::of(std::int64_t extent) {
  return tables_.try_emplace(extent, extent, rule_).first->second;
}

}  // namespace pimbb::cim::mapper
