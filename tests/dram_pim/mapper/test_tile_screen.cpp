// The screens of tiles and of first decisions: all that a mapping of interest has passes, other
// things are left out, and the answers of layers that are large enough stay as they are.
#include <doctest/doctest.h>

#include <map>

#include "dram_pim/mapper/fill_screen.hpp"
#include "dram_pim/mapper/level_tiles.hpp"
#include "dram_pim/mapper/tile_screen.hpp"
#include "dram_pim/solver/list_fills.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using mapper::Costs;
using mapper::TileIndex;
using mapper::TileScreen;
using testkit::Choices;

namespace {

/// Tiles of the levels up to the row buffer's, the unrolling, and scaled costs.
struct Chain {
  std::vector<TileIndex> tiles;
  Factors array = kOnes;
  Factors internal = kOnes;
  TileIndex unrolled = 0;
  Costs costs;
};

/// Whether the times and energies of `least` are no more than those of `costs`.
bool bounds(const Costs& least, const Costs& costs) {
  return least.latency <= costs.latency && least.energy <= costs.energy;
}

/// All mappings under one storage choice.
std::vector<Chain> chains(const mapper::Instance& instance, RowModel model,
                          const std::vector<TensorFlags>& stores) {
  std::map<Factors, TileIndex> places;
  for (TileIndex c = 0; c < instance.lattice.size(); ++c) places[instance.lattice[c].c] = c;
  std::vector<Chain> all;
  oracle::for_each_mapping(instance.architecture, instance.workload, [&](const Mapping& mapping) {
    if (!std::ranges::equal(mapping.levels, stores, {}, &MappingLevel::stores)) return;
    const Metrics metrics = evaluate(instance.architecture, instance.workload, mapping, model);
    Chain& chain = all.emplace_back();
    chain.costs = {instance.scale.scaled_latency(metrics.latency),
                   instance.scale.scaled_energy(metrics.energy), 0};
    for (std::size_t m = 0; m <= instance.architecture.row_buffer(); ++m) {
      chain.tiles.push_back(places.at(mapping.tile(m)));
    }
    for (std::size_t j = 0; j < kDims; ++j) {
      chain.array[j] = mapping.spatial_in(Direction::H)[j] * mapping.spatial_in(Direction::W)[j];
    }
    chain.internal = mapping.spatial_in(Direction::internal);
    chain.unrolled = places.at(mapping.spatial_tile());
  });
  return all;
}

/// Whether the mapping's row-buffer tile has a first decision that costs no more than it does.
bool arrives(const mapper::Instance& instance, const Chain& chain) {
  for (std::size_t k = 0; k < instance.arrivals.size(); ++k) {
    const mapper::Arrival arrival = instance.arrivals[k];
    if (arrival.step.to.tile == chain.tiles.back() && bounds(arrival.least, chain.costs)) {
      return true;
    }
  }
  return false;
}

void check_tiles(const Chain& chain, const mapper::InsideFloors& inside, const TileScreen& screen,
                 const mapper::LevelTiles& levels) {
  for (std::size_t m = 0; m + 1 < chain.tiles.size(); ++m) {
    CHECK(bounds(inside[m][chain.tiles[m]].floor(0), chain.costs));
    CHECK(screen.hopeful(m, chain.tiles[m]));
    CHECK(levels.admits(m, chain.tiles[m]));
  }
}

std::size_t tiles_left_out(const mapper::Instance& instance, const TileScreen& screen,
                           const mapper::LevelTiles& levels) {
  std::size_t count = 0;
  for (std::size_t m = 0; m < instance.architecture.row_buffer(); ++m) {
    for (TileIndex c = 0; c < instance.lattice.size(); ++c) {
      if (screen.hopeful(m, c)) continue;
      CHECK_FALSE(levels.admits(m, c));
      ++count;
    }
  }
  return count;
}

/// Under the row model trace: the fills of all mappings of interest are listed. Whether there is a
/// list.
std::size_t check_list(const testkit::Instance& i, const mapper::Storage& storage,
                       const mapper::Hopeless& hopeless, const std::vector<Chain>& all,
                       const mapper::Lattice& lattice) {
  if (!is_traced(i.row_model)) return 0;
  const auto fills =
      mapper::list_fills(i.architecture, i.workload, i.row_model, {}, storage, {}, hopeless, {});
  if (!fills) return 0;
  for (const Chain& chain : all) {
    const Factors& fill = lattice[chain.tiles[i.architecture.row_buffer() - 1]].c;
    CHECK((hopeless(chain.costs) || std::ranges::find(*fills, fill) != fills->end()));
  }
  return 1;
}

}  // namespace

