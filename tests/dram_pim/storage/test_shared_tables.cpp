// The tables that all storage choices share: the least energy or latency that exhaustion finds, for
// every part of the choices; and the same with numbers of either size.
#include <doctest/doctest.h>

#include <set>

#include "dram_pim/storage/partial_choice.hpp"
#include "dram_pim/storage/shared_tables.hpp"
#include "dram_pim/storage/storage_tree.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/instances.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using mapper::PartialStorage;
using mapper::SharedCost;
using mapper::SharedTables;
using mapper::Stored;
using testkit::Choices;
using testkit::SolveOptions;

namespace {

/// A random problem, a part of its storage choices, and the same machine with that part only.
struct PartOfChoices {
  testkit::Instance whole;
  testkit::Instance part;
  PartialStorage storage;

  PartOfChoices(std::uint64_t seed, const testkit::Size& size) {
    Choices choices(seed);
    whole = testkit::random_instance(choices, size);
    part = whole;
    storage = testkit::decide(part.architecture, choices);
  }
  /// Costs of mappings are those of fills and unrollings alone, and every layer fits the DRAM.
  void rows_cost_nothing() {
    for (testkit::Instance* one : {&whole, &part}) {
      one->architecture.activation_energy = 0;
      one->architecture.dram_timings.activation_latency = 0;
      one->architecture.levels.back().capacity.reset();
    }
  }
  /// Every resource serves one transfer.
  void share_nothing() {
    for (testkit::Instance* one : {&whole, &part}) {
      one->architecture.interconnect_bandwidth.reset();
      one->architecture.shared_streams = false;
      for (MemoryLevel& level : one->architecture.levels) level.shared_ports = false;
    }
  }
  [[nodiscard]] std::vector<oracle::Fraction> least(const char* goals) const {
    return oracle::brute_force(part.architecture, part.workload, Objective::parse(goals),
                               part.row_model)
        .values;
  }
};

Int128 least(const mapper::Instance& instance, Int128 limit, const PartialStorage& storage,
             SharedCost cost = SharedCost::energy) {
  return SharedTables(instance, storage, cost, limit, {}).least();
}

/// The choice with a level decided.
PartialStorage with(PartialStorage storage, std::size_t level, mapper::TensorSet set) {
  const TensorFlags stored = mapper::flags_of(set);
  for (std::size_t t = 0; t < kTensors; ++t) {
    storage[level][t] = stored[t] ? Stored::yes : Stored::no;
  }
  return storage;
}

/// Problems in which costs are those of fills and unrollings alone, each with a resource of its
/// own.
template <class Visit>
void for_each_separate(std::uint64_t first, std::size_t count, const Visit& visit) {
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    PartOfChoices problem(seed, {.macs = 16, .free_levels = 3});
    problem.rows_cost_nothing();
    problem.share_nothing();
    CAPTURE(seed);
    CAPTURE(testkit::to_json(problem.part));
    visit(problem, mapper::Instance(problem.whole.architecture, problem.whole.workload,
                                    problem.whole.row_model));
  }
}

/// Every storage choice.
std::vector<std::vector<TensorFlags>> every_choice(const mapper::Instance& instance) {
  std::vector<std::vector<TensorFlags>> every{{}};
  for (const auto& level : mapper::all_storage(instance)) {
    std::vector<std::vector<TensorFlags>> longer;
    for (const auto& stores : every) {
      for (const mapper::TensorSet set : mapper::sets_of(level)) {
        longer.push_back(stores);
        longer.back().push_back(mapper::flags_of(set));
      }
    }
    every = std::move(longer);
  }
  return every;
}

}  // namespace

TEST_CASE("without row activations the least energy is that of the best mapping") {
  const std::uint64_t first = testkit::first_seed(7'100'000);
  std::size_t solvable = 0;
  std::size_t open = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(1500); ++seed) {
    PartOfChoices problem(seed, {.macs = 16, .free_levels = 3});
    problem.rows_cost_nothing();
    CAPTURE(seed);
    CAPTURE(testkit::to_json(problem.part));
    const auto optimum = problem.least("energy");
    const mapper::Instance instance(problem.whole.architecture, problem.whole.workload,
                                    problem.whole.row_model);
    const Int128 energy = least(instance, mapper::kInfinity, problem.storage);
    if (optimum.empty()) {
      CHECK((energy == mapper::kInfinity));
      continue;
    }
    CHECK(instance.scale.energy(energy) == optimum[0].to_rational());
    ++solvable;
    open += std::ranges::count_if(problem.storage, mapper::is_open) > 0 ? 1 : 0;
  }
  CHECK(solvable > testkit::cases(1500) / 2);
  CHECK(open > testkit::cases(1500) / 8);
}

