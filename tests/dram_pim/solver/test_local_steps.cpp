// Steps of heuristics: moves that are undone, layouts by trying all, a search that ends where no
// step helps.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "dram_pim/heuristic/array_filling.hpp"
#include "dram_pim/heuristic/best_layouts.hpp"
#include "dram_pim/heuristic/local_search.hpp"
#include "dram_pim/heuristic/nest_builder.hpp"
#include "dram_pim/mapper/smallest.hpp"
#include "dram_pim/solver/by_seed.hpp"
#include "exact/factors.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "support/cases.hpp"
#include "support/full_size.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::by_seed;
using testkit::Instance;

namespace {

/// Directions of the array, then levels.
std::int64_t factor_at(const Mapping& m, std::size_t place, Dim j) {
  return place < kDirections ? m.spatial[place][index(j)]
                             : m.temporal(place - kDirections)[index(j)];
}

/// At a level, a new loop stands before the first one whose place in a PE is not further out.
void multiply(Mapping& m, std::size_t place, Dim j, Rational by) {
  const auto factor = *(by * factor_at(m, place, j)).in_units(1);
  if (place < kDirections) {
    m.spatial[place][index(j)] = factor;
    return;
  }
  std::vector<Loop>& loops = m.levels[place - kDirections].loops;
  auto at = std::ranges::find(loops, j, &Loop::dim);
  if (at == loops.end()) {
    at = std::ranges::find_if(loops, [j](const Loop& l) { return pe_place(l.dim) >= pe_place(j); });
    at = loops.insert(at, {j, 1});
  }
  at->factor = factor;
  if (factor == 1) loops.erase(at);
}

/// What a place can give away of a dimension: each prime factor, and all of it.
std::vector<std::int64_t> parts(const Mapping& m, std::size_t place, Dim j) {
  const std::int64_t all = factor_at(m, place, j);
  std::vector<std::int64_t> found = prime_factors_of(all);
  if (all > 1) found.push_back(all);
  return found;
}

/// The mappings that one step leads to.
class Neighbours {
 public:
  Neighbours(const Instance& i, const Mapping& m)
      : i_(i), m_(m), places_(kDirections + i.architecture.levels.size()) {}

  std::vector<Mapping> all() {
    for (std::size_t from = 0; from < places_; ++from) {
      for (std::size_t to = 0; to < places_; ++to) {
        for (const Dim j : kAllDims) {
          if (from != to) moves(from, to, j);
        }
      }
    }
    orders();
    storage();
    layouts();
    return std::move(found_);
  }
  std::vector<Mapping> only_orders() {
    orders();
    return std::move(found_);
  }

 private:
  void moves(std::size_t from, std::size_t to, Dim j) {
    for (const std::int64_t out : parts(m_, from, j)) {
      Mapping moved = m_;
      multiply(moved, from, j, Rational(1, out));
      multiply(moved, to, j, out);
      found_.push_back(moved);
      if (from < to) exchanges(moved, from, to);
    }
  }
  void exchanges(const Mapping& moved, std::size_t from, std::size_t to) {
    for (const Dim k : kAllDims) {
      for (const std::int64_t in : parts(m_, to, k)) {
        Mapping exchanged = moved;
        if (factor_at(exchanged, to, k) % in != 0) continue;
        multiply(exchanged, to, k, Rational(1, in));
        multiply(exchanged, from, k, in);
        found_.push_back(exchanged);
      }
    }
  }
  void orders() {
    for (std::size_t level = 1; level < i_.architecture.levels.size(); ++level) {
      for (const Tensor t : kAllTensors) {
        Mapping ordered = m_;
        std::vector<Loop>& loops = ordered.levels[level].loops;
        std::stable_partition(loops.begin(), loops.end(),
                              [t](const Loop& loop) { return relevant(t, loop.dim); });
        found_.push_back(ordered);
      }
    }
  }
  void storage() {
    for (std::size_t level = 0; level < i_.architecture.row_buffer(); ++level) {
      for (const Tensor t : kAllTensors) {
        Mapping stored = m_;
        bool& stores = stored.levels[level].stores[index(t)];
        stores = !stores;
        found_.push_back(stored);
      }
    }
  }
  void layouts() {
    for (const Tensor t : kAllTensors) {
      Mapping laid = m_;
      Layout& layout = laid.layout[index(t)];
      layout = layout == Layout::sequential ? Layout::row_aligned : Layout::sequential;
      if (t == Tensor::input && layout == Layout::row_aligned) {
        const auto edges = heuristic::block_edges(i_.architecture, i_.workload, m_);
        laid.input_block = {edges.heights.front(), edges.widths.front()};
        laid.input_order = InputOrder::nchw;
      }
      found_.push_back(laid);
    }
    if (i_.architecture.has_free_input_order() &&
        m_.layout[index(Tensor::input)] == Layout::sequential) {
      Mapping other = m_;
      other.input_order = m_.input_order == InputOrder::nchw ? InputOrder::nhwc : InputOrder::nchw;
      found_.push_back(other);
    }
  }

