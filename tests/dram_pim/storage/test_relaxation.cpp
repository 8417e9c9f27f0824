// The linear relaxation of storage choices: never above an optimum found by exhaustion, of use
// where it should be, and without influence on any answer.
#include <doctest/doctest.h>

#include "dram_pim/storage/partial_choice.hpp"
#include "dram_pim/storage/storage_tree.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using mapper::FillPoints;
using mapper::PartialStorage;
using mapper::Relaxation;
using mapper::Stored;
using testkit::Choices;
using testkit::SolveOptions;

namespace {

Rational exact(const oracle::Fraction& value) { return value.to_rational(); }

}  // namespace

TEST_CASE("bounds of partial storage choices keep below every mapping") {
  const std::uint64_t first = testkit::first_seed(7'000'000);
  std::size_t tight = 0;
  std::size_t tight_latency = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(1500); ++seed) {
    Choices choices(seed);
    testkit::Instance i = testkit::random_instance(choices, {.macs = 16, .free_levels = 3});
    const PartialStorage storage = testkit::decide(i.architecture, choices);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const auto least = [&](const char* goals) {
      return oracle::brute_force(i.architecture, i.workload, Objective::parse(goals), i.row_model)
          .values;
    };
    const auto fastest = least("latency,energy");
    if (fastest.empty()) continue;
    const mapper::Instance instance(i.architecture, i.workload, i.row_model);
    FillPoints points(instance);
    points.prepare(storage);
    points.prepare_points(storage);
    Relaxation relaxation(instance, points, storage);
    const mapper::Scale& scale = instance.scale;
    const Int128 latency = relaxation.least_latency();
    CHECK(scale.latency(latency) <= exact(fastest[0]));
    if (scale.latency(latency) * Rational(10) >= exact(fastest[0]) * Rational(9)) ++tight_latency;
    const Int128 limit = scale.scaled_latency(exact(fastest[0]));
    CHECK(scale.energy(relaxation.least_energy(limit)) <= exact(fastest[1]));
    const Int128 energy = relaxation.least_energy(mapper::kInfinity);
    const Rational optimum = exact(least("energy")[0]);
    CHECK(scale.energy(energy) <= optimum);
    CHECK(scale.activations(points.least_activations()) <= exact(least("activations")[0]));
    if (scale.energy(energy) * Rational(10) >= optimum * Rational(9)) ++tight;
  }
  CHECK(tight > testkit::cases(1500) / 4);  // a bound of nothing would be safe as well
  CHECK(tight_latency > testkit::cases(1500) / 2);
}

namespace {

/// Two shared buffers, each free to drop any tensor, before a row buffer that is dear to read.
Architecture two_free_buffers() {
  Architecture a;
  a.name = "two_free_buffers";
  a.pe_array.height = 4;
  a.pe_array.width = 4;
  a.pe_array.mac_energy = Rational(1, 1000);
  const auto level = [](const char* name, std::int64_t capacity, Rational cost) {
    MemoryLevel m;
    m.name = name;
    if (capacity > 0) m.capacity = capacity;
    m.access_cost = std::move(cost);
    m.blocksize = 16;
    m.latency = 1;
    return m;
  };
  a.levels = {level("PE", 8, Rational(1, 1000)), level("L1", 64, Rational(1, 100)),
              level("L2", 256, Rational(3, 200)), level("RB", 1024, Rational(1, 20)),
              level("DRAM", 0, Rational(1, 10))};
  a.levels[1].bypass_free = a.levels[2].bypass_free = true;
  a.levels[3].row_buffer_size = a.levels[4].row_buffer_size = 1024;
  return a;
}

Workload matrix_product() {
  Workload w;
  w.bounds[index(Dim::P)] = 16;
  w.bounds[index(Dim::C)] = 32;
  w.bounds[index(Dim::K)] = 32;
  return w;
}

}  // namespace

TEST_CASE("what costs no energy has a bound of 0") {
  Architecture a = two_free_buffers();
  a.pe_array.mac_energy = 0;
  a.activation_energy = 0;
  for (MemoryLevel& level : a.levels) level.access_cost = 0;
  const Workload w = matrix_product();
  const mapper::Instance instance(a, w, RowModel::hybrid);
  FillPoints points(instance);
  const PartialStorage storage(a.levels.size(), {Stored::yes, Stored::yes, Stored::yes});
  points.prepare(storage);
  points.prepare_points(storage);
  CHECK((Relaxation(instance, points, storage).least_energy(mapper::kInfinity) == 0));
}

