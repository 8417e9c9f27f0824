// Row activations: crossings by floor sums, micro-traces for all alignments, offsets of a sweep,
// and the trace model counted and walked on mappings of VGG-16.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>

#include "dram_pim/mapper/tiles.hpp"
#include "dram_pim/rows/activation_counter.hpp"
#include "dram_pim/rows/crossings.hpp"
#include "dram_pim/rows/micro_trace.hpp"
#include "dram_pim/rows/row_activations.hpp"
#include "dram_pim/rows/stream.hpp"
#include "dram_pim/rows/walk.hpp"
#include "nest/lattice.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "problems.hpp"
#include "support/random_mapping.hpp"

namespace pimbb::bench {
namespace {

/// The argument is the length of the sweep: the time must not grow with it.
void crossings(benchmark::State& state) {
  const std::int64_t tiles = state.range(0);
  std::int64_t block = 1000;
  for (auto _ : state) {
    benchmark::DoNotOptimize(rows::count_crossings(tiles, 56, 3, 58, block));
    block = block == 1100 ? 1000 : block + 1;
  }
}
BENCHMARK(crossings)->RangeMultiplier(64)->Range(1, 1 << 24);

/// Row-buffer tiles of a layer, a spread of at most 64.
std::vector<Factors> some_tiles(const Problem& p) {
  const mapper::Lattice lattice = mapper::row_buffer_lattice(p.architecture, p.workload);
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
      const auto box = rows::tile_box(p.architecture, p.workload, Tensor::input, tile);
      benchmark::DoNotOptimize(rows::rows_by_offset(box, row));
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
      benchmark::DoNotOptimize(rows::micro_trace_sum(p.architecture, p.workload, tile));
    }
  }
  state.SetLabel(p.name);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(tiles.size()));
}
BENCHMARK(micro_trace_sum)->DenseRange(0, kProblems.size() - 1)->Unit(benchmark::kMicrosecond);

constexpr std::array kVgg16{"conv1_1", "conv1_2", "conv2_1", "conv2_2", "conv3_1", "conv3_x",
                            "conv4_1", "conv4_x", "conv5_x", "fc6",     "fc7",     "fc8"};

/// Feasible mappings of one of VGG-16's layers to simple_pim, drawn at random.
class Vgg16Mappings {
 public:
  Vgg16Mappings(std::size_t layer, std::size_t wanted)
      : architecture(read_architecture("simple_pim")),
        workload(read_workload(std::string("vgg16:") + kVgg16.at(layer))) {
    testkit::Choices choices(layer);
    while (mappings.size() < wanted) {
      const Mapping m = testkit::random_mapping(architecture, workload, choices, choices.pick(20));
      if (!find_violation(architecture, workload, m)) mappings.push_back(m);
    }
  }

  Architecture architecture;
  Workload workload;
  std::vector<Mapping> mappings;
};

double moves(const rows::Stream& stream) {
  double product = 1;
  for (const rows::MoveLoop& loop : stream.loops) product *= static_cast<double>(loop.trips);
  return product;
}

/// All three tensors of 200 mappings, one count an item; `moves` and `us` are geometric means.
void count_vgg16(benchmark::State& state) {
  using Clock = std::chrono::steady_clock;
  const Vgg16Mappings p(static_cast<std::size_t>(state.range(0)), 200);
  double log_seconds = 0;
  double log_moves = 0;
  double counts = 0;
  for (auto _ : state) {
    for (const Mapping& m : p.mappings) {
      for (const Tensor t : kAllTensors) {
        const auto start = Clock::now();
        benchmark::DoNotOptimize(rows::count_activations(p.architecture, p.workload, m, t));
        log_seconds += std::log(std::chrono::duration<double>(Clock::now() - start).count());
        log_moves += std::log(moves(rows::stream_of(p.architecture, m, t)));
        ++counts;
      }
    }
  }
  state.SetLabel(p.workload.name);
  state.counters["us"] = 1e6 * std::exp(log_seconds / counts);
  state.counters["moves"] = std::exp(log_moves / counts);
}
BENCHMARK(count_vgg16)->DenseRange(0, kVgg16.size() - 1)->Unit(benchmark::kMillisecond);

/// The same by walking, where it takes no more than a million moves. One move is an item.
void walk_vgg16(benchmark::State& state) {
  const Vgg16Mappings p(static_cast<std::size_t>(state.range(0)), 20);
  double walked = 0;
  for (auto _ : state) {
    for (const Mapping& m : p.mappings) {
      for (const Tensor t : kAllTensors) {
        const double n = moves(rows::stream_of(p.architecture, m, t));
        if (n > 1e6) continue;
        benchmark::DoNotOptimize(rows::walk_activations(p.architecture, p.workload, m, t));
        walked += n;
      }
    }
  }
  state.SetLabel(p.workload.name);
  state.SetItemsProcessed(static_cast<std::int64_t>(walked));
}
BENCHMARK(walk_vgg16)->DenseRange(0, kVgg16.size() - 1, 4)->Unit(benchmark::kMillisecond);

/// Orders of the loops of one tile, one after the other, as a search tries them.
void orders_vgg16(benchmark::State& state) {
  const Vgg16Mappings p(static_cast<std::size_t>(state.range(0)), 50);
  struct Case {
    rows::Stream stream;
    rows::ActivationCounter counter;
  };
  std::vector<Case> cases;
  for (const Mapping& m : p.mappings) {
    for (const Tensor t : kAllTensors) {
      rows::Stream stream = rows::stream_of(p.architecture, m, t);
      rows::ActivationCounter counter(p.architecture, p.workload, t, m.layout[index(t)],
                                      stream.tile, m.tile(p.architecture.row_buffer()),
                                      m.input_block);
      cases.push_back({std::move(stream), std::move(counter)});
    }
  }
  for (auto _ : state) {
    for (Case& c : cases) {
      benchmark::DoNotOptimize(c.counter.activations(c.stream.loops, c.stream.repeats));
    }
  }
  state.SetLabel(p.workload.name);
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(cases.size()));
}
BENCHMARK(orders_vgg16)->DenseRange(0, kVgg16.size() - 1, 4)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pimbb::bench
