// Counted row activations against the walk over all moves, and against the oracle's walk over all
// elements, with every feature of architectures, layers and mappings that moves an address.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>

#include "dram_pim/rows/activation_counter.hpp"
#include "dram_pim/rows/walk.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "support/cases.hpp"
#include "support/full_size.hpp"
#include "support/instances.hpp"
#include "support/oracle_rows.hpp"
#include "support/random_mapping.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;

namespace {

/// A small problem whose buffers and array hold anything: three to five on-chip levels, rows that
/// need not be powers of two, elements of one to four bytes.
Instance roomy_instance(Choices& choices, std::int64_t macs) {
  Instance i = testkit::random_instance(
      choices, {.macs = macs, .levels = 5, .free_levels = 9, .largest_factor = 9});
  Architecture& a = i.architecture;
  while (choices.once_in(3) && a.levels.size() < 7) {
    MemoryLevel level = a.levels[1];
    level.name = "extra" + std::to_string(a.levels.size());
    a.levels.insert(a.levels.begin() + 2, level);
  }
  for (MemoryLevel& level : a.levels) level.capacity.reset();
  a.levels[a.row_buffer()].num_banks.reset();
  if (choices.once_in(2)) {  // a tensor that is stored nowhere on chip, the input more often
    const std::size_t t = choices.one_of<std::size_t>({0, 0, 1, 2});
    for (std::size_t m = 0; m < a.row_buffer(); ++m) a.levels[m].stores[t] = false;
  }
  a.pe_array.height = a.pe_array.width = a.pe_array.num_macs = 1000;
  if (choices.once_in(2)) {
    const std::int64_t row = 1 + static_cast<std::int64_t>(choices.pick(300));
    a.levels[a.row_buffer()].row_buffer_size = row;
    a.levels[a.dram()].row_buffer_size = row;
  }
  if (choices.once_in(2)) {
    for (std::int64_t& bits : a.bits) bits = 8 + static_cast<std::int64_t>(choices.pick(25));
  }
  Workload& w = i.workload;
  if (choices.once_in(4)) {
    w.input_frame = testkit::random_frame(choices, w.input_height(), w.input_width());
  }
  if (choices.once_in(4)) {
    w.output_frame = testkit::random_frame(choices, w.bound(Dim::Q), w.bound(Dim::P));
  }
  return i;
}

/// An edge that holds `window`, mostly a tight one; every other divides the plane.
std::int64_t random_edge(std::int64_t window, std::int64_t plane, Choices& choices) {
  std::int64_t block = window + static_cast<std::int64_t>(choices.pick(static_cast<std::size_t>(
                                    std::min<std::int64_t>(plane - window, window) + 1)));
  if (choices.once_in(2)) {
    while (plane % block != 0) ++block;
  }
  return block;
}

/// Whether what is row-aligned fits rows (rule 7, but blocks may have padded edges).
bool fits(const Instance& i, const Mapping& m, Tensor t) {
  const Architecture& a = i.architecture;
  const Factors c = m.tile(a.row_buffer());
  std::int64_t elements = i.workload.tile_elements(t, c);
  if (t == Tensor::input) {
    elements =
        m.input_block.h * m.input_block.w * c[index(Dim::C)] * c[index(Dim::N)] * c[index(Dim::G)];
  }
  return elements * a.element_units(t) <= a.row_units();
}

Mapping roomy_mapping(const Instance& i, Choices& choices) {
  const Workload& w = i.workload;
  Mapping m = testkit::random_mapping(i.architecture, w, choices, choices.pick(6));
  if (choices.once_in(2)) {  // innermost loops that do not move the input
    for (std::size_t level = 1; level < m.levels.size(); ++level) {
      std::vector<Loop>& loops = m.levels[level].loops;
      std::stable_partition(loops.begin(), loops.end(),
                            [](const Loop& loop) { return loop.dim != Dim::K; });
    }
  }
  const Factors c = m.tile(i.architecture.row_buffer());
  const auto at = [&](Dim d) { return c[index(d)]; };
  m.input_block = {random_edge(w.extent_h(at(Dim::Q), at(Dim::S)), w.input_height(), choices),
                   random_edge(w.extent_w(at(Dim::P), at(Dim::R)), w.input_width(), choices)};
  for (const Tensor t : kAllTensors) {
    if (!fits(i, m, t)) m.layout[index(t)] = Layout::sequential;
  }
  return m;
}

/// How often each feature was met.
class Features {
 public:
  void note(const Instance& i, const Mapping& m, Tensor t, Int128 count) {
    const Architecture& a = i.architecture;
    const Workload& w = i.workload;
    const rows::Stream stream = rows::stream_of(a, m, t);
    const bool aligned = m.layout[index(t)] == Layout::row_aligned;
    const bool input = t == Tensor::input;
    const std::string layout = (aligned ? "row-aligned " : "sequential ") + std::string(name(t));
    const std::int64_t units = a.element_units(t);
    Int128 moves = 1;
    bool irrelevant = false;
    bool inside_group = false;
    for (const rows::MoveLoop& loop : stream.loops) {
      moves *= loop.trips;
      irrelevant = irrelevant || !relevant(t, loop.dim);
      inside_group = inside_group || loop.advance < m.tile(a.row_buffer())[index(loop.dim)];
    }
    meet(layout);
    if (moves < 4) return;
    meet(layout + ", many moves");
    if (input && a.input_order == InputOrder::nhwc) meet(layout + ", NHWC");
    if (input && w.stride_w > 1 && w.stride_h > 1) meet(layout + ", strides");
    if (input && w.dilation_w > 1) meet(layout + ", dilation");
    if (a.packing == Packing::bit) meet(layout + ", packed");
    if (units > a.byte_units()) meet(layout + ", wide elements");
    if (a.bits[index(t)] % 8 != 0) meet(layout + ", odd precision");
    if (a.row_units() % units != 0) meet(layout + ", elements across row edges");
    if (irrelevant) meet(layout + ", irrelevant outer loops");
    if (inside_group) meet(layout + ", loops inside the row-buffer tile");
    if (stream.tile == m.spatial_tile()) meet(layout + ", moved to the array");
    if (stream.repeats > 1) meet(layout + ", repeated moves");
    if (count < moves) meet(layout + ", rows stay open");
    if (across_rows(i, m, t, stream)) {
      meet(layout + ", tiles across rows");
      if (stream.repeats > 1) meet(layout + ", repeated tiles across rows");
    }
    if (!aligned && w.tile_elements(t, stream.tile) * units > a.row_units()) {
      meet(layout + ", tiles longer than a row");
    }
    if (input && w.input_height() * w.input_width() * units % a.row_units() != 0) {
      meet(layout + ", planes that are no multiple of a row");
    }
    if (input && aligned) note_blocks(w, m);
    if (a.levels.size() > 5) meet("deep hierarchies");
  }

