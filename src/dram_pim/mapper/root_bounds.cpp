// Arrivals are bounded in parallel and collected in their order.
#include "dram_pim/mapper/root_bounds.hpp"

#include <algorithm>

#include "dram_pim/mapper/symmetry.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {

RootBounds::RootBounds(const Instance& instance, const Storage& storage, const CostToGo& cost_to_go,
                       const Target& target, const Rules& rules, const JointRows* joint,
                       const std::function<void()>& check) {
  constexpr std::size_t kChunk = 1024;
  const std::size_t count = instance.arrivals.size();
  std::vector<RootBounds> parts((count + kChunk - 1) / kChunk, RootBounds());
  run::parallel_for(parts.size(), [&](std::size_t k) {
    check();
    for (std::size_t i = k * kChunk; i < std::min(count, (k + 1) * kChunk); ++i) {
      parts[k].add(instance, storage, cost_to_go, target, rules, joint, i);
    }
  });
  std::size_t hopeful = 0;
  for (const RootBounds& part : parts) hopeful += part.arrivals.size();
  arrivals.reserve(hopeful);
  for (RootBounds& part : parts) {
    arrivals.insert(arrivals.end(), part.arrivals.begin(), part.arrivals.end());
    part.arrivals = {};
    bound = std::min(bound, part.bound);
    latency = std::min(latency, part.latency);
    energy = std::min(energy, part.energy);
  }
  if (arrivals.size() <= kAtATime) return;
  std::size_t compared = 0;
  std::ranges::sort(arrivals, [&](const auto& a, const auto& b) {
    if (++compared % kChunk == 0) check();
    return a < b;
  });
}

/// Activations of a tensor whose DRAM bank is an open resource add to the transfers still to come.
void RootBounds::add(const Instance& instance, const Storage& storage, const CostToGo& cost_to_go,
                     const Target& target, const Rules& rules, const JointRows* joint,
                     std::size_t i) {
  const Arrival& arrival = instance.arrivals[i];
  const TileIndex to = arrival.step.to.tile;
  const bool upright_only = instance.turns && rules.has(Rule::symmetry);
  if (upright_only && !is_upright(instance.lattice[to])) return;
  const CostToGo::Entry rest = cost_to_go.below_row_buffer(to);
  Sums least;
  least.latency = arrival.least.latency;
  least.energy = arrival.least.energy;
  if (storage.has_open_bank()) {
    const PerTensor<Int128> rows = least_rows(instance.lattice, instance.rows, arrival.step);
    least.open = storage.rows_alone(rows).open;
  }
  Int128 activations = arrival.least.activations;
  if (joint != nullptr) {
    const Int128 missing = std::max<Int128>(0, joint->least(i) - activations);
    activations += missing;
    least.energy += missing * instance.scale.activation_energy;
  }
  const Wide own = target.bound(least, cost_to_go, rest, activations);
  if (rules.has(Rule::lattice) && own >= Wide::infinity()) return;
  arrivals.emplace_back(own, i);
  bound = std::min(bound, own);
  Int128 slowest = std::max(least.latency, rest.latency());
  for (std::size_t k = 0; k < storage.open_count(); ++k) {
    slowest = std::max(slowest, least.open[k] + rest.open(k));
  }
  latency = std::min(latency, slowest);
  energy = std::min(energy, least.energy + rest.least_energy());
}

}  // namespace pimbb::dram_pim::mapper
