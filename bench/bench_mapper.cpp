// The tables that a search stands on: lattice, spatial options of leaves, row table, completion.
//
// The completion is built for the first (fullest) storage choice, as a search for least latency
// would.
#include <benchmark/benchmark.h>

#include "mapper/completion.hpp"
#include "mapper/mapping_problem.hpp"
#include "problems.hpp"

namespace pimbb::bench {
namespace {

using mapper::Instance;
using mapper::Lattice;
using mapper::LevelTiles;
using mapper::Storage;

/// An instance with its first storage choice.
struct Prepared {
  Problem p;
  Instance instance;
  Storage storage;

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
    const Lattice built(p.architecture, p.workload);
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
    kept = 0;
    for (const auto& options : levels.options) kept += static_cast<std::int64_t>(options.size());
    benchmark::DoNotOptimize(levels);
  }
  state.SetLabel(prepared.p.name);
  state.counters["options"] = static_cast<double>(kept);
}

void completion(benchmark::State& state) {
  const Prepared prepared(state);
  const LevelTiles levels(prepared.p.architecture, prepared.instance.lattice,
                          prepared.instance.vectors, prepared.storage, true);
  for (auto _ : state) {
    const mapper::Completion table(prepared.instance.lattice, prepared.storage, levels,
                                   {mapper::kInfinity});
    benchmark::DoNotOptimize(table);
  }
  state.SetLabel(prepared.p.name);
}

void every_problem(benchmark::internal::Benchmark* b) {
  b->DenseRange(0, kProblems.size() - 1)->Unit(benchmark::kMillisecond)->UseRealTime();
}
BENCHMARK(lattice)->Apply(every_problem);
BENCHMARK(instance)->Apply(every_problem);
BENCHMARK(spatial_options)->Apply(every_problem);
BENCHMARK(completion)->Apply(every_problem);

}  // namespace
}  // namespace pimbb::bench
