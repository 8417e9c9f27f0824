// Networks: sums over layers, EDP of the totals, and the heuristic against the optimum.
#include <doctest/doctest.h>

#include "cim/random_instance.hpp"
#include "pimbb/cim.hpp"
#include "pimbb/io.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;

namespace {

Network network_of(std::uint64_t seed) {
  Network network{"random", {}};
  for (std::uint64_t k = 0; k < 3; ++k) {
    NetworkLayer layer{naive::random_instance(seed + 1000 * k, 8).layer,
                       1 + static_cast<std::int64_t>((seed + k) % 3)};
    layer.workload.name = "layer" + std::to_string(k);
    network.layers.push_back(std::move(layer));
  }
  return network;
}

/// Every point (latency, energy) of a layer that some blend of equal steps may choose; the least
/// EDP over all combinations is a bound from above that is seldom missed.
Rational best_edp_of_blends(const Architecture& a, const Network& network) {
  std::optional<Rational> best;
  for (int k = 0; k <= 40; ++k) {
    Question question;
    question.objective = Objective::parse("blended");
    question.objective.alpha = Rational(k, 40);
    question.objective.beta = Rational(40 - k, 40);
    const NetworkSolution s = solve_network(a, network, question);
    if (s.status != Status::optimal) return -1;
    if (!best || s.totals.edp() < *best) best = s.totals.edp();
  }
  return *best;
}

}  // namespace

TEST_CASE("the EDP of a network is the least of all blends, and proven" *
          doctest::skip(testkit::slow_build())) {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    const Architecture a = naive::random_instance(seed, 8).architecture;
    const Network network = network_of(seed);
    Question question;
    question.objective = Objective::parse("edp");
    const NetworkSolution s = solve_network(a, network, question);
    const Rational reference = best_edp_of_blends(a, network);
    if (reference.sign() < 0) continue;
    CHECK(s.status == Status::optimal);
    REQUIRE(s.goals.size() == 1);
    CHECK(s.goals[0].value == s.totals.edp());
    CHECK(s.goals[0].value == s.goals[0].bound);
    CHECK(s.goals[0].value <= reference);
    ++compared;
  }
  CHECK(compared > 0);
}

TEST_CASE("totals are sums with weights and repetitions, list by list" *
          doctest::skip(testkit::slow_build())) {
  const Architecture a = read_architecture("miredo_default");
  Network network = read_network("resnet18");
  network.layers.erase(network.layers.begin(), network.layers.end() - 2);
  network.graph.reset();
  network.layers[0].workload.weight = Rational(1, 2);
  Question question;
  question.objective = Objective::parse("latency,energy");
  std::size_t told = 0;
  const NetworkSolution s =
      solve_network(a, network, question, {}, [&](const LayerSolution&) { ++told; });
  CHECK(told == 2);
  Rational latency = 0;
  Rational energy = 0;
  for (const LayerSolution& layer : s.layers) {
    const Rational times = layer.workload.weight * layer.repetitions;
    latency += times * layer.solution.goals[0].value;
    energy += times * layer.solution.goals[1].value;
  }
  CHECK(s.status == Status::optimal);
  REQUIRE(s.goals.size() == 2);
  CHECK(s.goals[0].value == latency);
  CHECK(s.goals[1].value == energy);
  CHECK(s.goals[1].bound == energy);
  if (!testkit::chosen(1)) return;
  question.objective = Objective::parse("latency,edp");
  const NetworkSolution line = solve_network(a, network, question);
  REQUIRE(line.goals.size() == 2);
  CHECK(line.goals[0].value == latency);
  CHECK(line.goals[1].value == latency * energy);
  CHECK(line.status == Status::optimal);
}

TEST_CASE("greedy is feasible and no better than the optimum") {
  const Architecture a = read_architecture("miredo_default");
  const Workload layer = read_workload("resnet18:conv5_down");
  for (const char* goals : {"latency", "energy", "edp"}) {
    CAPTURE(goals);
    Question question;
    question.objective = Objective::parse(goals);
    const Solution best = solve(a, layer, question);
    question.method = Method::greedy;
    const Solution greedy = solve(a, layer, question);
    REQUIRE(greedy.mapping);
    CHECK(!find_violation(a, layer, *greedy.mapping));
    CHECK(greedy.status == Status::feasible);
    CHECK(greedy.goals[0].value >= best.goals[0].value);
    CHECK(greedy.goals[0].bound <= best.goals[0].value);
    RunLimits one;
    one.threads = 1;
    CHECK(solve(a, layer, question, one).mapping == greedy.mapping);
  }
}