  /// Each feature in every 10,000th case at the least; few cases prove nothing about that.
  void check(std::size_t features, std::size_t cases) const {
    for (const auto& met : met_) {
      CAPTURE(met.first);
      CAPTURE(met.second);
      CHECK((cases < 100'000 || met.second * 10'000 >= cases));
    }
    CHECK((cases < 100'000 || met_.size() == features));
  }

 private:
  /// Moved again, such tiles open all of their rows, others none.
  static bool across_rows(const Instance& i, const Mapping& m, Tensor t,
                          const rows::Stream& stream) {
    rows::ActivationCounter counter(i.architecture, i.workload, t, m.layout[index(t)], stream.tile,
                                    m.tile(i.architecture.row_buffer()), m.input_block);
    return counter.activations(stream.loops, 2) > counter.activations(stream.loops, 1);
  }

  void meet(const std::string& feature) { ++met_[feature]; }

  void note_blocks(const Workload& w, const Mapping& m) {
    const Block& block = m.input_block;
    if (w.input_height() % block.h != 0 || w.input_width() % block.w != 0) meet("padded blocks");
    if (block.h < w.input_height() && block.w < w.input_width()) meet("blocks on both axes");
  }

  std::map<std::string, std::size_t> met_;
};

using Reference = Int128 (*)(const Instance&, const Mapping&, Tensor);

/// Counts the three tensors of `cases` / 3 random mappings.
void compare(std::uint64_t seed, std::size_t cases, std::int64_t macs, Reference reference,
             Features& features) {
  const std::uint64_t first = testkit::first_seed(seed);
  for (std::uint64_t s = first; s < first + (cases + 11) / 12; ++s) {
    Choices choices(s);
    const Instance i = roomy_instance(choices, macs);
    for (int repeat = 0; repeat < 4; ++repeat) {
      const Mapping m = roomy_mapping(i, choices);
      for (const Tensor t : kAllTensors) {
        const Int128 counted = rows::count_activations(i.architecture, i.workload, m, t);
        const Int128 walked = reference(i, m, t);
        features.note(i, m, t, walked);
        if (counted == walked) continue;
        CAPTURE(s);
        CAPTURE(name(t));
        CAPTURE(testkit::to_json(i));
        CAPTURE(testkit::to_json(m, i.architecture));
        REQUIRE(static_cast<std::int64_t>(counted) == static_cast<std::int64_t>(walked));
      }
    }
  }
}

Int128 walk(const Instance& i, const Mapping& m, Tensor t) {
  return rows::walk_activations(i.architecture, i.workload, m, t);
}

}  // namespace

TEST_CASE("counted activations equal walked ones") {
  Features features;
  const std::size_t cases = testkit::cases(300'000);
  compare(31'000'000, cases, 600, walk, features);
  features.check(88, cases);
}

TEST_CASE("counted activations equal those of single elements") {
  Features features;
  compare(
      32'000'000, testkit::cases(6'000), 200,
      [](const Instance& i, const Mapping& m, Tensor t) {
        return static_cast<Int128>(
            oracle::row_activations(i.architecture, i.workload, m, t, RowModel::trace).to_double());
      },
      features);
}

TEST_CASE("in shared banks too, and they are never fewer there") {
  std::array<std::size_t, 3> more{};
  const std::uint64_t first = testkit::first_seed(34'000'000);
  const std::size_t cases = testkit::cases(6'000);
  for (std::uint64_t s = first; s < first + cases / 6; ++s) {
    Choices choices(s);
    Instance i = roomy_instance(choices, 200);
    const Architecture alone = i.architecture;
    i.architecture.levels[i.architecture.row_buffer()].num_banks = 1 + choices.pick(2);
    for (int repeat = 0; repeat < 2; ++repeat) {
      const Mapping m = roomy_mapping(i, choices);
      for (const Tensor t : kAllTensors) {
        CAPTURE(s);
        CAPTURE(name(t));
        CAPTURE(testkit::to_json(i));
        CAPTURE(testkit::to_json(m, i.architecture));
        const Int128 counted = rows::count_activations(i.architecture, i.workload, m, t);
        const Int128 by_itself = rows::count_activations(alone, i.workload, m, t);
        CHECK(
            static_cast<double>(counted) ==
            oracle::row_activations(i.architecture, i.workload, m, t, RowModel::trace).to_double());
        CHECK((counted >= by_itself));
        if (counted > by_itself) ++more[index(t)];
      }
    }
  }
  for (const std::size_t count : more) CHECK(count > cases / 100);
}

TEST_CASE("two tensors in turns, counted by hand") {
  Instance i;
  i.architecture = testkit::simple_pim();
  i.architecture.levels[2].num_banks = 1;
  i.architecture.levels[3].num_banks = 1;
  i.workload.bounds[index(Dim::K)] = 4;
  i.workload.bounds[index(Dim::C)] = 2;
  Mapping m;
  m.levels.resize(4);
  for (MappingLevel& level : m.levels) level.stores = {true, true, true};
  const auto count = [&](Tensor t) {
    return static_cast<std::int64_t>(rows::count_activations(i.architecture, i.workload, m, t));
  };
  m.levels[3].loops = {{Dim::C, 2}, {Dim::K, 4}};
  // Steps (c, k): input at k = 0, weight and output always. I W O, W O, W O, W O, I W O, ...
  CHECK(count(Tensor::input) == 2);
  CHECK(count(Tensor::weight) == 8);
  CHECK(count(Tensor::output) == 8);
  i.architecture.levels[2].num_banks = 2;
  // Input and output: I O O O O I O O O O; the weight alone stays in its row.
  CHECK(count(Tensor::input) == 2);
  CHECK(count(Tensor::weight) == 1);
  CHECK(count(Tensor::output) == 2);
  i.architecture.levels[2].num_banks = 3;
  CHECK(count(Tensor::input) == 1);
  CHECK(count(Tensor::output) == 1);
}

TEST_CASE("counted activations equal walked ones on real layers, with rows short and long") {
  std::size_t number = 0;
  for (const std::int64_t row : {256, 1000, 1024, 8192, 1 << 24}) {
    Instance i;
    i.architecture = testkit::simple_pim();
    for (MemoryLevel& level : i.architecture.levels) level.capacity.reset();
    i.architecture.levels[2].row_buffer_size = row;
    i.architecture.levels[3].row_buffer_size = row;
    Choices choices(static_cast<std::uint64_t>(row));
    for (const Workload& layer : testkit::resnet18_layers()) {
      if (!testkit::chosen(number++)) continue;
      i.workload = layer;
      for (std::size_t n = 0; n < 4; ++n) {
        const Mapping m = roomy_mapping(i, choices);
        for (const Tensor t : kAllTensors) {
          Int128 moves = 1;
          for (const auto& loop : rows::stream_of(i.architecture, m, t).loops) moves *= loop.trips;
          if (moves > 500'000) continue;
          CAPTURE(row);
          CAPTURE(layer.name);
          CHECK((rows::count_activations(i.architecture, layer, m, t) == walk(i, m, t)));
        }
      }
    }
  }
}

TEST_CASE("one counter for all orders of the loops") {
  Choices choices(7);
  Architecture a = testkit::simple_pim();
  const Workload layer = testkit::resnet18_layers()[4];
  Instance i;
  i.architecture = a;
  i.workload = layer;
  for (std::size_t n = 0; n < testkit::cases(200); ++n) {
    const Mapping m = roomy_mapping(i, choices);
    for (const Tensor t : kAllTensors) {
      rows::Stream stream = rows::stream_of(a, m, t);
      const auto counter = [&] {
        return rows::ActivationCounter(a, layer, t, m.layout[index(t)], stream.tile,
                                       m.tile(a.row_buffer()), m.input_block);
      };
      rows::ActivationCounter reused = counter();
      for (int order = 0; order < 4; ++order) {
        choices.shuffle(stream.loops);
        CHECK((reused.activations(stream.loops, 3) == counter().activations(stream.loops, 3)));
      }
    }
  }
}
