// All orders of the loops at once, against counting them one by one: the activations of each order,
// the least of all, and the floors that the search prunes with before any order is known.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <optional>

#include "dram_pim/rows/activation_counter.hpp"
#include "dram_pim/rows/order_counts.hpp"
#include "dram_pim/trace/order_floor.hpp"
#include "dram_pim/trace/touched_rows.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"
#include "support/random_mapping.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;

namespace {

constexpr std::array<mapper::LoopClass, kTensors + 1> kClasses{Tensor::input, Tensor::weight,
                                                               Tensor::output, std::nullopt};

/// The level inside the row buffer that the DRAM feeds, or -1.
int fed(const Architecture& a, const Mapping& m, Tensor t) {
  int level = static_cast<int>(a.row_buffer()) - 1;
  while (level >= 0 && !m.levels[static_cast<std::size_t>(level)].stores[index(t)]) --level;
  return level;
}

/// Innermost first, the relevant ones before the others.
std::vector<Loop> by_relevance(std::vector<Loop> loops, Tensor t) {
  std::stable_partition(loops.begin(), loops.end(),
                        [&](const Loop& loop) { return relevant(t, loop.dim); });
  return loops;
}

/// Loops of level 0 that move a tensor that no level stores.
std::vector<Loop> pe_loops(const Mapping& m) {
  std::vector<Loop> loops = m.levels[0].loops;  // innermost first
  const auto place = [](const Loop& loop) { return pe_place(loop.dim); };
  std::ranges::sort(loops, std::ranges::greater(), place);
  return loops;
}

struct Nest {
  const Instance& instance;
  const Mapping& mapping;
  Tensor t;
  std::size_t first;  ///< level
  bool again;
  std::vector<std::vector<Loop>> levels;  ///< as the counts take them
  rows::OrderCounts counts;

  static Nest of(const Instance& i, const Mapping& m, Tensor t) {
    const Architecture& a = i.architecture;
    const int from = fed(a, m, t);
    const std::size_t first = from < 0 ? 1 : static_cast<std::size_t>(from) + 1;
    std::vector<std::vector<Loop>> levels;
    if (from < 0) levels.push_back(by_relevance(pe_loops(m), t));
    for (std::size_t k = first; k < a.levels.size(); ++k) {
      levels.push_back(by_relevance(m.levels[k].loops, t));
    }
    std::vector<rows::LooseLevel> loose;
    std::vector<std::vector<rows::MoveLoop>> moving;
    for (std::size_t k = 0; k < levels.size(); ++k) {
      const std::size_t level = from < 0 ? k : first + k;
      const Factors inner = level == 0 ? m.spatial_tile() : m.tile(level - 1);
      rows::LooseLevel& one = loose.emplace_back();
      for (const Loop& loop : levels[k]) {
        one.loops.push_back({loop.dim, loop.factor, inner[index(loop.dim)]});
        if (relevant(t, loop.dim)) ++one.relevant;
      }
      moving.emplace_back(one.loops.begin(),
                          one.loops.begin() + static_cast<std::ptrdiff_t>(one.relevant));
    }
    const Factors tile = from < 0 ? m.spatial_tile() : m.tile(first - 1);
    const rows::RowLines lines(a, i.workload, t, m.layout[index(t)], tile, m.tile(a.row_buffer()),
                               m.input_block);
    auto seams = std::make_shared<const rows::SeamTable>(lines, moving);
    return {i, m, t, first, from < 0, levels, {seams, loose, from < 0}};
  }

