// Row activations: crossings by floor sums, micro-traces for all alignments, offsets of a sweep.
#include <benchmark/benchmark.h>

#include "dram/crossings.hpp"
#include "dram/micro_trace.hpp"
#include "dram/row_activations.hpp"
#include "mapper/lattice.hpp"
#include "problems.hpp"

namespace pimbb::bench {
namespace {

/// The argument is the length of the sweep: the time must not grow with it.
void crossings(benchmark::State& state) {
  const std::int64_t tiles = state.range(0);
  std::int64_t block = 1000;
  for (auto _ : state) {
    benchmark::DoNotOptimize(dram::count_crossings(tiles, 56, 3, 58, block));
    block = block == 1100 ? 1000 : block + 1;
  }
}
BENCHMARK(crossings)->RangeMultiplier(64)->Range(1, 1 << 24);

/// Row-buffer tiles of a layer, a spread of at most 64.
std::vector<Factors> some_tiles(const Problem& p) {
  const mapper::Lattice lattice(p.architecture, p.workload);
  const std::size_t step = std::max<std::size_t>(1, lattice.size() / 64);
  std::vector<Factors> tiles;
  for (std::size_t i = 0; i < lattice.size(); i += step) {
    tiles.push_back(lattice[static_cast<mapper::TileIndex>(i)].c);
  }
  return tiles;
}

void rows_by_offset(benchmark::State& state) {
  const Problem p = problem(static_cast<std::size_t>(state.range(0)));
  const auto tiles = some_tiles(p);
  const std::int64_t row = p.architecture.row_bytes();
  for (auto _ : state) {
    for (const Factors& tile : tiles) {
      const auto box = dram::tile_box(p.architecture, p.workload, Tensor::input, tile);
      benchmark::DoNotOptimize(dram::rows_by_offset(box, row));
    }
  }
  state.SetLabel(p.name);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(tiles.size()));
}
BENCHMARK(rows_by_offset)->DenseRange(0, kProblems.size() - 1);

void micro_trace_sum(benchmark::State& state) {
  const Problem p = problem(static_cast<std::size_t>(state.range(0)));
  const auto tiles = some_tiles(p);
  for (auto _ : state) {
    for (const Factors& tile : tiles) {
      benchmark::DoNotOptimize(dram::micro_trace_sum(p.architecture, p.workload, tile));
    }
  }
  state.SetLabel(p.name);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(tiles.size()));
}
BENCHMARK(micro_trace_sum)->DenseRange(0, kProblems.size() - 1)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace pimbb::bench