TEST_CASE("the number of storage choices is 2 for each tensor that a level may drop") {
  Architecture a = two_free_buffers();
  CHECK(mapper::count_storage_choices(a, {}) == 64);
  a.levels[1].stores[index(Tensor::weight)] = false;
  CHECK(mapper::count_storage_choices(a, {}) == 32);
  a.levels[2].bypass_free = false;
  CHECK(mapper::count_storage_choices(a, {}) == 4);
  a.levels[1].bypass_free = false;
  CHECK(mapper::count_storage_choices(a, {}) == 1);
}

TEST_CASE("storage choices are left out, the optimum stays" *
          doctest::skip(testkit::slow_build())) {
  int searched = 0;
  for (const char* goals : {"latency", "energy", "edp", "blended", "latency,energy"}) {
    CAPTURE(goals);
    SolveOptions options;
    options.objective = Objective::parse(goals);
    options.row_model = RowModel::hybrid;
    const Solution with = solve(two_free_buffers(), matrix_product(), options);
    options.rules.set(Rule::shared, false);
    const Solution relaxed = solve(two_free_buffers(), matrix_product(), options);
    options.rules.set(Rule::lp, false);
    const Solution without = solve(two_free_buffers(), matrix_product(), options);
    REQUIRE(with.status == Status::optimal);
    for (std::size_t g = 0; g < with.goals.size(); ++g) {
      CHECK(with.goals[g].value == without.goals[g].value);
      CHECK(relaxed.goals[g].value == without.goals[g].value);
    }
    CHECK(without.lp_solves == 0);
    if (without.choices == 0) continue;  // the first mapping attains a bound that needs no search
    CHECK(relaxed.lp_solves > 0);
    CHECK(relaxed.choices * 2 < without.choices);
    CHECK(with.choices <= relaxed.choices);
    ++searched;
  }
  CHECK(searched >= 3);
}

TEST_CASE("bounds of latencies begin where the first choices do not settle a layer" *
          doctest::skip(testkit::slow_build())) {
  constexpr std::uint64_t kFirst = 8;
  int settled = 0;
  int bounded = 0;
  for (const std::int64_t narrow : {1, 2, 16}) {
    for (const std::int64_t wide : {2, 16}) {
      CAPTURE(narrow);
      CAPTURE(wide);
      Architecture a = two_free_buffers();
      a.levels[1].blocksize = narrow;
      a.levels[2].blocksize = a.levels[3].blocksize = wide;
      SolveOptions options;
      options.row_model = RowModel::hybrid;
      const Solution tables = solve(a, matrix_product(), options);
      options.rules.set(Rule::shared, false);
      const Solution programs = solve(a, matrix_product(), options);
      options.rules.set(Rule::lp, false);
      const Solution neither = solve(a, matrix_product(), options);
      REQUIRE(neither.status == Status::optimal);
      CHECK(tables.goals.front().value == neither.goals.front().value);
      CHECK(programs.goals.front().value == neither.goals.front().value);
      CHECK(tables.lp_solves == 0);
      if (neither.choices <= kFirst) {
        CHECK(tables.choices == neither.choices);
        CHECK(programs.lp_solves == 0);
        ++settled;
      } else {
        CHECK(tables.choices < neither.choices);
        CHECK(programs.lp_solves > 0);
        ++bounded;
      }
    }
  }
  CHECK(settled > 0);
  CHECK(bounded > 0);
}

TEST_CASE("the effort is the same for every number of threads") {
  SolveOptions options;
  options.objective = Objective::parse("edp");
  options.threads = 1;
  const Solution one = solve(two_free_buffers(), matrix_product(), options);
  for (const int threads : {2, 4, 8}) {
    options.threads = threads;
    const Solution more = solve(two_free_buffers(), matrix_product(), options);
    CHECK(more.nodes == one.nodes);
    CHECK(more.choices == one.choices);
    CHECK(more.lp_solves == one.lp_solves);
    CHECK(more.lp_iterations == one.lp_iterations);
    CHECK((more.mapping == one.mapping));
  }
}
