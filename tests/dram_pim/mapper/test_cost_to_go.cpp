// Cost-to-go tables: numbers of 64 bits say what those of 128 say, up to the largest costs that
// they are used for, and are not used beyond.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <functional>

#include "dram_pim/mapper/cost_to_go.hpp"
#include "dram_pim/mapper/mapping_problem.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using mapper::CostToGo;
using mapper::CostToGoTables;
using mapper::LevelTiles;
using mapper::State;
using mapper::Storage;
using mapper::TileIndex;
using testkit::Choices;

namespace {

bool fits_64_bits(const testkit::Instance& i) {
  return mapper::make_scale(i.architecture, i.workload).fills_fit_64_bits;
}

/// Gives a figure ever finer digits, and with it the scale larger integers, as long as 64 bits hold
/// them; returns a figure that is too fine.
Rational refine(Rational& figure, const testkit::Instance& i) {
  const Rational plain = figure;
  for (std::int64_t unit = 2;; unit *= 2) {
    const Rational coarser = figure;
    figure = plain + Rational(1, unit);
    if (!fits_64_bits(i)) return std::exchange(figure, coarser);
  }
}

/// Few or many, close or far apart, with or without a limit.
std::vector<Int128> random_thresholds(Choices& choices, Int128 most) {
  std::vector<Int128> thresholds;
  while (thresholds.size() + 1 < CostToGo::kMaxThresholds && !choices.once_in(4)) {
    thresholds.push_back(most >> choices.pick(40));
  }
  thresholds.push_back(choices.once_in(2) ? mapper::kInfinity : most << choices.pick(10));
  std::sort(thresholds.begin(), thresholds.end());
  return thresholds;
}

struct Problem {
  mapper::Instance instance;
  Storage storage;
  LevelTiles levels;

  Problem(const testkit::Instance& i, const std::vector<TensorFlags>& stores)
      : instance(i.architecture, i.workload, i.row_model),
        storage(i.architecture, i.workload, instance.scale, stores),
        levels(i.architecture, instance.lattice, instance.vectors, storage, true) {}

  template <class Number>
  [[nodiscard]] CostToGoTables<Number> tables(const std::vector<Int128>& thresholds) const {
    return {instance.lattice, storage, levels, thresholds, {}, {}};
  }

  template <class Visit>
  void for_each_state(const Visit& visit) const {
    for (std::size_t m = 0; m + 1 < levels.tiles.size(); ++m) {
      for (const TileIndex tile : levels.tiles[m]) {
        for (const Tensor t : kAllTensors) {
          const std::uint32_t own = instance.lattice[tile].anchor[index(t)];
          visit(m, State{tile, t, own});
          visit(m, State{tile, t, instance.lattice.full_anchor(t)});
        }
      }
    }
  }
};

std::vector<Int128> numbers(const CostToGo::Entry& entry, std::size_t thresholds) {
  std::vector<Int128> result{entry.latency()};
  for (std::size_t i = 0; i < entry.open_count(); ++i) result.push_back(entry.open(i));
  result.insert(result.end(), entry.energies(), entry.energies() + thresholds);
  return result;
}

std::vector<Int128> numbers(const Int128* entry, std::size_t width) {
  return {entry, entry + width};
}

/// Whether what is read as the cost to go is what tables of 128 bits hold, in every state.
bool reads_wide_tables(const Problem& p, const std::vector<Int128>& thresholds) {
  const CostToGo cost_to_go(p.instance.lattice, p.storage, p.levels, thresholds);
  const auto wide = p.tables<Int128>(thresholds);
  const std::size_t count = thresholds.size();
  bool same = true;
  p.for_each_state([&](std::size_t m, const State& state) {
    std::vector<Int128> exact(wide.width());
    wide.at(m, state, exact.data());
    same = same && numbers(cost_to_go.at(m, state), count) == exact &&
           numbers(cost_to_go.best(m, state.tile, state.stationary), count) ==
               numbers(wide.best(m, state.tile, state.stationary), wide.width());
  });
  for (TileIndex i = 0; i < p.instance.lattice.size(); ++i) {
    same = same && numbers(cost_to_go.below_row_buffer(i), count) ==
                       numbers(wide.below_row_buffer(i), wide.width());
  }
  return same;
}

/// A random storage choice of a random instance.
struct Drawn {
  testkit::Instance instance;
  std::vector<TensorFlags> stores;

