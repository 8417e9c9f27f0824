// Metrics: the scaled integers of a nest as rationals.
#include <algorithm>

#include "cim/cost/energy.hpp"
#include "exact/rational_impl.hpp"
#include "pimbb/cim/cost.hpp"

namespace pimbb::cim {
namespace {

/// Everything that the cost of one mapping is computed from.
struct Priced {
  Workload layer;
  cost::Units units;
  Elements elements;
  cost::Nest nest;

  Priced(const Architecture& a, const Workload& w, const Mapping& mapping, Padding padding)
      : layer(padded(w, padding, mapping.unrolled())),
        units(checked(a, layer)),
        elements(layer),
        nest(a, units, layer, elements, mapping) {}

  static cost::Units checked(const Architecture& a, const Workload& layer) {
    cost::Units units(a);
    units.check_range(a, layer);
    return units;
  }
};

void add_blocks(const cost::Nest& nest, Metrics& metrics) {
  for (std::size_t k = 0; k < nest.first[kTensors]; ++k) {
    const cost::Block& b = nest.blocks[k];
    metrics.used.push_back({b.from, b.tensor, b.data, b.tile, b.bits});
    if (!b.moves) continue;
    Transfer transfer;
    transfer.tensor = b.tensor;
    transfer.from = b.from;
    if (b.to != cost::kMac) transfer.to = b.to;
    transfer.loop = b.loop;
    transfer.tile = b.tile;
    transfer.bits = b.bits;
    transfer.fires = b.fires;
    transfer.cycles = nest.units().cycles(nest.time(b, metrics.pricing.semantics));
    transfer.hidden = b.doubled;
    metrics.transfers.push_back(std::move(transfer));
  }
}

void add_latency(const cost::Nest& nest, Metrics& metrics) {
  const cost::Units& units = nest.units();
  for (std::size_t s = 0; s < kSemantics; ++s) {
    metrics.latencies[s] = units.cycles(cost::latency(nest, static_cast<Semantics>(s)));
  }
  const cost::Busy ports = cost::busy(nest, metrics.pricing.semantics);
  metrics.latency =
      max(metrics.latency_of(metrics.pricing.semantics),
          units.cycles(cost::contention_floor(nest, ports, metrics.pricing.contention)));
  for (std::size_t m = 0; m < nest.architecture().levels.size(); ++m) {
    PerTensor<Rational> cycles;
    for (const Tensor t : kAllTensors) cycles[index(t)] = units.cycles(ports[m][index(t)]);
    metrics.busy.push_back(std::move(cycles));
  }
}

void add_energy(const cost::Nest& nest, Metrics& metrics) {
  const Architecture& a = nest.architecture();
  const cost::Units& units = nest.units();
  cost::EnergyTable table{};
  metrics.dynamic_energy = units.nanojoule(cost::dynamic_energy(nest, &table));
  metrics.activation_energy =
      a.macro.activation_energy * Rational(nest.products) * Rational(nest.unrolling().cores());
  metrics.leakage_energy = a.leakage * metrics.latency;
  metrics.energy = metrics.dynamic_energy + metrics.leakage_energy;
  metrics.levels.resize(a.levels.size());
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    for (const Tensor t : kAllTensors) {
      const cost::LevelUnits& parts = table[m][index(t)];
      metrics.levels[m][index(t)] = {units.nanojoule(parts.transfers),
                                     units.nanojoule(parts.charged), units.nanojoule(parts.boot)};
    }
  }
}

}  // namespace

Metrics evaluate(const Architecture& architecture, const Workload& workload, const Mapping& mapping,
                 const Pricing& pricing) {
  const Priced priced(architecture, workload, mapping, pricing.padding);
  Metrics metrics;
  metrics.pricing = pricing;
  metrics.products = priced.nest.products;
  add_blocks(priced.nest, metrics);
  add_latency(priced.nest, metrics);
  add_energy(priced.nest, metrics);
  for (std::size_t u = 0; u < architecture.axes.size(); ++u) {
    std::int64_t lanes = 1;
    for (const std::int64_t f : mapping.spatial[u]) lanes *= f;
    metrics.utilization.emplace_back(lanes, architecture.axes[u].size);
  }
  return metrics;
}

std::vector<LoopIteration> loop_iterations(const Architecture& architecture,
                                           const Workload& workload, const Mapping& mapping,
                                           Padding padding) {
  const Priced priced(architecture, workload, mapping, padding);
  cost::Nest::Times times;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled below
  priced.nest.times(Semantics::recursion, times);
  std::vector<LoopIteration> all;
  for (const cost::IterationTimes& own : cost::iteration_times(priced.nest)) {
    LoopIteration loop;
    for (const Tensor t : kAllTensors) {
      loop.move[index(t)] = priced.units.cycles(own.move[index(t)]);
      loop.inside[index(t)] = priced.units.cycles(own.inside[index(t)]);
      loop.hidden[index(t)] = times.doubled[index(t)][all.size()];
    }
    loop.cycles = priced.units.cycles(own.cycle);
    all.push_back(std::move(loop));
  }
  return all;
}

Rational recursion_with_cuts(const Architecture& architecture, const Workload& workload,
                             const Mapping& mapping, Padding padding) {
  const Priced priced(architecture, workload, mapping, padding);
  return priced.units.cycles(cost::recursion_with_cuts(priced.nest));
}

}  // namespace pimbb::cim
