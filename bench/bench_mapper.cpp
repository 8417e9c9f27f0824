// The tables that a search stands on: lattice, spatial options of leaves, row table, cost to go;
// and the expansion of inner nodes and of leaves, which is all that a search does with them.
//
// The cost to go is built for the first (fullest) storage choice and without caps on the latency.
// Nodes are those that a search for the least EDP would meet without an incumbent.
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "dram_pim/mapper/closed_rows.hpp"
#include "dram_pim/mapper/cost_to_go.hpp"
#include "dram_pim/mapper/mapping_problem.hpp"
#include "problems.hpp"

namespace pimbb::bench {
namespace {

using mapper::Instance;
using mapper::Lattice;
using mapper::LevelTiles;
using mapper::row_buffer_lattice;
using mapper::Storage;

/// An instance with its first storage choice.
struct Prepared {
  Problem p;
  Instance instance;
  Storage storage;
  mapper::ClosedPricing pricing{instance};
  std::unique_ptr<mapper::ChainRows> rows = pricing.under(storage);

  explicit Prepared(const benchmark::State& state)
      : p(problem(static_cast<std::size_t>(state.range(0)))),
        instance(p.architecture, p.workload, RowModel::hybrid),
        storage(p.architecture, p.workload, instance.scale,
                mapper::storage_choices(p.architecture).front()) {}
};

void lattice(benchmark::State& state) {
  const Problem p = problem(static_cast<std::size_t>(state.range(0)));
  std::size_t tiles = 0;
  for (auto _ : state) {
    const Lattice built = row_buffer_lattice(p.architecture, p.workload);
    tiles = built.size();
    benchmark::DoNotOptimize(built);
  }
  state.SetLabel(p.name);
  state.counters["tiles"] = static_cast<double>(tiles);
}

void instance(benchmark::State& state) {
  const Problem p = problem(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) {
    const Instance built(p.architecture, p.workload, RowModel::hybrid);
    benchmark::DoNotOptimize(built);
  }
  state.SetLabel(p.name);
}

/// Every way to unroll every tile of level 0, priced, and the dominated ones dropped.
void spatial_options(benchmark::State& state) {
  const Prepared prepared(state);
  std::int64_t kept = 0;
  for (auto _ : state) {
    const LevelTiles levels(prepared.p.architecture, prepared.instance.lattice,
                            prepared.instance.vectors, prepared.storage, true);
    kept = static_cast<std::int64_t>(levels.choices.size());
    benchmark::DoNotOptimize(levels);
  }
  state.SetLabel(prepared.p.name);
  state.counters["options"] = static_cast<double>(kept);
}

void cost_to_go(benchmark::State& state) {
  const Prepared prepared(state);
  const LevelTiles levels(prepared.p.architecture, prepared.instance.lattice,
                          prepared.instance.vectors, prepared.storage, true);
  for (auto _ : state) {
    const mapper::CostToGo table(prepared.instance.lattice, prepared.storage, levels,
                                 {mapper::kInfinity});
    benchmark::DoNotOptimize(table);
  }
  state.SetLabel(prepared.p.name);
}

/// The first nodes, depth first, that have decided the tiles down to `level`; at most `most`.
std::vector<mapper::MappingNode> nodes_at(const mapper::MappingProblem& problem, std::size_t level,
                                          std::size_t most) {
  std::vector<mapper::MappingNode> found;
  std::vector<mapper::MappingNode> open;
  open.push_back(problem.root());
  while (!open.empty() && found.size() < most) {
    mapper::MappingNode node = std::move(open.back());
    open.pop_back();
    if (problem.level(node) == level) {
      found.push_back(std::move(node));
      continue;
    }
    mapper::MappingProblem::Found out;
    if (!problem.expand(node, nullptr, out)) throw std::logic_error("interrupted");
    for (mapper::MappingNode& child : out.children) open.push_back(std::move(child));
  }
  return found;
}

/// Expansions of nodes whose innermost decided level is `level`: 0 for leaves.
void expansion(benchmark::State& state, std::size_t level) {
  const Prepared prepared(state);
  const LevelTiles levels(prepared.p.architecture, prepared.instance.lattice,
                          prepared.instance.vectors, prepared.storage, true);
  const mapper::CostToGo cost_to_go(prepared.instance.lattice, prepared.storage, levels,
                                    {mapper::kInfinity});
  const mapper::Target target(prepared.instance.scale, Objective::parse("edp"), Goal::edp);
  const mapper::MappingProblem problem(prepared.instance, prepared.storage, levels, *prepared.rows,
                                       cost_to_go, target, {Rules{}, [] { return false; }});
  const auto nodes = nodes_at(problem, level, 256);
  std::size_t results = 0;
  for (auto _ : state) {
    results = 0;
    for (const mapper::MappingNode& node : nodes) {
      mapper::MappingProblem::Found out;
      if (!problem.expand(node, nullptr, out)) throw std::logic_error("interrupted");
      results += level == 0 ? out.leaves : out.children.size();
    }
  }
  state.SetLabel(prepared.p.name);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(nodes.size()));
  state.counters[level == 0 ? "mappings" : "children"] =
      static_cast<double>(results) / static_cast<double>(nodes.size());
}

void every_problem(benchmark::internal::Benchmark* b) {
  b->DenseRange(0, kProblems.size() - 1)->Unit(benchmark::kMillisecond)->UseRealTime();
}
BENCHMARK(lattice)->Apply(every_problem);
BENCHMARK(instance)->Apply(every_problem);
BENCHMARK(spatial_options)->Apply(every_problem);
BENCHMARK(cost_to_go)->Apply(every_problem);
BENCHMARK_CAPTURE(expansion, inner, 1)->DenseRange(0, kProblems.size() - 1);
BENCHMARK_CAPTURE(expansion, leaf, 0)->DenseRange(0, kProblems.size() - 1);

}  // namespace
}  // namespace pimbb::bench
