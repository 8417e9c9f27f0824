// A scheme, loops and levels, drawn one after the other.
#include "cim/heuristic/random_mapping.hpp"

#include <utility>

#include "exact/factors.hpp"
#include "pimbb/cim/feasibility.hpp"

namespace pimbb::cim::heuristic {

RandomMappings::RandomMappings(const Architecture& architecture, const Workload& layer,
                               std::uint64_t seed, const run::Guard& guard)
    : a_(architecture),
      layer_(layer),
      elements_(layer),
      schemes_(
          mapper::spatial_schemes(architecture, layer, Padding::exact, SchemeRule::all, guard)),
      random_(seed) {}

std::optional<Mapping> RandomMappings::next() {
  constexpr int kTrials = 100;
  for (int trial = 0; trial < kTrials; ++trial) {
    Mapping mapping = draw();
    if (!find_violation(a_, layer_, mapping)) return mapping;
  }
  return std::nullopt;
}

Mapping RandomMappings::draw() {
  const mapper::Scheme& scheme = schemes_[pick(schemes_.size())];
  std::vector<Factor> primes;
  for (const Dim d : kAllDims) {
    for (const std::int64_t p : prime_factors_of(scheme.extents[index(d)]))
      primes.push_back({d, p});
  }
  random_.shuffle(primes);
  std::vector<Factor> order;
  for (const Factor& prime : primes) {
    if (!order.empty() && order.back().dim == prime.dim && pick(2) == 0) {
      order.back().size *= prime.size;
    } else {
      order.push_back(prime);
    }
  }
  return Filling(a_, elements_, scheme, false)
      .fill(
          order, [this](std::size_t, Tensor) { return pick(2) == 0; },
          [this](std::size_t, Tensor) { return pick(4) != 0; });
}

std::size_t RandomMappings::pick(std::size_t options) {
  return static_cast<std::size_t>(random_() % options);
}

}  // namespace pimbb::cim::heuristic
