// Instruction streams of crossbar accelerators: building and simulating them, in instructions a
// second.
//
// The network is a chain of five convolutions of 64 channels over 112 x 112 pixels, one replica of
// each on `pimcomp`: about a million instructions.
#include <benchmark/benchmark.h>

#include <string>

#include "pimbb/crossbar.hpp"

namespace pimbb::bench {
namespace {

using namespace crossbar;

NodeGraph five_convolutions() {
  const Volume volume{64, 112, 112};
  const WindowAxis three{3, 1, 1, 1};
  NodeGraph graph;
  graph.name = "chain";
  graph.nodes.push_back({"input", "Input", Op::input, {}, volume, volume, {}, {}});
  for (std::size_t i = 0; i < 5; ++i) {
    graph.nodes.push_back(
        {"conv" + std::to_string(i), "Conv", Op::conv, {i}, volume, volume, three, three});
  }
  return graph;
}

void simulation(benchmark::State& state, Mode mode) {
  const Architecture a = read_architecture("pimcomp");
  const Partition p = make_partition(a, five_convolutions());
  Mapping mapping;
  mapping.cores.resize(static_cast<std::size_t>(a.all_cores()));
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    mapping.replication.push_back(1);
    mapping.cores[v].push_back({v, p.arrays[v].groups});
  }
  std::int64_t instructions = 0;
  for (auto _ : state) instructions += simulate(a, p, mapping, {mode, Policy::add}).instructions;
  state.SetItemsProcessed(instructions);
}
BENCHMARK_CAPTURE(simulation, ht, Mode::ht)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(simulation, ll, Mode::ll)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pimbb::bench
