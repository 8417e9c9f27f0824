// One tree after the other.
#include "dram_pim/proof/forest.hpp"

#include <algorithm>

#include "dram_pim/mapper/cost_to_go.hpp"
#include "dram_pim/solver/confines.hpp"
#include "dram_pim/solver/make_row_pricing.hpp"

namespace pimbb::dram_pim::proof {
namespace {

using mapper::Costs;
using mapper::CostToGo;
using mapper::LevelTiles;
using mapper::Storage;

using Stores = std::vector<TensorFlags>;

/// "iwo/i-o/iwo/iwo": what each level stores, innermost first.
std::string storage_name(const Stores& stores) {
  std::string text;
  for (const TensorFlags& flags : stores) {
    if (!text.empty()) text += '/';
    for (const Tensor t : kAllTensors) text += flags[index(t)] ? name(t).front() : '-';
  }
  return text;
}

/// Whether level m cannot hold the least that it must: the whole layer in the DRAM, one element of
/// each tensor that it stores elsewhere.
bool overflows(const Architecture& a, const Workload& w, std::size_t m, const TensorFlags& stores) {
  std::int64_t bytes = 0;
  for (const Tensor t : kAllTensors) {
    if (!stores[index(t)]) continue;
    const std::int64_t one = a.tile_bytes(t, w.tile_elements(t, m == a.dram() ? w.bounds : kOnes));
    bytes = m == a.row_buffer() ? std::max(bytes, one) : bytes + one;
  }
  return a.levels[m].capacity && bytes > *a.levels[m].capacity;
}

/// The first level that overflows under a storage choice, if any.
std::optional<std::size_t> obstacle(const Architecture& a, const Workload& w,
                                    const Stores& stores) {
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    if (overflows(a, w, m, stores[m])) return m;
  }
  return std::nullopt;
}

void tell_overflow(const Stores& stores, std::size_t level,
                   const std::vector<ProofTracer*>& tracers) {
  for (ProofTracer* const tracer : tracers) tracer->overflow(storage_name(stores), level);
}

}  // namespace

Forest::Forest(const Architecture& architecture, const Workload& layer, const Question& question,
               const run::Guard& guard)
    : a_(architecture),
      w_(layer),
      guard_(guard),
      instance_(architecture, layer, question.row_model,
                mapper::confines_of(architecture, layer, question),
                mapper::make_scale(architecture, layer), guard),
      pricing_(mapper::make_row_pricing(instance_)) {}

template <class Use>
void Forest::with_tree(const Stores& stores, const std::vector<Int128>& thresholds,
                       const Use& use) const {
  const Storage storage(a_, w_, instance_.scale, stores);
  const auto rows = pricing_->under(storage);
  const LevelTiles levels(a_, instance_.lattice, instance_.vectors, storage, true, {}, guard_,
                          instance_.constraints);
  const CostToGo cost_to_go(instance_.lattice, storage, levels, thresholds, {}, guard_);
  use(Tree(instance_, storage, levels, *rows, cost_to_go, guard_));
}

Costs Forest::least() const {
  Costs least{mapper::kInfinity, mapper::kInfinity, 0};
  for (const Stores& stores : mapper::storage_choices(a_, guard_)) {
    guard_.check();
    if (obstacle(a_, w_, stores) || !instance_.constraints.keeps(stores)) continue;
    with_tree(stores, {mapper::kInfinity}, [&](const Tree& tree) {
      const Costs costs = tree.least();
      least.latency = std::min(least.latency, costs.latency);
      least.energy = std::min(least.energy, costs.energy);
    });
  }
  return least;
}

std::vector<std::string> Forest::latencies(const std::vector<Int128>& thresholds) const {
  std::vector<std::string> texts;
  for (const Int128 t : thresholds) {
    texts.push_back(t == mapper::kInfinity ? "inf" : instance_.scale.latency(t + 1).to_string());
  }
  return texts;
}

void Forest::close(const AnyClaim& claim, const std::vector<Int128>& thresholds,
                   const std::vector<ProofTracer*>& tracers) const {
  for (const Stores& stores : mapper::storage_choices(a_, guard_)) {
    guard_.check();
    if (!instance_.constraints.keeps(stores)) continue;
    if (const auto level = obstacle(a_, w_, stores)) {
      tell_overflow(stores, *level, tracers);
      continue;
    }
    with_tree(stores, thresholds, [&](const Tree& tree) {
      const bool closed = claim.has_closed_trees() && tree.closed_by_bounds(claim);
      for (ProofTracer* const tracer : tracers) {
        closed ? tracer->storage_closed(storage_name(stores))
               : tracer->storage(storage_name(stores));
      }
      if (!closed) tree.prove(claim, tracers);
    });
  }
}

void tell_overflows(const Architecture& architecture, const Workload& layer,
                    const run::Guard& guard, const std::vector<ProofTracer*>& tracers) {
  for (const Stores& stores : mapper::storage_choices(architecture, guard)) {
    guard.check();
    tell_overflow(stores, *obstacle(architecture, layer, stores), tracers);
  }
}

bool overflows_dram(const Architecture& architecture, const Workload& layer) {
  const std::size_t dram = architecture.dram();
  return overflows(architecture, layer, dram, architecture.storable(dram));
}

}  // namespace pimbb::dram_pim::proof
