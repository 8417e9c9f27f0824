// What the array no longer takes goes to the DRAM, what it takes comes from the outer levels first.
#include "dram_pim/heuristic/array_filling.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <vector>

#include "dram_pim/heuristic/factor_moves.hpp"
#include "exact/factors.hpp"
#include "pimbb/dram_pim/feasibility.hpp"

namespace pimbb::dram_pim::heuristic {
namespace {

/// Factors that are moved at most until a mapping is feasible.
constexpr int kMostMoves = 50;

std::size_t drawn(SplitMix64& random, std::size_t options) {
  return static_cast<std::size_t>(random.below(options));
}

std::array<Dim, kDims> in_random_order(SplitMix64& random) {
  std::array<Dim, kDims> order = kAllDims;
  for (std::size_t i = kDims; i > 1; --i) std::swap(order[i - 1], order[drawn(random, i)]);
  return order;
}

bool is_unrolled(const Mapping& mapping, Dim j) {
  return std::ranges::any_of(mapping.spatial,
                             [j](const Factors& factors) { return factors[index(j)] > 1; });
}

/// The product of the factors of j at all levels.
std::int64_t temporal_product(const Mapping& mapping, Dim j) {
  std::int64_t product = 1;
  for (std::size_t m = 0; m < mapping.levels.size(); ++m) product *= mapping.temporal(m)[index(j)];
  return product;
}

std::int64_t largest_divisor(std::int64_t n, std::int64_t most) {
  const std::vector<std::int64_t> divisors = divisors_of(n);
  return *std::prev(std::ranges::upper_bound(divisors, most));
}

}  // namespace

void fill_array(const Architecture& architecture, Mapping& mapping, Direction direction,
                SplitMix64& random) {
  const Place to = index(direction);
  const Place dram = places_of(architecture) - 1;
  for (const Dim j : kAllDims) move_factor(mapping, j, factor_at(mapping, to, j), to, dram);
  std::int64_t room = architecture.pe_array.extent(direction);
  for (const Dim j : in_random_order(random)) {
    if (!architecture.pe_array.allows(direction, j) || is_unrolled(mapping, j)) continue;
    std::int64_t factor = largest_divisor(temporal_product(mapping, j), room);
    room /= factor;
    for (Place from = dram; factor > 1; --from) {
      const std::int64_t part = std::gcd(factor, factor_at(mapping, from, j));
      move_factor(mapping, j, part, from, to);
      factor /= part;
    }
  }
}

bool make_room(const Architecture& architecture, const Workload& workload, Mapping& mapping,
               SplitMix64& random) {
  const Place dram = places_of(architecture) - 1;
  for (int moves = 0; moves < kMostMoves; ++moves) {
    if (!find_violation(architecture, workload, mapping)) return true;
    mapping.layout = {};
    const Place from = kDirections + drawn(random, dram - kDirections);
    const Dim j = kAllDims[drawn(random, kDims)];
    const auto primes = prime_factors_of(factor_at(mapping, from, j));
    if (!primes.empty()) move_factor(mapping, j, primes[drawn(random, primes.size())], from, dram);
  }
  return false;
}

}  // namespace pimbb::dram_pim::heuristic
