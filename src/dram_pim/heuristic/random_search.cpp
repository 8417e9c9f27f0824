// Drawing mappings and comparing them.
#include "dram_pim/heuristic/random_search.hpp"

#include "dram_pim/heuristic/nest_builder.hpp"
#include "exact/factors.hpp"

namespace pimbb::dram_pim::heuristic {
namespace {

std::vector<Loop> prime_loops(const Workload& workload) {
  std::vector<Loop> primes;
  for (const Dim j : kAllDims) {
    for (const std::int64_t p : prime_factors_of(workload.bound(j))) primes.push_back({j, p});
  }
  return primes;
}

}  // namespace

bool better(const Objective& objective, const Metrics& a, const Metrics& b) {
  for (const Goal goal : objective.goals) {
    const Rational x = objective.value(goal, a);
    const Rational y = objective.value(goal, b);
    if (x != y) return x < y;
  }
  return false;
}

RandomMappings::RandomMappings(const Architecture& architecture, const Workload& workload,
                               std::uint64_t seed, Mapping smallest)
    : a_(architecture),
      w_(workload),
      random_(seed),
      smallest_(std::move(smallest)),
      primes_(prime_loops(workload)) {}

std::size_t RandomMappings::pick(std::size_t options) {
  return static_cast<std::size_t>(random_.below(options));
}

Mapping RandomMappings::next() {
  NestBuilder nest(a_, w_, smallest_);
  for (std::size_t m = 0; m < a_.row_buffer(); ++m) {
    for (const Tensor t : kAllTensors) {
      if (a_.levels[m].bypass_free && pick(2) == 1) nest.store(m, t);
    }
  }
  std::vector<std::size_t> places(kDirections + a_.levels.size());  // directions, then levels
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  std::vector<Loop> primes = primes_;
  random_.shuffle(primes);
  for (const auto& [j, p] : primes) {
    random_.shuffle(places);
    for (const std::size_t place : places) {
      const bool placed = place < kDirections ? nest.unroll(j, p, kAllDirections[place])
                                              : nest.move(j, p, place - kDirections);
      if (placed) break;
    }
  }
  for (std::size_t m = 1; m < a_.levels.size(); ++m) random_.shuffle(nest.loops(m));
  const BlockEdges edges = block_edges(a_, w_, nest.mapping());
  for (const Tensor t : kAllTensors) {
    const Block block{edges.heights[pick(edges.heights.size())],
                      edges.widths[pick(edges.widths.size())]};
    if (pick(2) == 1 && nest.align(t, block)) continue;
    if (t == Tensor::input && a_.has_free_input_order() && pick(2) == 1) {
      nest.set_input_order(InputOrder::nhwc);
    }
  }
  return nest.mapping();
}

RandomBest random_search(const Architecture& architecture, const Workload& workload,
                         const Objective& objective, RowModel row_model, std::uint64_t seed,
                         std::uint64_t samples, const Mapping& smallest,
                         const std::function<bool()>& stop) {
  RandomMappings mappings(architecture, workload, seed, smallest);
  RandomBest best;
  do {
    Mapping mapping = mappings.next();
    Metrics metrics = evaluate(architecture, workload, mapping, row_model);
    if (best.samples++ == 0 || better(objective, metrics, best.metrics)) {
      best.mapping = std::move(mapping);
      best.metrics = std::move(metrics);
    }
  } while (best.samples < samples && !stop());
  return best;
}

}  // namespace pimbb::dram_pim::heuristic
