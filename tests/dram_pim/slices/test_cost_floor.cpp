// The closed-form bound of all mappings of some bounds.
#include <doctest/doctest.h>

#include <set>

#include "dram_pim/slices/alike_bounds.hpp"
#include "dram_pim/slices/cost_floor.hpp"
#include "dram_pim/slices/fill.hpp"
#include "dram_pim/slices/reuse_floor.hpp"
#include "padded_instance.hpp"
#include "pimbb-check/least_cost.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/full_size.hpp"
#include "support/instances.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Instance;

TEST_CASE("no mapping costs less than the floor, and the checker has the same one") {
  std::size_t attained = 0;
  std::size_t goals = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(150); ++seed) {
    const Instance i = testkit::padded_instance(testkit::first_seed(61'000'000) + seed);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const Factors tops = i.workload.padding->tops(i.workload.bounds);
    const Workload largest = testkit::unpadded(i.workload, tops);
    const slices::CostFloor floor(i.architecture, largest, i.row_model);
    const pimbb_check::Problem problem(
        canonical_instance(i.architecture, largest, i.objective, i.row_model));
    for (const Factors& bounds : {i.workload.bounds, tops}) {
      const Workload layer = testkit::unpadded(i.workload, bounds);
      const GoalCosts least = floor.costs(bounds);
      const pimbb_check::LeastCost checked = pimbb_check::least_cost(problem, bounds);
      CHECK(least.latency.to_string() == checked.latency.str());
      CHECK(least.activations.to_string() == checked.activations.str());
      // A rational energy of MACs is rounded down to the unit of the largest bounds.
      const Rational energy = Rational::parse(checked.energy.str());
      CHECK(least.energy <= energy);
      CHECK(energy - least.energy < floor.scale().energy(1));
      const Rational closed = floor.scale().energy(floor.scaled(bounds).energy);  // rounded down
      const Rational tight = floor.scale().energy(floor.tightened(bounds).energy);
      CHECK(tight >= closed);
      const Rational divided = floor.scale().energy(floor.over_divisors(bounds).energy);
      CHECK(divided >= closed);
      if (layer.macs() > 40) continue;
      for (const Goal goal : {Goal::latency, Goal::energy, Goal::activations}) {
        Objective objective;
        objective.goals = {goal};
        const auto best = oracle::brute_force(i.architecture, layer, objective, i.row_model);
        if (best.values.empty()) continue;
        const Rational value = Rational::parse(best.values[0].to_string());
        CHECK(objective.value(goal, least) <= value);
        if (goal == Goal::energy) {
          CHECK(tight <= value);
          CHECK(divided <= value);
        }
        attained += objective.value(goal, least) == value ? 1 : 0;
        ++goals;
      }
    }
  }
  CHECK(attained > goals / 10);  // it is not only true
}

TEST_CASE("no mapping of a layer of some size reads for less energy than the floors") {
  double known = 0;  // of the energy of the best mapping, by the divisors of the bounds
  double cases = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(200); ++seed) {
    testkit::Choices c(testkit::first_seed(62'000'000) + seed);
    Instance i = testkit::random_instance(c, {.macs = 3000, .levels = 6, .free_levels = 2});
    i.workload.padding.reset();
    // Rows and MACs have bounds of their own.
    i.architecture.activation_energy = 0;
    i.architecture.pe_array.mac_energy = 0;
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    Workload largest = i.workload;
    for (const Dim j : {Dim::P, Dim::C, Dim::K}) largest.bounds[index(j)] += c.pick(3);
    Question question;
    question.objective = Objective::parse("energy");
    question.row_model = i.row_model;
    const Solution best = solve(i.architecture, i.workload, question, {.threads = 1});
    if (best.status != Status::optimal) continue;
    const Rational& value = best.goals.front().value;
    const slices::CostFloor floor(i.architecture, largest, i.row_model);
    const Rational any = floor.scale().energy(floor.tightened(i.workload.bounds).energy);
    const Rational divided = floor.scale().energy(floor.over_divisors(i.workload.bounds).energy);
    CHECK(any <= value);
    CHECK(divided <= value);
    if (value.sign() == 0) continue;
    known += (divided / value).to_double();
    ++cases;
  }
  MESSAGE("the floor is " << known / cases << " of the least energy");
  CHECK((known > cases * 0.94 || testkit::slow_build()));  // it is not only true
}