TEST_CASE("where nothing is shared, a limit leaves the mappings that keep it") {
  const std::uint64_t first = testkit::first_seed(7'200'000);
  std::size_t dearer = 0;
  for_each_separate(first, testkit::cases(1000), [&](const auto& problem, const auto& instance) {
    const auto fastest = problem.least("latency,energy");
    if (fastest.empty()) return;
    const Int128 limit = instance.scale.scaled_latency(fastest[0].to_rational());
    const Int128 energy = least(instance, limit, problem.storage);
    CHECK(instance.scale.energy(energy) == fastest[1].to_rational());
    CHECK((least(instance, limit - 1, problem.storage) == mapper::kInfinity));
    if (energy > least(instance, mapper::kInfinity, problem.storage)) ++dearer;
  });
  CHECK(dearer > testkit::cases(1000) / 20);
}

TEST_CASE("without row activations, where nothing is shared, the least latency is exact") {
  const std::uint64_t first = testkit::first_seed(7'600'000);
  std::size_t slower = 0;
  for_each_separate(first, testkit::cases(1000), [&](const auto& problem, const auto& instance) {
    const auto fastest = problem.least("latency");
    const auto table = [&](const PartialStorage& storage) {
      return least(instance, mapper::kInfinity, storage, SharedCost::latency);
    };
    const Int128 latency = table(problem.storage);
    if (fastest.empty()) {
      CHECK((latency == mapper::kInfinity));
      return;
    }
    CHECK(instance.scale.latency(latency) == fastest[0].to_rational());
    if (latency > table(mapper::all_storage(instance))) ++slower;
  });
  CHECK(slower > testkit::cases(1000) / 20);
}

TEST_CASE("with row activations and shared resources it is a lower bound") {
  const std::uint64_t first = testkit::first_seed(7'300'000);
  std::size_t tight = 0;
  std::size_t fast = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(1000); ++seed) {
    const PartOfChoices problem(seed, {.macs = 16, .free_levels = 3});
    CAPTURE(seed);
    CAPTURE(testkit::to_json(problem.part));
    const auto fastest = problem.least("latency,energy");
    if (fastest.empty()) continue;
    mapper::Instance instance(problem.whole.architecture, problem.whole.workload,
                              problem.whole.row_model);
    const mapper::Scale& scale = instance.scale;
    const Int128 limit = scale.scaled_latency(fastest[0].to_rational());
    const Int128 within = least(instance, limit, problem.storage);
    const Int128 energy = least(instance, mapper::kInfinity, problem.storage);
    const Rational optimum = problem.least("energy")[0].to_rational();
    CHECK(scale.energy(within) <= fastest[1].to_rational());
    CHECK(scale.energy(energy) <= optimum);
    const auto time = [&] {
      return least(instance, mapper::kInfinity, problem.storage, SharedCost::latency);
    };
    const Int128 latency = time();
    CHECK(scale.latency(latency) <= fastest[0].to_rational());
    if (scale.latency(latency) * Rational(10) >= fastest[0].to_rational() * Rational(9)) ++fast;
    if (scale.energy(energy) * Rational(10) >= optimum * Rational(9)) ++tight;
    instance.scale.fills_fit_64_bits = !instance.scale.fills_fit_64_bits;
    if (!instance.scale.fills_fit_64_bits) {  // they do, in both
      CHECK((least(instance, limit, problem.storage) == within));
      CHECK((time() == latency));
    }
  }
  CHECK(tight > testkit::cases(1000) / 2);
  CHECK(fast > testkit::cases(1000) / 4);
}

