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

bool is_unrolled(const Mapping& mapping, Dim j) {
  return std::ranges::any_of(mapping.spatial,
                             [j](const Factors& factors) { return factors[index(j)] > 1; });
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
  std::array<Dim, kDims> order = kAllDims;
  random.shuffle(order);
  std::int64_t room = architecture.pe_array.extent(direction);
  for (const Dim j : order) {
    if (!architecture.pe_array.allows(direction, j) || is_unrolled(mapping, j)) continue;
    std::int64_t factor = largest_divisor(mapping.tile(architecture.dram())[index(j)], room);
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
    const Place from = kDirections + random.below(dram - kDirections);
    const Dim j = kAllDims[random.below(kDims)];
    const auto primes = prime_factors_of(factor_at(mapping, from, j));
    if (!primes.empty()) move_factor(mapping, j, primes[random.below(primes.size())], from, dram);
  }
  return false;
}

}  // namespace pimbb::dram_pim::heuristic
