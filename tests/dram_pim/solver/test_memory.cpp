// Solves under a memory limit: refused if not even the tables fit, otherwise exact.
#include <doctest/doctest.h>

#include <optional>
#include <string>

#include "dram_pim/mapper/instance.hpp"
#include "dram_pim/mapper/level_tiles.hpp"
#include "dram_pim/mapper/root_bounds.hpp"
#include "dram_pim/solver/memory_need.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;
using testkit::SolveOptions;

namespace {

/// What the refusal of a limit says is needed; nothing if it is not refused.
std::optional<std::uint64_t> needed(const Instance& i, std::uint64_t limit) {
  SolveOptions options = testkit::options_for(i);
  options.memory_limit = limit;
  options.node_limit = 1;
  try {
    (void)solve(i.architecture, i.workload, options);
    return std::nullopt;
  } catch (const LimitError& refusal) {
    const std::string text = refusal.what();
    const std::string before = "need at least ";
    return std::stoull(text.substr(text.find(before) + before.size()));
  }
}

/// The least limit that is not refused, by asking again with what the refusal says is needed.
std::uint64_t least_limit(const Instance& i) {
  std::uint64_t limit = 1;
  while (const auto more = needed(i, limit)) {
    REQUIRE(*more > limit);
    limit = *more;
  }
  return limit;
}

/// Real, and open in hundreds of nodes that take more memory than the tables.
Instance large_nodes() {
  Instance i;
  i.architecture = testkit::simple_pim();
  i.workload = testkit::resnet18_layers()[9];  // conv5_down
  i.objective = Objective::parse("activations");
  i.row_model = RowModel::trace;
  return i;
}

}  // namespace

TEST_CASE("with as little memory as is admitted: claims are true, and with a bit more complete") {
  const std::uint64_t start = testkit::first_seed(12'000'000);
  for (std::uint64_t seed = start; seed < start + testkit::cases(200); ++seed) {
    Choices choices(seed);
    const Instance i = testkit::random_instance(choices, {.macs = 36});
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const auto optimum = oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model);
    SolveOptions options = testkit::options_for(i);
    if (!optimum.mapping) continue;
    // Enough for the tables of the first storage choice; another one may need a few times more.
    const std::uint64_t least = least_limit(i);
    options.memory_limit = least;
    Solution s = solve(i.architecture, i.workload, options);
    CHECK(testkit::complaint(i, s, optimum, true) == "");
    while (s.status != Status::optimal && options.memory_limit < 8 * least) {
      options.memory_limit += options.memory_limit / 4;
      s = solve(i.architecture, i.workload, options);
      CHECK(testkit::complaint(i, s, optimum, true) == "");
    }
    CHECK(testkit::complaint(i, s, optimum) == "");
  }
}

TEST_CASE("under a limit the search is the same on any number of threads, and keeps the limit") {
  const Instance i = large_nodes();
  SolveOptions options = testkit::options_for(i);
  options.rules.set(Rule::joint, false);  // proves it at the root
  const Solution free = solve(i.architecture, i.workload, options);
  REQUIRE(free.status == Status::optimal);
  for (const std::uint64_t percent : {50, 75}) {
    if (percent == 75 && !testkit::chosen(1)) continue;
    options.memory_limit = free.memory * percent / 100;
    options.threads = 1;
    const Solution one = solve(i.architecture, i.workload, options);
    CHECK(one.status == Status::optimal);
    CHECK(one.goals[0].value == free.goals[0].value);
    CHECK(one.memory < free.memory);
    CHECK(one.memory <= options.memory_limit * 3 / 2);  // the children of one node are many
    CHECK(one.nodes != free.nodes);
    for (const int threads : {2, 4, 8}) {
      if (threads > 2 && !testkit::chosen(1)) continue;
      options.threads = threads;
      const Solution many = solve(i.architecture, i.workload, options);
      CHECK(many.nodes == one.nodes);
      CHECK(many.memory == one.memory);
      CHECK((many.mapping == one.mapping));
    }
  }
}