TEST_CASE("with many storage choices the optimum is that of exhaustion") {
  const std::uint64_t first = testkit::first_seed(7'500'000);
  std::size_t many = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(1500); ++seed) {
    Choices choices(seed);
    testkit::Instance i = testkit::random_instance(choices, {.macs = 16, .free_levels = 3});
    if (mapper::count_storage_choices(i.architecture, {}) < 64) continue;
    i.objective.goals = {choices.one_of({Goal::latency, Goal::energy, Goal::edp, Goal::blended})};
    if (choices.once_in(4)) i.objective.goals = {Goal::latency, Goal::energy};
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    SolveOptions options = testkit::options_for(i);
    if (choices.once_in(2)) options.rules.set(Rule::lp, false);
    if (choices.once_in(3)) options.rules.set(Rule::descent, false);
    const Solution s = solve(i.architecture, i.workload, options);
    CHECK(testkit::complaint(
              i, s, oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model)) ==
          "");
    ++many;
  }
  CHECK(many > testkit::cases(1500) / 20);
}

TEST_CASE("a tree that begins again gives every choice once, the bounds of tables included") {
  const std::uint64_t first = testkit::first_seed(7'700'000);
  std::size_t again = 0;
  std::size_t possible = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(400); ++seed) {
    Choices choices(seed);
    const testkit::Instance i = testkit::random_instance(choices, {.macs = 16, .free_levels = 3});
    if (mapper::count_storage_choices(i.architecture, {}) < 64) continue;
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const mapper::Instance instance(i.architecture, i.workload, i.row_model);
    const Objective objective = Objective::parse("latency");
    const mapper::Target target(instance.scale, objective, Goal::latency);
    mapper::StorageBounds bounds{mapper::FillPoints(instance), {}, false};
    mapper::StorageTree tree(instance, &bounds, target);
    std::set<std::vector<TensorFlags>> given;
    SharedTables tables(instance, mapper::all_storage(instance), SharedCost::latency,
                        mapper::kInfinity, {});
    bool restarted = false;
    while (const auto choice = tree.next(nullptr)) {
      CHECK(given.insert(choice->stores).second);
      if (restarted || !tree.is_long()) continue;
      tree.begin_again(tables);
      restarted = true;
    }
    for (const auto& stores : every_choice(instance)) {
      PartialStorage storage = mapper::all_storage(instance);
      for (std::size_t m = 0; m < stores.size(); ++m) {
        storage = with(std::move(storage), m, mapper::set_of(stores[m]));
      }
      const Int128 least_latency = least(instance, mapper::kInfinity, storage, SharedCost::latency);
      if (least_latency == mapper::kInfinity) continue;
      CHECK(given.count(stores) == 1);
      ++possible;
    }
    if (restarted) ++again;
  }
  if (testkit::cases(400) >= 200) {
    CHECK(again > 0);
    CHECK(possible > 0);
  }
}

TEST_CASE("columns of the tables are the tables of decided levels") {
  const std::uint64_t first = testkit::first_seed(7'400'000);
  std::size_t compared = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(300); ++seed) {
    Choices choices(seed);
    const testkit::Instance i = testkit::random_instance(choices, {.macs = 24, .free_levels = 3});
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const mapper::Instance instance(i.architecture, i.workload, i.row_model);
    PartialStorage storage = mapper::all_storage(instance);
    const Int128 limit = choices.once_in(2) ? mapper::kInfinity
                                            : instance.scale.most_latency / (1 + choices.pick(50));
    const SharedCost cost = choices.one_of({SharedCost::energy, SharedCost::latency});
    SharedTables tables(instance, storage, cost, limit, {});
    Int128 before = tables.least();
    for (std::size_t level = instance.architecture.row_buffer(); level-- > 0;) {
      const auto sets = mapper::sets_of(storage[level]);
      const std::vector<Int128> costs = tables.least_by_set(storage, level, {});
      REQUIRE(costs.size() == sets.size());
      CHECK((*std::ranges::min_element(costs) == before));
      for (std::size_t k = 0; k < sets.size(); ++k) {
        CAPTURE(level);
        CAPTURE(k);
        CHECK((costs[k] == least(instance, limit, with(storage, level, sets[k]), cost)));
        ++compared;
      }
      const std::size_t next = choices.pick(sets.size());
      storage = with(storage, level, sets[next]);
      before = costs[next];
    }
  }
  CHECK(compared > testkit::cases(300) * 5);
}