  /// Along the loops of an order, the innermost one first.
  [[nodiscard]] std::int64_t along(const Mapping& order) const {
    rows::OrderCounts::Path path = counts.begin();
    std::size_t k = 0;
    const auto put = [&](const Loop& loop) {
      const auto at = std::find(levels[k].begin(), levels[k].end(), loop) - levels[k].begin();
      CHECK(counts.least(path) <= std::numeric_limits<std::int64_t>::max() / 8);
      path = counts.extended(path, static_cast<std::size_t>(at));
    };
    if (again) {
      for (const Loop& loop : pe_loops(order)) put(loop);
      ++k;
    }
    for (std::size_t level = first; level < order.levels.size(); ++level, ++k) {
      const auto& loops = order.levels[level].loops;
      std::for_each(loops.rbegin(), loops.rend(), put);
    }
    return counts.least(path);
  }
};

/// Every order of the loops from level `level` on.
void for_each_order(Mapping& m, std::size_t level, const std::function<void()>& visit) {
  if (level == m.levels.size()) return visit();
  const auto less = [](const Loop& a, const Loop& b) { return a.dim < b.dim; };
  std::vector<Loop>& loops = m.levels[level].loops;
  std::sort(loops.begin(), loops.end(), less);
  do {
    for_each_order(m, level + 1, visit);
  } while (std::next_permutation(loops.begin(), loops.end(), less));
}

std::uint64_t orders(const Mapping& m, std::size_t first) {
  std::uint64_t count = 1;
  for (std::size_t level = first; level < m.levels.size(); ++level) {
    for (std::size_t n = m.levels[level].loops.size(); n > 1; --n) count *= n;
  }
  return count;
}

mapper::Moved moved_by(const Nest& nest) {
  const Mapping& m = nest.mapping;
  const Architecture& a = nest.instance.architecture;
  return {a, nest.instance.workload, nest.t, m.layout[index(nest.t)], m.tile(a.row_buffer())};
}

bool moves_whole(const Nest& nest, std::size_t level) { return level == nest.first && !nest.again; }

/// The floor over the orders of the loops from level `from` on, whatever the loops further in are;
/// a loop of `innermost` is innermost. Nothing if level `from` has loops, but none of these.
std::optional<std::int64_t> floor_of(const Nest& nest, std::size_t from,
                                     mapper::DimMask innermost = mapper::kEveryDim) {
  const Mapping& m = nest.mapping;
  const mapper::Moved moved = moved_by(nest);
  std::optional<mapper::LoopsFurtherOut> outside;
  for (std::size_t level = m.levels.size(); level-- > from;) {
    mapper::DimMask loops = 0;
    std::int64_t idle_trips = 1;
    for (const Loop& loop : m.levels[level].loops) {
      loops |= mapper::bit(loop.dim);
      if (!relevant(nest.t, loop.dim)) idle_trips *= loop.factor;
    }
    auto first = loops;
    if (level == from) first &= innermost;
    if (loops != 0 && first == 0) return std::nullopt;
    const mapper::OrderFloor floor(moved, m.tile(level - 1), m.tile(level),
                                   moves_whole(nest, level), outside ? &*outside : nullptr);
    outside = floor.from_inside(first, idle_trips);
  }
  return outside->least[0];
}

/// The largest bound along one order: what order_floor.hpp says of every set of loops, irrelevant
/// ones included.
std::int64_t bound_along(const Nest& nest, const Mapping& order, std::size_t from) {
  const mapper::Moved moved = moved_by(nest);
  const bool aligned = moved.layout == Layout::row_aligned;
  std::int64_t outside = 1;  // trips of the loops that are not yet placed
  for (std::size_t level = from; level < order.levels.size(); ++level) {
    for (const Loop& loop : order.levels[level].loops) outside *= loop.factor;
  }
  std::int64_t largest = 1;
  bool moves = false;
  for (std::size_t level = from; level < order.levels.size(); ++level) {
    const mapper::TouchedRows rows(moved, order.tile(level - 1), order.tile(level),
                                   moves_whole(nest, level));
    const bool at_dram = level + 1 == order.levels.size();
    mapper::DimMask inside = 0;  // relevant ones
    const auto& loops = order.levels[level].loops;
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
      const bool seen = relevant(nest.t, loop->dim);
      const bool shifts = loop->dim == Dim::N || loop->dim == Dim::C || loop->dim == Dim::G;
      const bool new_row = aligned && at_dram && seen && (nest.t != Tensor::input || shifts);
      const std::int64_t open = new_row ? 0 : 1;
      if (moves || seen) largest = std::max(largest, outside * (rows.with(inside) - open) + open);
      moves = moves || seen;
      if (seen) inside |= mapper::bit(loop->dim);
      outside /= loop->factor;
    }
    if (at_dram) largest = std::max(largest, rows.with(inside));
  }
  return largest;
}