TEST_CASE("floors of divisors that are asked for below a limit only") {
  std::uint64_t given = 0;
  std::uint64_t refused = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(100); ++seed) {
    testkit::Choices c(testkit::first_seed(64'000'000) + seed);
    Instance i = testkit::random_instance(c, {.macs = 2000, .levels = 5, .free_levels = 3});
    i.workload.padding.reset();
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const Factors& bounds = i.workload.bounds;
    const Int128 exact =
        slices::CostFloor(i.architecture, i.workload, i.row_model).over_divisors(bounds).energy;
    // What one question has found may answer the next one.
    const slices::CostFloor asked(i.architecture, i.workload, i.row_model);
    for (int k = 0; k < 6; ++k) {
      const Int128 limit = exact * (80 + 8 * c.pick(6)) / 100 + c.pick(2);
      const auto least = asked.over_divisors_unless(
          bounds, [&](const mapper::Costs& costs) { return costs.energy >= limit; });
      CHECK(least.has_value() == (exact < limit));
      if (least) CHECK((least->energy == exact));
      ++(least ? given : refused);
    }
  }
  CHECK((given > 0 || testkit::slow_build()));
  CHECK((refused > 0 || testkit::slow_build()));
}

TEST_CASE("rows of the elements that windows need, by counting these") {
  Architecture a = testkit::simple_pim();
  a.levels[a.row_buffer()].row_buffer_size = 1;  // a row for each element
  Workload layer;
  for (layer.stride_w = 1; layer.stride_w <= 4; ++layer.stride_w) {
    for (layer.dilation_w = 1; layer.dilation_w <= 4; ++layer.dilation_w) {
      for (std::int64_t outputs = 1; outputs <= 5; ++outputs) {
        for (std::int64_t taps = 1; taps <= 5; ++taps) {
          CAPTURE(layer.stride_w);
          CAPTURE(layer.dilation_w);
          CAPTURE(outputs);
          CAPTURE(taps);
          layer.bounds[index(Dim::P)] = outputs;
          layer.bounds[index(Dim::R)] = taps;
          std::set<std::int64_t> elements;
          for (std::int64_t p = 0; p < outputs; ++p) {
            for (std::int64_t r = 0; r < taps; ++r) {
              elements.insert(layer.stride_w * p + layer.dilation_w * r);
            }
          }
          const slices::CostFloor floor(a, layer, RowModel::trace);
          const Rational needed = floor.costs(layer.bounds).activations - taps - outputs;
          const auto count = static_cast<std::int64_t>(elements.size());
          CHECK(needed <= count);
          const bool dense = (layer.dilation_w == 1 && taps >= layer.stride_w) ||
                             (layer.stride_w == 1 && outputs >= layer.dilation_w);
          const bool apart = layer.dilation_w * (taps - 1) < layer.stride_w;
          if (dense || apart) CHECK(needed == count);
        }
      }
    }
  }
}

TEST_CASE("storage choices that their floors leave out change no optimum") {
  std::uint64_t left_out = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(60); ++seed) {
    testkit::Choices c(testkit::first_seed(63'000'000) + seed);
    Instance i = testkit::random_instance(c, {.macs = 300, .levels = 5, .free_levels = 2});
    i.workload.padding.reset();
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const slices::CostFloor floor(i.architecture, i.workload, i.row_model);
    const mapper::ChoiceFloors floors = floor.choices_over_divisors(i.workload.bounds);
    for (const char* goals : {"energy", "edp", "blended", "latency,energy"}) {
      Question question;
      question.objective = Objective::parse(goals);
      question.row_model = i.row_model;
      const Solution best = solve(i.architecture, i.workload, question, {.threads = 1});
      if (best.status != Status::optimal) continue;
      const std::vector<TensorFlags> stores = testkit::stores_of(*best.mapping);
      for (const mapper::ChoiceFloor& choice : floors) {
        if (choice.stores != stores) continue;
        CHECK(choice.least.latency <= best.metrics->latency);
        CHECK(choice.least.energy <= best.metrics->energy);
        CHECK(choice.least.activations <= best.metrics->activations());
      }
      const Rational& value = best.goals.front().value;
      for (const Rational& below : {value, value * 21 / 20 + 1}) {
        question.below = below;
        const Solution plain = solve(i.architecture, i.workload, question, {.threads = 1});
        const Solution fewer =
            mapper::solve_beyond(i.architecture, i.workload, question, {.threads = 1}, floors);
        CHECK(fewer.status == plain.status);
        if (value < below) {  // the search of few arrivals, under bounds of all tensors together
          REQUIRE(plain.status == Status::optimal);
          CHECK(plain.goals.front().value == value);
        }
        REQUIRE(fewer.goals.size() == plain.goals.size());
        for (std::size_t k = 0; k < plain.goals.size() && plain.mapping; ++k) {
          CHECK(fewer.goals[k].value == plain.goals[k].value);
        }
        left_out += plain.choices > fewer.choices ? plain.choices - fewer.choices : 0;
      }
    }
  }
  CHECK((left_out > 0 || testkit::slow_build()));
}

