// The screen of tiles: every tile of every mapping of interest passes, others are left out, and the
// answers of layers that are large enough for it stay as they are.
#include <doctest/doctest.h>

#include <map>

#include "dram_pim/mapper/level_tiles.hpp"
#include "dram_pim/mapper/tile_screen.hpp"
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

/// Tiles of levels inside the row buffer, and scaled costs.
struct Chain {
  std::vector<TileIndex> tiles;
  Costs costs;
};

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
    for (std::size_t m = 0; m < instance.architecture.row_buffer(); ++m) {
      chain.tiles.push_back(places.at(mapping.tile(m)));
    }
  });
  return all;
}

}  // namespace

TEST_CASE("every tile of a mapping of interest passes the screen, others do not") {
  const std::uint64_t first = testkit::first_seed(8'600'000);
  std::size_t left_out = 0;
  std::size_t interesting = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(300); ++seed) {
    Choices choices(seed);
    const testkit::Instance i = testkit::random_instance(choices, {.macs = 10, .free_levels = 1});
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const mapper::Instance instance(i.architecture, i.workload, i.row_model);
    const auto choices_of_storage = mapper::storage_choices(i.architecture);
    const auto stores = choices_of_storage[choices.pick(choices_of_storage.size())];
    const std::vector<Chain> all = chains(instance, i.row_model, stores);
    if (all.empty()) continue;
    const Int128 latency = all[choices.pick(all.size())].costs.latency;
    const Int128 energy = all[choices.pick(all.size())].costs.energy;
    const mapper::Storage storage(i.architecture, i.workload, instance.scale, stores);
    const auto hopeless = [&](const Costs& least) {
      return least.latency > latency || least.energy > energy;
    };
    const TileScreen screen(instance, storage, hopeless, {});
    const mapper::LevelTiles levels(i.architecture, instance.lattice, instance.vectors, storage,
                                    true, {}, {}, {}, &screen);
    for (const Chain& chain : all) {
      if (hopeless(chain.costs)) continue;
      ++interesting;
      for (std::size_t m = 0; m < chain.tiles.size(); ++m) {
        CHECK(screen.hopeful(m, chain.tiles[m]));
        CHECK(levels.admits(m, chain.tiles[m]));
      }
    }
    for (std::size_t m = 0; m < instance.architecture.row_buffer(); ++m) {
      for (TileIndex c = 0; c < instance.lattice.size(); ++c) {
        if (screen.hopeful(m, c)) continue;
        CHECK_FALSE(levels.admits(m, c));
        ++left_out;
      }
    }
  }
  CHECK(interesting > testkit::cases(300));
  CHECK(left_out > testkit::cases(300));
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