  const Instance& i_;
  const Mapping& m_;
  const std::size_t places_;
  std::vector<Mapping> found_;
};

/// The fewest rows of a tensor in any layout that is allowed.
Rational fewest_rows_by_trying(const Instance& i, Mapping m, Tensor t) {
  m.layout = {};
  m.input_block = {};
  std::optional<Rational> fewest;
  const auto meet = [&] {
    if (find_violation(i.architecture, i.workload, m)) return;
    const Rational rows =
        evaluate(i.architecture, i.workload, m, i.row_model).row_activations[index(t)];
    if (!fewest || rows < *fewest) fewest = rows;
  };
  for (const InputOrder order : {InputOrder::nchw, InputOrder::nhwc}) {
    m.input_order = order;
    if (order == InputOrder::nchw || i.architecture.has_free_input_order()) meet();
  }
  m.input_order = InputOrder::nchw;
  m.layout[index(t)] = Layout::row_aligned;
  if (t != Tensor::input) meet();
  for (std::int64_t h = 1; t == Tensor::input && h <= i.workload.input_height(); ++h) {
    for (std::int64_t w = 1; w <= i.workload.input_width(); ++w) {
      m.input_block = {h, w};
      meet();
    }
  }
  return fewest.value();
}

/// Of a mapping without layouts.
void check_best_layouts(const Instance& i, const Mapping& m) {
  const Mapping best = heuristic::with_best_layouts(i.architecture, i.workload, m, i.row_model);
  CHECK(!find_violation(i.architecture, i.workload, best));
  const Metrics metrics = evaluate(i.architecture, i.workload, best, i.row_model);
  for (const Tensor t : kAllTensors) {
    CHECK(metrics.row_activations[index(t)] == fewest_rows_by_trying(i, m, t));
  }
}

/// A mapping, one that makes a tensor stationary and is better, and one that then moves a factor to
/// a place without that dimension and is better still.
std::optional<std::array<Mapping, 3>> order_then_move(const Instance& i, const Mapping& first) {
  const auto metrics = [&](const Mapping& m) {
    return evaluate(i.architecture, i.workload, m, i.row_model);
  };
  const auto improves = [&](const Mapping& m, const Mapping& than) {
    return !find_violation(i.architecture, i.workload, m) &&
           heuristic::better(i.objective, metrics(m), metrics(than));
  };
  const std::size_t places = kDirections + i.architecture.levels.size();
  for (const Mapping& second : Neighbours(i, first).only_orders()) {
    if (!improves(second, first)) continue;
    for (std::size_t from = 0; from < places; ++from) {
      for (std::size_t to = 0; to < places; ++to) {
        for (const Dim j : kAllDims) {
          if (from == to || factor_at(second, to, j) > 1 || factor_at(second, from, j) == 1)
            continue;
          Mapping third = second;
          multiply(third, from, j, Rational(1, factor_at(second, from, j)));
          multiply(third, to, j, factor_at(second, from, j));
          if (improves(third, second)) return {{first, second, third}};
        }
      }
    }
  }
  return std::nullopt;
}

/// Of a factor of j, from the DRAM to another place.
void check_move(const Instance& i, heuristic::NestBuilder& nest, Dim j, std::int64_t factor,
                std::size_t place) {
  const Mapping before = nest.mapping();
  const bool moved = place < kDirections ? nest.unroll(j, factor, kAllDirections[place])
                                         : nest.move(j, factor, place - kDirections);
  const Mapping& after = nest.mapping();
  CHECK(!find_violation(i.architecture, i.workload, after));
  CHECK(nest.left(j) == after.temporal(i.architecture.dram())[index(j)]);
  CHECK(factor_at(after, place, j) == factor_at(before, place, j) * (moved ? factor : 1));
  for (std::size_t level = 0; level < i.architecture.levels.size(); ++level) {
    if (!moved) CHECK(after.temporal(level) == before.temporal(level));
  }
  if (!moved) CHECK(after.spatial == before.spatial);
  Mapping wanted = before;
  multiply(wanted, kDirections + i.architecture.dram(), j, Rational(1, factor));
  multiply(wanted, place, j, factor);
  CHECK(moved == !find_violation(i.architecture, i.workload, wanted));
}

/// What a direction unrolls.
std::int64_t unrolled(const Mapping& m, Direction d) {
  std::int64_t product = 1;
  for (const std::int64_t factor : m.spatial_in(d)) product *= factor;
  return product;
}

/// All factors of j.
std::int64_t product_of(const Mapping& m, Dim j) {
  std::int64_t product = 1;
  for (std::size_t place = 0; place < kDirections + m.levels.size(); ++place) {
    product *= factor_at(m, place, j);
  }
  return product;
}

/// A direction filled anew takes what it may, until nothing more fits; all else stays.
void check_filling(const Instance& i, const Mapping& before, Direction d, SplitMix64& random) {
  Mapping after = before;
  heuristic::fill_array(i.architecture, after, d, random);
  const std::int64_t room = i.architecture.pe_array.extent(d) / unrolled(after, d);
  CHECK(room >= 1);
  for (const Dim j : kAllDims) {
    CHECK(product_of(after, j) == i.workload.bound(j));
    bool elsewhere = false;
    for (const Direction other : kAllDirections) {
      if (other == d) continue;
      CHECK(after.spatial_in(other) == before.spatial_in(other));
      elsewhere = elsewhere || before.spatial_in(other)[index(j)] > 1;
    }
    const std::int64_t here = after.spatial_in(d)[index(j)];
    const bool may = i.architecture.pe_array.allows(d, j) && !elsewhere;
    if (!may) CHECK(here == 1);
    for (const std::int64_t p : prime_factors_of(i.workload.bound(j) / here)) {
      if (may && here == 1) CHECK(p > room);
    }
  }
  if (heuristic::make_room(i.architecture, i.workload, after, random)) {
    CHECK(!find_violation(i.architecture, i.workload, after));
  }
}

bool has_mapping(const Instance& i) {
  return mapper::obstacle(i.architecture, i.workload, Method::exact).empty();
}

}  // namespace