/// The dimension of the innermost loop of a level with loops.
mapper::DimMask innermost_of(const Mapping& m, std::size_t level) {
  return mapper::bit(m.levels[level].loops.back().dim);
}

Instance instance_of(Choices& choices) {
  Instance i = testkit::random_instance(
      choices, {.macs = 400, .levels = 5, .free_levels = 9, .largest_factor = 9});
  for (MemoryLevel& level : i.architecture.levels) level.capacity.reset();
  i.architecture.levels[i.architecture.row_buffer()].num_banks.reset();
  i.architecture.pe_array.height = i.architecture.pe_array.width = 1000;
  i.architecture.pe_array.num_macs = 1000;
  if (choices.once_in(2)) {
    const std::int64_t row = 1 + static_cast<std::int64_t>(choices.pick(200));
    i.architecture.levels[i.architecture.row_buffer()].row_buffer_size = row;
    i.architecture.levels[i.architecture.dram()].row_buffer_size = row;
  }
  return i;
}

/// Row-aligned tiles must fit rows, with a block that holds the input's window.
void make_layouts_fit(const Instance& i, Mapping& m) {
  const Architecture& a = i.architecture;
  const Workload& w = i.workload;
  const Factors c = m.tile(a.row_buffer());
  const auto at = [&](Dim d) { return c[index(d)]; };
  const auto edge = [](std::int64_t window, std::int64_t plane) {
    while (plane % window != 0) ++window;
    return window;
  };
  m.input_block = {edge(w.extent_h(at(Dim::Q), at(Dim::S)), w.input_height()),
                   edge(w.extent_w(at(Dim::P), at(Dim::R)), w.input_width())};
  for (const Tensor t : kAllTensors) {
    const std::int64_t depth = at(Dim::C) * at(Dim::N) * at(Dim::G);
    const std::int64_t elements =
        t == Tensor::input ? m.input_block.h * m.input_block.w * depth : w.tile_elements(t, c);
    if (elements * a.element_units(t) > a.row_units()) m.layout[index(t)] = Layout::sequential;
  }
}

}  // namespace