TEST_CASE("all that a mapping of interest has passes the screens, other things do not") {
  const std::uint64_t first = testkit::first_seed(8'600'000);
  std::size_t left_out = 0;
  std::size_t arrivals_left_out = 0;
  std::size_t unrollings_left_out = 0;
  std::size_t interesting = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(300); ++seed) {
    Choices choices(seed);
    const testkit::Instance i = testkit::random_instance(choices, {.macs = 10, .free_levels = 1});
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const mapper::Instance instance(i.architecture, i.workload, i.row_model);
    const auto choices_of_storage = mapper::storage_choices(i.architecture);
    const auto& stores = choices_of_storage[choices.pick(choices_of_storage.size())];
    const std::vector<Chain> all = chains(instance, i.row_model, stores);
    if (all.empty()) continue;
    const Int128 latency = all[choices.pick(all.size())].costs.latency;
    const Int128 energy = all[choices.pick(all.size())].costs.energy;
    const mapper::Storage storage(i.architecture, i.workload, instance.scale, stores);
    const auto hopeless = [&](const Costs& least) {
      return least.latency > latency || least.energy > energy;
    };
    const std::size_t rb = i.architecture.row_buffer();
    const mapper::InsideFloors inside(instance, storage, rb + 1, {});
    const mapper::ArrivalScreen arrival_screen(instance, storage, inside, hopeless, {});
    const mapper::Instance narrowed(
        mapper::TileSpace(i.architecture, i.workload, i.row_model, {}, instance.scale, {}), {},
        &arrival_screen);
    arrivals_left_out += instance.arrivals.size() - narrowed.arrivals.size();
    const mapper::InsideFloors of_interest(instance, storage, rb + 1, {}, {hopeless, {}});
    const TileScreen screen(narrowed, storage, choices.pick(2) == 0 ? inside : of_interest,
                            hopeless, {});
    const mapper::LevelTiles levels(i.architecture, instance.lattice, instance.vectors, storage,
                                    true, {}, {}, {}, &screen);
    for (const Chain& chain : all) {
      const mapper::Terms leaf = storage.leaf(chain.array, chain.internal);
      if (hopeless(chain.costs)) {
        unrollings_left_out += screen.hopeful(chain.unrolled, leaf) ? 0U : 1U;
        continue;
      }
      ++interesting;
      CHECK(arrival_screen.hopeful(chain.tiles[rb]));
      CHECK(arrives(narrowed, chain));
      check_tiles(chain, inside, screen, levels);
      CHECK(screen.hopeful(chain.unrolled, leaf));
    }
    left_out += tiles_left_out(instance, screen, levels);
  }
  CHECK(interesting > testkit::cases(300));
  CHECK(left_out > testkit::cases(300));
  CHECK(arrivals_left_out > testkit::cases(300));
  CHECK(unrollings_left_out > testkit::cases(300));
}

TEST_CASE("a layer without hopeful fills has no mapping of interest") {
  const std::uint64_t first = testkit::first_seed(8'800'000);
  std::size_t none = 0;
  std::size_t some = 0;
  std::size_t listed = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(300); ++seed) {
    Choices choices(seed);
    const testkit::Instance i = testkit::random_instance(choices, {.macs = 10, .free_levels = 1});
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const mapper::Instance instance(i.architecture, i.workload, i.row_model);
    const auto choices_of_storage = mapper::storage_choices(i.architecture);
    const auto& stores = choices_of_storage[choices.pick(choices_of_storage.size())];
    const std::vector<Chain> all = chains(instance, i.row_model, stores);
    if (all.empty()) continue;
    const mapper::Storage storage(i.architecture, i.workload, instance.scale, stores);
    const auto cost = [&](Int128 Costs::*of) { return all[choices.pick(all.size())].costs.*of; };
    for (int limit = 0; limit < 4; ++limit) {
      // Some mapping's costs, or a part of the least latency of all.
      Costs most{cost(&Costs::latency), cost(&Costs::energy), 0};
      if (limit > 1) {
        for (const Chain& chain : all) most.latency = std::min(most.latency, chain.costs.latency);
        most.latency /= choices.one_of({1, 2, 5, 20, 100});
      }
      const auto hopeless = [&](const Costs& least) { return !bounds(least, most); };
      if (mapper::fills_are_hopeful(i.architecture, i.workload, storage, {}, hopeless)) {
        ++some;
        listed += check_list(i, storage, hopeless, all, instance.lattice);
        continue;
      }
      ++none;
      for (const Chain& chain : all) CHECK(hopeless(chain.costs));
    }
  }
  CHECK(listed > testkit::cases(300) / 10);
  CHECK(none > testkit::cases(300) / 4);
  CHECK(some > testkit::cases(300));
}