TEST_CASE("moves transfer a factor from the DRAM, or change nothing") {
  by_seed(23'000'000, testkit::cases(60), {.macs = 64}, [](const Instance& i) {
    if (!has_mapping(i)) return;
    const std::size_t places = kDirections + i.architecture.dram();
    heuristic::NestBuilder nest(i.architecture, i.workload,
                                mapper::smallest_mapping(i.architecture, i.workload));
    for (std::size_t step = 0; step < 4 * places; ++step) {
      for (const Dim j : kAllDims) {
        for (const std::int64_t factor : prime_factors_of(nest.left(j))) {
          if (nest.left(j) % factor == 0) {
            check_move(i, nest, j, factor, (step * 7 + index(j)) % places);
          }
        }
      }
    }
  });
}

TEST_CASE("a direction of the array is filled anew, and then there is room for the tiles") {
  by_seed(27'000'000, testkit::cases(200), {.macs = 64}, [](const Instance& i) {
    if (!has_mapping(i)) return;
    SplitMix64 random(5);
    heuristic::RandomMappings draw(i.architecture, i.workload, 3,
                                   mapper::smallest_mapping(i.architecture, i.workload));
    for (const Direction d : kAllDirections) check_filling(i, draw.next(), d, random);
  });
}

// From 7 * 2 of S and C on 16 MACs no single step leads to the 16 of C that are better: with twice
// as many channels, the tile of the input is too large for its buffer.
TEST_CASE("a local search finds another unrolling") {
  const Architecture a = read_architecture("gddr6_aim");
  Workload w;
  w.bounds = {7, 7, 168, 48, 384, 224, 64, 1};
  const Mapping smallest = mapper::smallest_mapping(a, w);
  const Objective objective = Objective::parse("edp");
  const heuristic::LocalSearch search{a, w, objective, RowModel::hybrid, {}, {}, 10'000, 2};
  const auto found = heuristic::local_search(search, smallest, smallest);
  CHECK(unrolled(found.mapping, Direction::internal) == 16);
}

TEST_CASE("the best layouts of a mapping are those of trying all") {
  by_seed(24'000'000, testkit::cases(100), {.macs = 64}, [](const Instance& i) {
    if (!has_mapping(i)) return;
    const Mapping smallest = mapper::smallest_mapping(i.architecture, i.workload);
    heuristic::RandomMappings draw(i.architecture, i.workload, 3, smallest);
    for (int k = 0; k < 3; ++k) {
      Mapping m = draw.next();
      m.layout = {};
      m.input_block = {};
      check_best_layouts(i, m);
    }
  });
}

// A row holds a tile of 4 x 4 elements of the input, or two lines of 8: of lines, a tile opens two
// rows.
TEST_CASE("an input in small rows is aligned in blocks of its tile") {
  Instance i{testkit::simple_pim(), {}, Objective::parse("activations"), RowModel::trace};
  MemoryLevel& rows = i.architecture.levels[i.architecture.row_buffer()];
  rows.row_buffer_size = 16;
  rows.capacity = 16;
  i.workload.bounds = {1, 1, 8, 8, 1, 1, 1, 1};
  Mapping m = mapper::smallest_mapping(i.architecture, i.workload);
  m.layout = {};
  m.input_block = {};
  m.levels[i.architecture.row_buffer()].loops = {{Dim::Q, 4}, {Dim::P, 4}};
  m.levels[i.architecture.dram()].loops = {{Dim::Q, 2}, {Dim::P, 2}};
  REQUIRE(!find_violation(i.architecture, i.workload, m));
  check_best_layouts(i, m);
  const Mapping best = heuristic::with_best_layouts(i.architecture, i.workload, m, i.row_model);
  CHECK(best.layout[index(Tensor::input)] == Layout::row_aligned);
  const Metrics metrics = evaluate(i.architecture, i.workload, best, i.row_model);
  CHECK(metrics.row_activations[index(Tensor::input)] == 4);
}

TEST_CASE("no step improves what a local search found, and random search looks at what it may") {
  by_seed(25'000'000, testkit::cases(60), {.macs = 24}, [](const Instance& i) {
    if (!has_mapping(i)) return;
    const Mapping smallest = mapper::smallest_mapping(i.architecture, i.workload);
    const heuristic::LocalSearch search{
        i.architecture, i.workload, i.objective, i.row_model, {}, {}, 4000};
    const auto found = heuristic::local_search(search, smallest, smallest);
    CHECK(found.samples == 4000);
    for (Mapping& next : Neighbours(i, found.mapping).all()) {
      if (find_violation(i.architecture, i.workload, next)) next.layout = {};
      if (find_violation(i.architecture, i.workload, next)) continue;
      const Metrics metrics = evaluate(i.architecture, i.workload, next, i.row_model);
      CHECK(!heuristic::better(i.objective, metrics, found.metrics));
    }
    const auto drawn = heuristic::random_search(i.architecture, i.workload, i.objective,
                                                i.row_model, 1, 7, smallest, [] { return false; });
    CHECK(drawn.samples == 7);
  });
}

TEST_CASE("a local search looks at every step from its best mapping") {
  Architecture a = testkit::free_bypass_pim();
  a.input_order = InputOrder::free;
  std::size_t next_bounds = 0;
  for (const char* goals : {"edp", "latency,energy", "energy", "latency", "edp", "activations"}) {
    CAPTURE(std::string(goals));
    const std::size_t bounds = next_bounds++;
    if (testkit::slow_build() && bounds % 4 != 0) continue;
    Instance i{a, {}, Objective::parse(goals), RowModel::trace};
    i.workload.bounds =
        bounds < 3 ? Factors{3, 1, 8, 4, 12, 8, 1, 1} : Factors{1, 3, 6, 10, 9, 4, 2, 1};
    const Mapping smallest = mapper::smallest_mapping(a, i.workload);
    std::vector<Mapping> seen;
    const heuristic::LocalSearch search{a,
                                        i.workload,
                                        i.objective,
                                        i.row_model,
                                        [&](const Mapping& m) {
                                          seen.push_back(m);
                                          return true;
                                        },
                                        {},
                                        12000};
    const auto found = heuristic::local_search(search, smallest, smallest);
    std::size_t steps = 0;
    for (Mapping& next : Neighbours(i, found.mapping).all()) {
      if (find_violation(a, i.workload, next)) next.layout = {};
      if (find_violation(a, i.workload, next)) continue;
      ++steps;
      CHECK(std::ranges::find(seen, next) != seen.end());
    }
    CHECK(steps > 50);
  }
}

TEST_CASE("a layout is row-aligned where that is allowed, and sequential otherwise") {
  by_seed(26'000'000, testkit::cases(60), {.macs = 64}, [](const Instance& i) {
    if (!has_mapping(i)) return;
    heuristic::NestBuilder nest(i.architecture, i.workload,
                                mapper::smallest_mapping(i.architecture, i.workload));
    const auto edges = heuristic::block_edges(i.architecture, i.workload, nest.mapping());
    for (const Tensor t : kAllTensors) {
      const bool aligned = nest.align(t, {edges.heights.front(), edges.widths.back()});
      CHECK((nest.mapping().layout[index(t)] == Layout::row_aligned) == aligned);
      CHECK(!find_violation(i.architecture, i.workload, nest.mapping()));
    }
  });
}

TEST_CASE("random mappings are feasible, with the input in either order where it is free") {
  Architecture a = testkit::simple_pim();
  a.input_order = InputOrder::free;
  Workload w;
  w.bounds = {1, 1, 8, 4, 8, 8, 1, 1};
  heuristic::RandomMappings draw(a, w, 1, mapper::smallest_mapping(a, w));
  std::size_t channels_last = 0;
  for (int k = 0; k < 60; ++k) {
    const Mapping m = draw.next();
    CHECK(!find_violation(a, w, m));
    if (m.input_order != InputOrder::nhwc) continue;
    ++channels_last;
    CHECK(m.layout[index(Tensor::input)] == Layout::sequential);
  }
  CHECK(channels_last > 5);
}

TEST_CASE("a local search begins with a fifth of its tries, but with 32 at least and 96 at most") {
  const Architecture a = testkit::simple_pim();
  Workload w;
  w.bounds = {3, 1, 8, 4, 12, 8, 1, 1};
  const Objective objective = Objective::parse("edp");
  const Mapping smallest = mapper::smallest_mapping(a, w);
  heuristic::RandomMappings draw(a, w, 1, smallest);
  std::vector<Mapping> random;
  for (int k = 0; k < 100; ++k) random.push_back(draw.next());
  struct Search {
    std::uint64_t tries;
    std::size_t begins_with;
  };
  for (const Search& each : {Search{100, 32}, Search{250, 50}, Search{1000, 96}}) {
    CAPTURE(each.tries);
    std::vector<Mapping> seen;
    const auto see = [&](const Mapping& m) {
      seen.push_back(m);
      return true;
    };
    heuristic::local_search({a, w, objective, RowModel::trace, see, {}, each.tries}, smallest,
                            smallest);
    const auto count = static_cast<std::ptrdiff_t>(each.begins_with);
    const auto first =
        std::search(seen.begin(), seen.end(), random.begin(), random.begin() + count);
    REQUIRE(seen.end() - first > count);
    CHECK(first[count] != random[each.begins_with]);
  }
}

TEST_CASE("an order of loops that helps is followed by all other steps") {
  const Architecture a = testkit::simple_pim();
  std::size_t improved = 0;
  for (const char* goal : {"edp", "energy", "latency"}) {
    CAPTURE(std::string(goal));
    Instance i{a, {}, Objective::parse(goal), RowModel::trace};
    i.workload.bounds = {3, 1, 8, 4, 12, 8, 1, 1};
    const Mapping smallest = mapper::smallest_mapping(a, i.workload);
    heuristic::LocalSearch search{a, i.workload, i.objective, i.row_model, {}, {}, 12000};
    Mapping start = heuristic::local_search(search, smallest, smallest).mapping;
    for (std::size_t level = 1; level < a.levels.size(); ++level) {
      std::ranges::reverse(start.levels[level].loops);
    }
    if (find_violation(a, i.workload, start)) continue;
    std::vector<Mapping> seen;
    search.admits = [&](const Mapping& m) {
      seen.push_back(m);
      return true;
    };
    search.tries = 2500;
    const auto found = heuristic::local_search(search, start, smallest);
    const Metrics reversed = evaluate(a, i.workload, start, i.row_model);
    if (!heuristic::better(i.objective, found.metrics, reversed)) continue;
    if (testkit::slow_build() && improved > 0) break;
    ++improved;
    for (Mapping& next : Neighbours(i, found.mapping).all()) {
      if (find_violation(a, i.workload, next)) next.layout = {};
      if (find_violation(a, i.workload, next)) continue;
      CHECK(std::ranges::find(seen, next) != seen.end());
    }
  }
  CHECK(improved > 0);
}

TEST_CASE("after an order that helps, factors are moved again") {
  const Architecture a = testkit::simple_pim();
  Instance i{a, {}, Objective::parse("energy"), RowModel::trace};
  i.workload.bounds = {3, 1, 8, 4, 12, 8, 1, 1};
  const Mapping smallest = mapper::smallest_mapping(a, i.workload);
  heuristic::RandomMappings draw(a, i.workload, 1, smallest);
  std::size_t found = 0;
  for (int k = 0; k < 100 && found < 5; ++k) {
    const auto steps = order_then_move(i, draw.next());
    if (!steps) continue;
    ++found;
    const auto admits = [&](const Mapping& m) { return std::ranges::count(*steps, m) > 0; };
    const auto best = heuristic::local_search(
        {a, i.workload, i.objective, i.row_model, admits, {}, 4000}, steps->front(), smallest);
    CHECK(best.mapping == steps->back());
  }
  CHECK(found == 5);
}

TEST_CASE("the input keeps the architecture's order unless it is free") {
  const Architecture a = testkit::simple_pim();
  Workload w;
  w.bounds = {3, 1, 8, 4, 12, 8, 1, 1};
  const Objective objective = Objective::parse("activations");
  const Mapping smallest = mapper::smallest_mapping(a, w);
  std::size_t others = 0;
  const auto see = [&](const Mapping& m) {
    others += m.input_order == InputOrder::nchw ? 0 : 1;
    return true;
  };
  heuristic::local_search({a, w, objective, RowModel::trace, see, {}, 4000}, smallest, smallest);
  CHECK(others == 0);
}

TEST_CASE("a row buffer stores all tensors, so that free bypass of it changes no random mapping") {
  Architecture a = testkit::free_bypass_pim();
  Workload w;
  w.bounds = {1, 1, 8, 4, 8, 8, 1, 1};
  const Mapping smallest = mapper::smallest_mapping(a, w);
  heuristic::RandomMappings draw(a, w, 1, smallest);
  Architecture same = a;
  same.levels[same.row_buffer()].bypass_free = true;
  heuristic::RandomMappings again(same, w, 1, smallest);
  for (int k = 0; k < 20; ++k) CHECK(draw.next() == again.next());
}
