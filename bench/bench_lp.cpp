// The simplex: iterations a second on transport problems and on relaxations of exported layers.
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "dram_pim/milp/build.hpp"
#include "lp/simplex.hpp"
#include "problems.hpp"

namespace pimbb::bench {
namespace {

void solve(benchmark::State& state, const lp::LinearProgram& program) {
  std::int64_t iterations = 0;
  for (auto _ : state) {
    lp::Simplex simplex(program);
    if (simplex.solve() != lp::SimplexStatus::optimal) throw std::runtime_error("not solved");
    iterations = simplex.statistics().iterations();
  }
  state.counters["rows"] = program.rows();
  state.counters["columns"] = program.columns();
  state.counters["pivots"] = static_cast<double>(iterations);
  state.counters["pivots_per_second"] = benchmark::Counter(
      static_cast<double>(iterations), benchmark::Counter::kIsIterationInvariantRate);
}

/// n sources and n sinks of alternating supply, with costs that look random but repeat.
void transport(benchmark::State& state) {
  const auto n = static_cast<int>(state.range(0));
  lp::LinearProgram program;
  std::vector<lp::RowIndex> sources;
  std::vector<lp::RowIndex> sinks;
  for (int i = 0; i < n; ++i) sources.push_back(program.add_row({{}, Rational(20 + i % 7)}));
  for (int i = 0; i < n; ++i) sinks.push_back(program.add_row({Rational(10 + i % 5), {}}));
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      const auto column =
          program.add_column(Rational(1 + (i * 7919 + j * 104729) % 97), {Rational(0), {}});
      program.add_entry(sources[static_cast<std::size_t>(i)], column, Rational(1));
      program.add_entry(sinks[static_cast<std::size_t>(j)], column, Rational(1));
    }
  }
  solve(state, program);
}
BENCHMARK(transport)->RangeMultiplier(2)->Range(8, 64)->Unit(benchmark::kMillisecond);

void relaxation(benchmark::State& state, const char* layer, const char* objective) {
  const auto built = milp::build_program(read_architecture("simple_pim"), read_workload(layer),
                                         Objective::parse(objective), RowModel::hybrid);
  solve(state, built.program.relaxation);
  state.SetLabel(layer);
}
BENCHMARK_CAPTURE(relaxation, fc_latency, "resnet18:fc", "latency")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(relaxation, fc_energy, "resnet18:fc", "energy")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(relaxation, conv5_down_energy, "resnet18:conv5_down", "energy")
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pimbb::bench
