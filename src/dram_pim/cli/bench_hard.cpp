// Tables of machines, layers and groups, and their products.
#include "dram_pim/cli/bench_hard.hpp"

#include <cassert>
#include <optional>
#include <string_view>

#include "pimbb/dram_pim/io.hpp"
#include "pimbb/io.hpp"

namespace pimbb::dram_pim::cli {
namespace {

constexpr std::int64_t kKilo = 1024;
constexpr std::int64_t kMega = kKilo * kKilo;

struct SharedBuffer {
  std::int64_t bytes;
  Rational access_cost;  // nJ
};

/// simple_pim with another array and other memory.
struct MachineRow {
  const char* name;
  std::int64_t side;                     // of the array, in PEs
  std::vector<SharedBuffer> buffers;     // the shared ones, innermost first
  std::optional<std::int64_t> row_tile;  // bytes of a row buffer's tile; none: any tile
  std::int64_t row;                      // bytes of a row
  Rational row_access_cost;              // nJ
  std::size_t free = 0;                  // so many on-chip levels, the outermost, may be bypassed
};

/// Costs of levels in between are on a geometric scale, rounded to 0.1 pJ, from a PE's buffer with
/// 1 pJ to a row buffer with half of what the DRAM takes.
std::vector<MachineRow> hard_machine_rows() {
  const Rational chip(1, 100);
  const Rational row(1, 20);
  const auto tenths = [](std::int64_t n) { return Rational(n, 10'000); };
  const std::vector<SharedBuffer> two{{64, tenths(37)}, {256, tenths(136)}};
  const std::vector<SharedBuffer> three{{32, tenths(27)}, {128, tenths(71)}, {512, tenths(188)}};
  const std::vector<SharedBuffer> four{
      {32, tenths(22)}, {96, tenths(48)}, {256, tenths(105)}, {512, tenths(229)}};
  const std::vector<SharedBuffer> five{{32, tenths(19)},
                                       {64, tenths(37)},
                                       {128, tenths(71)},
                                       {256, tenths(136)},
                                       {512, tenths(261)}};
  return {
      {"array64_8k", 64, {{8 * kKilo, chip}}, 8 * kKilo, 8 * kKilo, chip},
      {"array128_8k", 128, {{8 * kKilo, chip}}, 8 * kKilo, 8 * kKilo, chip},
      {"array64_64k", 64, {{64 * kKilo, chip}}, std::nullopt, kKilo, row},
      {"array64_2m", 64, {{2 * kMega, chip}}, std::nullopt, kKilo, row},
      {"array128_256k", 128, {{256 * kKilo, chip}}, std::nullopt, 2 * kKilo, row},
      {"array128_1m", 128, {{kMega, chip}}, std::nullopt, 2 * kKilo, row},
      {"levels5", 8, two, kKilo, kKilo, row},
      {"levels5_free2", 8, two, kKilo, kKilo, row, 2},
      {"levels5_free3", 8, two, kKilo, kKilo, row, 3},
      {"levels6_free4", 8, three, kKilo, kKilo, row, 4},
      {"levels7_free5", 8, four, kKilo, kKilo, row, 5},
      {"levels8_free4", 8, five, kKilo, kKilo, row, 4},
      {"levels8_free6", 8, five, kKilo, kKilo, row, 6},
  };
}

constexpr std::string_view kHardLayers = R"(
name: hard
layers:
  # extents with rich divisors
  - {name: rich_240, R: 3, S: 3, P: 240, Q: 240, C: 720, K: 720, N: 16}
  - {name: rich_120, R: 5, S: 5, P: 120, Q: 120, C: 360, K: 360, N: 64}
  - {name: rich_5040, R: 1, S: 1, P: 5040, Q: 1, C: 720, K: 5040, N: 1}
  - {name: dilated_28, R: 3, S: 3, P: 28, Q: 28, C: 128, K: 128, N: 1, dilation: [2, 2]}
  # batches
  - {name: batch16_56, R: 3, S: 3, P: 56, Q: 56, C: 64, K: 64, N: 16}
  - {name: batch64_14, R: 3, S: 3, P: 14, Q: 14, C: 256, K: 256, N: 64}
  # large language models
  - {name: llm_16384, R: 1, S: 1, P: 16384, Q: 1, C: 16384, K: 16384, N: 1}
  - {name: llm_ffn, R: 1, S: 1, P: 8192, Q: 1, C: 8192, K: 28672, N: 1}
  # extents without divisors
  - {name: primes, R: 1, S: 1, P: 197, Q: 1, C: 257, K: 50257, N: 16}
  - {name: tokens_197, R: 1, S: 1, P: 197, Q: 1, C: 768, K: 768, N: 16, pad: {P: 3}}
  - {name: tokens_257, R: 1, S: 1, P: 257, Q: 1, C: 1024, K: 4096, N: 16, pad: {P: 7}}
  - {name: vocabulary, R: 1, S: 1, P: 16, Q: 1, C: 768, K: 50257, N: 1, pad: {K: 47}}
  - {name: conv_197, R: 3, S: 3, P: 197, Q: 197, C: 257, K: 257, N: 16,
     pad: {P: 3, Q: 3, C: 7, K: 7}}
)";

using HardNames = std::vector<const char*>;

/// Machines x layers x the three row models x objectives.
struct HardGroup {
  HardNames machines;
  HardNames layers;
  HardNames objectives;
};

std::vector<HardGroup> hard_groups() {
  const HardNames costs{"latency", "energy", "edp"};
  return {
      {{"hbm_pim", "gddr6_aim", "default_pim"},
       {"resnet18:conv2_x", "resnet18:conv3_x", "resnet18:conv4_x", "resnet18:conv5_x",
        "hard:dilated_28"},
       {"activations"}},
      {{"levels5"}, {"hard:dilated_28"}, {"activations"}},
      {{"array64_8k"}, {"hard:rich_240"}, costs},
      {{"array128_8k"}, {"hard:rich_120"}, costs},
      {{"array64_8k", "array128_8k"}, {"hard:rich_5040"}, costs},
      {{"array64_64k", "array64_2m", "array128_256k", "array128_1m"},
       {"hard:batch16_56", "hard:batch64_14", "hard:llm_16384"},
       costs},
      {{"array64_8k"}, {"hard:primes"}, costs},
      {{"array64_8k", "array128_256k"},
       {"hard:tokens_197", "hard:tokens_257", "hard:vocabulary", "hard:conv_197"},
       costs},
      {{"levels5_free2", "levels5_free3", "levels6_free4", "levels7_free5", "levels8_free4",
        "levels8_free6"},
       {"resnet18:conv3_x", "hard:llm_ffn"},
       costs},
  };
}

Architecture hard_machine(const MachineRow& row, const Architecture& simple_pim) {
  Architecture machine = simple_pim;
  machine.name = row.name;
  machine.pe_array.height = machine.pe_array.width = row.side;
  const MemoryLevel pe = simple_pim.levels[0];
  const MemoryLevel shared = simple_pim.levels[1];
  machine.levels = {pe};
  for (const SharedBuffer& buffer : row.buffers) {
    MemoryLevel& level = machine.levels.emplace_back(shared);
    if (row.buffers.size() > 1) level.name = "Buffer" + std::to_string(machine.levels.size() - 1);
    level.capacity = buffer.bytes;
    level.access_cost = buffer.access_cost;
  }
  assert(row.free <= machine.levels.size());
  for (std::size_t k = 0; k < row.free; ++k) {
    machine.levels[machine.levels.size() - 1 - k].bypass_free = true;
  }
  MemoryLevel& rows = machine.levels.emplace_back(simple_pim.levels[2]);
  rows.capacity = row.row_tile;
  rows.row_buffer_size = row.row;
  rows.access_cost = row.row_access_cost;
  machine.levels.push_back(simple_pim.levels[3]);
  // The energy of an activation is that of the bits of its row.
  machine.activation_energy =
      simple_pim.activation_energy * Rational(row.row, simple_pim.row_bytes());
  validate(machine);
  return machine;
}

Workload hard_layer(const std::string& name, const Network& own) {
  for (const NetworkLayer& layer : own.layers) {
    if (own.name + ":" + layer.workload.name == name) return layer.workload;
  }
  return read_workload(name);
}

}  // namespace

std::vector<Architecture> hard_machines() {
  const Architecture simple_pim = read_architecture("simple_pim");
  std::vector<Architecture> machines;
  for (const MachineRow& row : hard_machine_rows())
    machines.push_back(hard_machine(row, simple_pim));
  return machines;
}

std::vector<BenchCase> hard_cases() {
  const Network own = parse_network(kHardLayers, "layers of the corpus hard");
  std::vector<BenchCase> cases;
  for (const HardGroup& group : hard_groups()) {
    for (const char* machine : group.machines) {
      for (const char* layer : group.layers) {
        const Workload workload = hard_layer(layer, own);
        for (const char* model : {"analytic", "hybrid", "trace"}) {
          for (const char* objective : group.objectives) {
            BenchCase& problem = cases.emplace_back();
            problem.architecture = machine;
            problem.layer = layer;
            problem.workload = workload;
            problem.model = model;
            problem.objective = objective;
          }
        }
      }
    }
  }
  return cases;
}

}  // namespace pimbb::dram_pim::cli