TEST_CASE("the part of an extent that divisors fill") {
  const slices::DimSet all = ~0U;
  CHECK(slices::largest_fill(8, all, {1, 1, 56, 1, 1, 1, 1, 1}) == 8);
  CHECK(slices::largest_fill(8, all, {1, 1, 197, 1, 1, 1, 1, 1}) == 1);
  CHECK(slices::largest_fill(8, all, {3, 1, 7, 1, 2, 1, 1, 1}) == 7);
  CHECK(slices::largest_fill(8, all, {3, 1, 197, 1, 2, 1, 1, 1}) == 6);
  CHECK(slices::largest_fill(16, slices::set_of(Dim::K), {1, 1, 16, 1, 1, 12, 1, 1}) == 12);
  CHECK(slices::largest_fill(100'000, all, {1, 1, 197, 1, 3, 1, 1, 1}) == 591);
  CHECK(slices::largest_fill(1, all, {2, 2, 2, 2, 2, 2, 2, 2}) == 1);
}

TEST_CASE("reads of layers whose bounds are alike, and the least of their choices, are the same") {
  std::size_t others = 0;
  std::size_t merged = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(300); ++seed) {
    testkit::Choices c(testkit::first_seed(64'000'000) + seed);
    Instance i = testkit::random_instance(c, {.macs = 3000, .levels = 6, .free_levels = 2});
    i.workload.padding.reset();
    if (c.once_in(2)) {
      i.workload.stride_h = i.workload.stride_w;
      i.workload.dilation_h = i.workload.dilation_w;
    }
    if (c.once_in(2)) {
      i.workload.bounds[index(Dim::R)] = i.workload.bounds[index(Dim::S)] = 1;
      i.workload.stride_w = i.workload.stride_h = 1;
    }
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    using slices::ReuseFloor;
    const Factors& own = i.workload.bounds;
    const Factors other = slices::AlikeBounds(i.architecture, i.workload).representative(own);
    const mapper::Scale scale = slices::CostFloor(i.architecture, i.workload, i.row_model).scale();
    const auto reads = [&](const Factors& bounds) {
      return ReuseFloor(i.architecture, with_bounds(i.workload, bounds), scale,
                        ReuseFloor::Sizes::divisors);
    };
    const std::vector<ReuseFloor::OfChoice> first = reads(own).by_choice(own);
    const std::vector<ReuseFloor::OfChoice> second = reads(other).by_choice(other);
    REQUIRE(first.size() == second.size());
    for (std::size_t k = 0; k < first.size(); ++k) {
      CHECK(first[k].stores == second[k].stores);
      CHECK((first[k].energy == second[k].energy));
    }
    const ReuseFloor any(i.architecture, i.workload, scale, ReuseFloor::Sizes::any);
    const ReuseFloor::Least least = ReuseFloor::least_of_divisors(
        i.architecture, i.workload, scale, any.by_choice(own), [](Int128) { return false; });
    CHECK((least.energy == reads(own).energy(own)));
    CHECK(least.exact);
    others += own == other ? 0 : 1;
    merged += own[index(Dim::Q)] > 1 && other[index(Dim::Q)] == 1 ? 1 : 0;
  }
  CHECK((others > 0 || testkit::slow_build()));
  CHECK((merged > 0 || testkit::slow_build()));
}
