// Larger layers cannot be exhausted, but a claimed optimum can be attacked: by random mappings, by
// simulated annealing from the best of them, and from the claimed optimum itself.
#include <doctest/doctest.h>

#include "support/attack.hpp"
#include "support/cases.hpp"
#include "support/check_solution.hpp"
#include "support/full_size.hpp"
#include "support/instances.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Attack;
using testkit::Choices;
using testkit::Instance;

namespace {

void check_survives(const Instance& i, const Solution& s, const Attack& attack) {
  REQUIRE(attack.best());
  CAPTURE(testkit::to_json(attack.best()->first, i.architecture));
  CHECK(s.goals[0].value <= attack.best()->second);
}

void attack_layer(const Workload& layer, RowModel model, Goal goal) {
  Instance i;
  i.architecture = testkit::simple_pim();
  i.workload = layer;
  i.objective.goals = {goal};
  i.row_model = model;
  CAPTURE(testkit::to_json(i));
  const Solution s = solve(i.architecture, i.workload, testkit::options_for(i));
  REQUIRE(s.status == Status::optimal);
  CHECK(testkit::false_claim(i, s) == "");
  Attack attack(i, 42);
  attack.random(testkit::cases(3000), 12);
  REQUIRE(attack.best());
  const Mapping start = attack.best()->first;
  attack.anneal(start, testkit::cases(4000), 0.3);
  attack.anneal(*s.mapping, testkit::cases(1000), 0.03);
  check_survives(i, s, attack);
}

}  // namespace

TEST_CASE("ResNet-18 on simple_pim: nothing beats a claimed optimum" *
          doctest::skip(testkit::slow_build())) {
  const std::size_t layers = testkit::cases(testkit::resnet18_layers().size());
  for (std::size_t k = 0; k < layers; ++k) {
    const Workload layer = testkit::resnet18_layer(k);
    for (const RowModel model : {RowModel::analytic, RowModel::hybrid}) {
      attack_layer(layer, model, Goal::latency);
      attack_layer(layer, model, Goal::edp);
    }
    // An activation costs no energy there: one row model is enough.
    attack_layer(layer, RowModel::hybrid, Goal::energy);
  }
}

// Bounds up to 30, so that many tiles, residues and mappings arise.
TEST_CASE("random layers of middle size: nothing beats a claimed optimum") {
  const std::size_t cases = testkit::cases(500);
  const std::uint64_t first = testkit::first_seed(20'000'000);
  for (std::uint64_t seed = first; seed < first + cases; ++seed) {
    Choices choices(seed);
    Instance i = testkit::random_instance(choices, {.macs = 2000, .largest_factor = 30});
    if (i.row_model == RowModel::trace && i.workload.macs() > 300) {
      i.row_model = RowModel::hybrid;  // exact streams of that length take seconds
    }
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const Solution s = solve(i.architecture, i.workload, testkit::options_for(i));
    CHECK(testkit::false_claim(i, s) == "");
    Attack attack(i, seed);
    attack.random(200, 4);
    if (s.status == Status::infeasible) {
      CHECK(attack.feasible() == 0);
      continue;
    }
    REQUIRE(s.status == Status::optimal);
    if (attack.best()) {
      const Mapping start = attack.best()->first;
      attack.anneal(start, 300, 0.3);
    }
    attack.anneal(*s.mapping, 300, 0.1);
    check_survives(i, s, attack);
  }
}
