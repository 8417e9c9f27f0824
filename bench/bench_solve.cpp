// Whole searches on one thread, with their node rate, and the evaluation of one mapping.
//
// The node rate is over the whole of solve(), tables included: what a user waits for. The number of
// nodes does not depend on the machine and is given beside it.
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "problems.hpp"

namespace pimbb::bench {
namespace {

Solution solved(const Problem& p, const char* objective) {
  Solution solution =
      solve(p.architecture, p.workload, {.objective = Objective::parse(objective)}, {.threads = 1});
  if (solution.status != Status::optimal) throw std::runtime_error(p.name + ": not solved");
  return solution;
}

void search(benchmark::State& state, const char* objective) {
  const Problem p = problem(static_cast<std::size_t>(state.range(0)));
  std::uint64_t nodes = 0;
  for (auto _ : state) nodes = solved(p, objective).nodes;
  state.SetLabel(p.name);
  state.counters["nodes"] = static_cast<double>(nodes);
  state.counters["nodes_per_second"] =
      benchmark::Counter(static_cast<double>(nodes), benchmark::Counter::kIsIterationInvariantRate);
}
void every_problem(benchmark::internal::Benchmark* b) {
  b->DenseRange(0, kProblems.size() - 1)->Unit(benchmark::kMillisecond)->UseRealTime();
}
BENCHMARK_CAPTURE(search, latency, "latency")->Apply(every_problem);
BENCHMARK_CAPTURE(search, energy, "energy")->Apply(every_problem);
BENCHMARK_CAPTURE(search, edp, "edp")->Apply(every_problem);

void evaluation(benchmark::State& state, RowModel model) {
  const Problem p = problem(static_cast<std::size_t>(state.range(0)));
  const Mapping mapping = *solved(p, "edp").mapping;
  for (auto _ : state) {
    benchmark::DoNotOptimize(evaluate(p.architecture, p.workload, mapping, model));
  }
  state.SetLabel(p.name);
}
BENCHMARK_CAPTURE(evaluation, analytic, RowModel::analytic)->DenseRange(0, kProblems.size() - 1);
BENCHMARK_CAPTURE(evaluation, hybrid, RowModel::hybrid)->DenseRange(0, kProblems.size() - 1);
BENCHMARK_CAPTURE(evaluation, trace, RowModel::trace)
    ->DenseRange(0, kProblems.size() - 1)
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pimbb::bench