  explicit Drawn(Choices& choices)
      : instance(testkit::random_instance(choices, {.macs = 48, .free_levels = 3})) {
    const auto all = mapper::storage_choices(instance.architecture);
    stores = all[choices.pick(all.size())];
  }
};

}  // namespace

// The unpruned tables are the reference, which other tests compare with exhaustion.
TEST_CASE("tables without hopeless tiles say the same of all others, and no less of these") {
  const std::uint64_t first = testkit::first_seed(8'200'000);
  std::size_t out = 0;
  std::size_t changed = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(400); ++seed) {
    Choices choices(seed);
    const Drawn drawn(choices);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(drawn.instance));
    const Problem p(drawn.instance, drawn.stores);
    if (p.levels.tiles[0].empty() || p.levels.tiles.size() < 3) continue;
    const std::size_t last = p.levels.tiles.size() - 2;
    const std::vector<Int128> thresholds =
        random_thresholds(choices, p.instance.scale.most_latency);
    const std::size_t count = thresholds.size();
    const CostToGo all(p.instance.lattice, p.storage, p.levels, thresholds);
    const auto no_more = [&](const CostToGo::Entry& a, const CostToGo::Entry& b) {
      return std::ranges::equal(numbers(a, count), numbers(b, count), std::less_equal<>());
    };
    std::vector<char> hopeless(p.instance.lattice.size(), 0);
    const std::size_t kept = choices.pick(4);  // in how many a tile is out
    for (const TileIndex i : p.levels.tiles[last]) hopeless[i] = choices.once_in(1 + kept) ? 1 : 0;
    std::atomic<bool> bounded = true;  // what a tile is judged by
    const CostToGo some(p.instance.lattice, p.storage, p.levels, thresholds, {}, {},
                        [&](const CostToGo& tables, TileIndex i, Tensor t, const auto& rest) {
                          if (tables.thresholds() != thresholds) bounded = false;
                          if (!no_more(rest, all.best(last, i, t))) bounded = false;
                          return hopeless[i] != 0;
                        });
    CHECK(bounded);
    bool same = true;
    p.for_each_state([&](std::size_t m, const State& state) {
      const auto differ = [&](const CostToGo::Entry& a, const CostToGo::Entry& b) {
        if (numbers(a, count) == numbers(b, count)) return;
        ++changed;
        same = same && m == last && hopeless[state.tile] != 0 && no_more(a, b);
      };
      differ(all.at(m, state), some.at(m, state));
      differ(all.best(m, state.tile, state.stationary), some.best(m, state.tile, state.stationary));
    });
    CHECK(same);
    out += static_cast<std::size_t>(std::ranges::count(hopeless, 1));
  }
  CHECK((out > 0 || testkit::slow_build()));
  CHECK((changed > 0 || testkit::slow_build()));
}

TEST_CASE("numbers of 64 bits are those of 128, up to the largest costs that fit") {
  const std::uint64_t first = testkit::first_seed(8'000'000);
  std::size_t useful = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(400); ++seed) {
    Choices choices(seed);
    Drawn drawn(choices);
    Architecture& a = drawn.instance.architecture;
    CAPTURE(seed);
    CAPTURE(testkit::to_json(drawn.instance));
    REQUIRE(fits_64_bits(drawn.instance));
    refine(a.pe_array.reduction_latency, drawn.instance);
    refine(a.levels.front().access_cost, drawn.instance);
    const Problem p(drawn.instance, drawn.stores);
    const auto thresholds = random_thresholds(choices, p.instance.scale.most_latency);
    CHECK(CostToGo(p.instance.lattice, p.storage, p.levels, thresholds).is_narrow());
    CHECK(reads_wide_tables(p, thresholds));
    if (!p.levels.tiles[0].empty()) ++useful;
  }
  CHECK(useful > testkit::cases(400) / 2);
}

TEST_CASE("larger costs are left to numbers of 128 bits") {
  const std::uint64_t first = testkit::first_seed(8'100'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(100); ++seed) {
    Choices choices(seed);
    Drawn drawn(choices);
    Architecture& a = drawn.instance.architecture;
    CAPTURE(seed);
    Rational& figure =
        choices.once_in(2) ? a.pe_array.reduction_latency : a.levels.front().access_cost;
    figure = refine(figure, drawn.instance);
    const Problem p(drawn.instance, drawn.stores);
    const auto thresholds = random_thresholds(choices, p.instance.scale.most_latency);
    CHECK_FALSE(CostToGo(p.instance.lattice, p.storage, p.levels, thresholds).is_narrow());
    CHECK(reads_wide_tables(p, thresholds));
  }
}