TEST_CASE("every limit that is too small is refused with the same need, which is enough") {
  const std::size_t layers = testkit::cases(testkit::resnet18_layers().size());
  for (std::size_t k = 0; k < layers; ++k) {
    for (const RowModel model : {RowModel::hybrid, RowModel::trace}) {
      const Instance i{testkit::simple_pim(), testkit::resnet18_layer(k), Objective::parse("edp"),
                       model};
      CAPTURE(testkit::to_json(i));
      const auto need = needed(i, 1);
      REQUIRE(need);
      CHECK(needed(i, *need / 2) == need);
      CHECK(needed(i, *need - 1) == need);
      CHECK(!needed(i, *need));
    }
  }
}

// 512 choices; the tables of 16 are kept.
TEST_CASE("the tables of many storage choices are not kept together") {
  Workload w;
  for (const Dim j : {Dim::P, Dim::C, Dim::K}) w.bounds[index(j)] = 8;
  SolveOptions options;
  options.objective = Objective::parse("energy");
  for (const Rule rule : {Rule::lp, Rule::shared}) options.rules.set(rule, false);
  const Solution many = solve(testkit::free_bypass_pim(), w, options);
  CHECK(many.choices > 64);
  Architecture one = testkit::free_bypass_pim();
  for (MemoryLevel& level : one.levels) level.bypass_free = false;
  CHECK(many.memory < 7 * solve(one, w, options).memory);
}

TEST_CASE("tables that all storage choices share are made where there is room for them") {
  Workload w;
  for (const Dim j : {Dim::P, Dim::C, Dim::K}) w.bounds[index(j)] = 8;
  SolveOptions options;
  options.objective = Objective::parse("energy");
  options.rules.set(Rule::lp, false);
  const Architecture a = testkit::free_bypass_pim();
  const Solution roomy = solve(a, w, options);
  CHECK(roomy.choices < 16);
  options.rules.set(Rule::shared, false);
  const Solution without = solve(a, w, options);
  options.rules.set(Rule::shared, true);
  options.memory_limit = roomy.memory;  // half of what is left then is not enough
  const Solution tight = solve(a, w, options);
  CHECK(tight.memory <= roomy.memory);
  CHECK(tight.choices == without.choices);
  CHECK(tight.goals[0].value == roomy.goals[0].value);
  CHECK(without.goals[0].value == roomy.goals[0].value);
}

// The account of what is built, by those who build it.
TEST_CASE("the need that is known beforehand bounds what is built, by a few per cent") {
  const Architecture a = testkit::simple_pim();
  for (const std::size_t k : {1, 9}) {
    CAPTURE(k);
    const Workload w = testkit::resnet18_layers()[k];
    const mapper::Instance instance(a, w, RowModel::hybrid);
    const mapper::Storage storage(a, w, instance.scale, mapper::storage_choices(a)[0]);
    const mapper::LevelTiles levels(a, instance.lattice, instance.vectors, storage, true);
    const std::uint64_t built = instance.bytes() + levels.bytes() +
                                mapper::CostToGo::bytes(storage, levels.sizes(), 1) +
                                instance.arrivals.size() * sizeof(mapper::RootBounds::Hopeful);
    run::Guard guard;
    guard.room = 1;  // so that tiles are counted
    const std::uint64_t need = mapper::memory_need(a, w, instance.model, instance.scale, guard);
    CHECK(need >= built);
    CHECK(need <= built + built / 8);
    guard.room = run::kUnlimited;
    CHECK(mapper::memory_need(a, w, instance.model, instance.scale, guard) > need);
  }
}

TEST_CASE("a layer with a hundred thousand first decisions keeps the limit" *
          doctest::skip(testkit::slow_build())) {
  Instance i{testkit::simple_pim(), {}, Objective::parse("latency"), RowModel::hybrid};
  i.workload.name = "wide";
  i.workload.bounds = {3, 3, 60, 60, 720, 720, 4, 1};
  SolveOptions options = testkit::options_for(i);
  const std::uint64_t need = needed(i, 1).value();
  options.memory_limit = need + need / 4;
  const Solution s = solve(i.architecture, i.workload, options);
  CHECK(s.status == Status::optimal);
  CHECK(s.memory <= options.memory_limit);
}

TEST_CASE("a limit below the tables is refused with what they need") {
  const Instance i = large_nodes();
  SolveOptions options = testkit::options_for(i);
  options.memory_limit = 1000;
  CHECK_THROWS_WITH_AS(solve(i.architecture, i.workload, options),
                       doctest::Contains("memory limit: found 1000 bytes; the tables for layer '"),
                       InputError);
}