TEST_CASE("with many tiles the screen leaves few, and the optimum" *
          doctest::skip(testkit::slow_build())) {
  Workload w;
  for (const Dim j : {Dim::P, Dim::Q, Dim::C, Dim::K}) w.bounds[index(j)] = 60;
  w.bounds[index(Dim::R)] = w.bounds[index(Dim::S)] = 3;
  Architecture a = read_architecture("simple_pim");
  a.levels[1].capacity = 4096;
  a.levels[2].capacity.reset();
  for (const char* goals : {"latency", "energy", "edp", "blended", "latency,energy"}) {
    CAPTURE(goals);
    testkit::SolveOptions options;
    options.objective = Objective::parse(goals);
    options.row_model = RowModel::hybrid;
    const Solution with = solve(a, w, options);
    options.rules.set(Rule::tiles, false);
    const Solution without = solve(a, w, options);
    REQUIRE(with.status == Status::optimal);
    REQUIRE(without.status == Status::optimal);
    for (std::size_t g = 0; g < with.goals.size(); ++g) {
      CHECK(with.goals[g].value == without.goals[g].value);
    }
    CHECK(with.memory <= without.memory);
  }
}

TEST_CASE("limits of a question screen tiles as a known mapping does") {
  Architecture a = read_architecture("simple_pim");
  a.levels[1].capacity = 512;
  const std::uint64_t first = testkit::first_seed(8'700'000);
  std::size_t none = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(24); ++seed) {
    Choices choices(seed);
    CAPTURE(seed);
    Workload w;
    for (const Dim j : {Dim::P, Dim::Q, Dim::C, Dim::K}) {
      w.bounds[index(j)] = choices.one_of({std::int64_t{6}, std::int64_t{8}, std::int64_t{12}});
    }
    const Goal goal = choices.one_of({Goal::latency, Goal::energy, Goal::edp});
    Question question;
    question.objective.goals = {goal};
    question.row_model = choices.one_of({RowModel::analytic, RowModel::hybrid, RowModel::trace});
    // One storage choice that constraints leave of several is one as well.
    a.levels[1].bypass_free = choices.pick(2) != 0;
    if (a.levels[1].bypass_free) {
      question.constraints.stores.resize(a.levels.size());
      for (auto& stored : question.constraints.stores[1]) stored = choices.pick(2) != 0;
    }
    question.rules.set(Rule::tiles, false);
    const Solution best = solve(a, w, question, {});
    REQUIRE(best.status == Status::optimal);
    const Rational optimum = best.goals.front().value;
    question.rules.set(Rule::tiles, true);
    for (const Rational& factor : {Rational(1), Rational(101, 100), Rational(3, 2)}) {
      question.below = optimum * factor;
      const Solution found = solve(a, w, question, {});
      if (factor == Rational(1)) {
        CHECK(found.status == Status::infeasible);
        ++none;
        continue;
      }
      REQUIRE(found.status == Status::optimal);
      CHECK(found.goals.front().value == optimum);
    }
    // A cap on another goal, attained by its own optimum only.
    question.below.reset();
    question.objective.goals = {Goal::latency, Goal::energy};
    const Solution in_order = solve(a, w, question, {});
    question.objective.goals = {Goal::energy};
    question.caps = {{Goal::latency, in_order.goals.front().value}};
    const Solution capped = solve(a, w, question, {});
    REQUIRE(capped.status == Status::optimal);
    CHECK(capped.goals.front().value == in_order.goals.back().value);
  }
  CHECK(none == testkit::cases(24));
}