TEST_CASE("one table has the activations of every order, their least, and no floor is above it") {
  const std::uint64_t first = testkit::first_seed(33'000'000);
  std::size_t tight = 0;
  std::size_t nests = 0;
  for (std::uint64_t s = first; s < first + testkit::cases(4'000); ++s) {
    Choices choices(s);
    const Instance i = instance_of(choices);
    Mapping m = testkit::random_mapping(i.architecture, i.workload, choices, choices.pick(6));
    make_layouts_fit(i, m);
    for (const Tensor t : kAllTensors) {
      const Nest nest = Nest::of(i, m, t);
      if (orders(m, nest.first) > 800) continue;
      CAPTURE(s);
      CAPTURE(name(t));
      std::int64_t least = std::numeric_limits<std::int64_t>::max();
      Mapping order = m;
      for_each_order(order, nest.first, [&] {
        const auto counted = static_cast<std::int64_t>(
            rows::count_activations(i.architecture, i.workload, order, t));
        REQUIRE(nest.along(order) == counted);
        least = std::min(least, counted);
      });
      if (!nest.again) {  // else the loops of level 0 come first, in their own order
        REQUIRE(nest.counts.least(nest.counts.begin()) == least);
      }
      for (std::size_t from = nest.first; from <= i.architecture.dram(); ++from) {
        CAPTURE(from);
        CAPTURE(nest.first);
        CAPTURE(testkit::to_json(i));
        CAPTURE(testkit::to_json(m, i.architecture));
        REQUIRE(*floor_of(nest, from) <= least);  // whatever the loops further in are
      }
      ++nests;
      if (*floor_of(nest, nest.first) == least) ++tight;
    }
  }
  CAPTURE(nests);
  CHECK(2 * tight > nests);  // floors that say nothing would be safe as well
}

TEST_CASE("a floor is the least bound over all orders of all loops, in every class of a level") {
  const std::uint64_t first = testkit::first_seed(34'000'000);
  for (std::uint64_t s = first; s < first + testkit::cases(2'000); ++s) {
    Choices choices(s);
    const Instance i = instance_of(choices);
    Mapping m = testkit::random_mapping(i.architecture, i.workload, choices, choices.pick(6));
    make_layouts_fit(i, m);
    for (const Tensor t : kAllTensors) {
      const Nest nest = Nest::of(i, m, t);
      for (std::size_t from = nest.first; from <= i.architecture.dram(); ++from) {
        if (orders(m, from) > 800) continue;
        for (const mapper::LoopClass of : kClasses) {
          const mapper::DimMask innermost = mapper::innermost_dims(of);
          const std::optional<std::int64_t> floor = floor_of(nest, from, innermost);
          if (!floor) continue;
          std::int64_t least = std::numeric_limits<std::int64_t>::max();
          std::int64_t counted = least;
          Mapping order = m;
          for_each_order(order, from, [&] {
            const bool any = order.levels[from].loops.empty();
            if (!any && (innermost_of(order, from) & innermost) == 0) return;
            least = std::min(least, bound_along(nest, order, from));
            counted = std::min(counted, static_cast<std::int64_t>(rows::count_activations(
                                            i.architecture, i.workload, order, t)));
          });
          CAPTURE(s);
          CAPTURE(name(t));
          CAPTURE(from);
          CAPTURE(static_cast<int>(innermost));
          REQUIRE(*floor == least);
          REQUIRE(*floor <= counted);
        }
      }
    }
  }
}

namespace {

/// The floor of the DRAM's loops around `row_tile` with loop `first` innermost, of a tensor that
/// loops further in move.
std::int64_t floor_with(const Instance& i, Tensor t, Layout layout, const Factors& row_tile,
                        Dim first) {
  const mapper::Moved moved{i.architecture, i.workload, t, layout, row_tile};
  const mapper::OrderFloor floor(moved, row_tile, i.workload.bounds, true, nullptr);
  return floor.least(true, mapper::bit(first), 1);
}

}  // namespace

// Rows of 8 bytes, which a block of the input along P may fill; tiles of two elements.
TEST_CASE("floors: loops that change the group of a row-aligned tensor, and those that do not") {
  Choices choices(1);
  Instance i = testkit::random_instance(choices, {});
  i.architecture.bits = {8, 8, 8};
  i.architecture.input_order = InputOrder::nchw;
  for (MemoryLevel& level : i.architecture.levels) {
    if (level.row_buffer_size) level.row_buffer_size = 8;
  }
  i.workload = {};
  i.workload.bounds = {1, 1, 8, 1, 2, 1, 1, 1};  // P = 8, C = 2
  const Factors two{1, 1, 2, 1, 1, 1, 1, 1};
  const auto aligned = [&](Dim first) {
    return floor_with(i, Tensor::input, Layout::row_aligned, two, first);
  };
  const auto sequential = [&](Dim first) {
    return floor_with(i, Tensor::input, Layout::sequential, two, first);
  };
  CHECK(aligned(Dim::C) == 8);     // 4 x 2 moves, a row each
  CHECK(aligned(Dim::P) == 2);     // all of P may be in one row: 2 times one row
  CHECK(sequential(Dim::C) == 5);  // channels are 8 bytes apart: 4 times two rows, one stays open
  CHECK(sequential(Dim::P) == 2);  // all rows in a row
  for (const Dim j : {Dim::N, Dim::G}) {
    i.workload.bounds = kOnes;
    i.workload.bounds[index(Dim::P)] = 8;
    i.workload.bounds[index(j)] = 2;
    CHECK(aligned(j) == 8);
    CHECK(aligned(Dim::P) == 2);
  }
  for (const Dim j : {Dim::Q, Dim::R, Dim::S}) {
    i.workload.bounds = kOnes;
    i.workload.bounds[index(Dim::P)] = 2;
    i.workload.bounds[index(j)] = 2;
    CHECK(aligned(j) == 1);
  }
  i.workload.bounds = {1, 1, 8, 1, 1, 2, 1, 1};  // outputs: every relevant loop changes the group
  for (const Dim first : {Dim::P, Dim::K}) {
    CHECK(floor_with(i, Tensor::output, Layout::row_aligned, two, first) == 8);
  }
}
