// Fronts against exhaustion: of layers, within limits, and of networks' totals.
#include <doctest/doctest.h>

#include <algorithm>

#include "cim/exhaust.hpp"
#include "cim/random_instance.hpp"
#include "pimbb/cim.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;

namespace {

using CostPair = std::vector<Rational>;

/// Those that no other one beats, ascending.
std::vector<CostPair> front_of(std::vector<CostPair> all) {
  std::ranges::sort(all);
  std::vector<CostPair> front;
  for (const CostPair& costs : all) {
    if (front.empty() || costs[1] < front.back()[1]) front.push_back(costs);
  }
  return front;
}

template <class AnyFront>
std::vector<CostPair> costs_in(const AnyFront& front) {
  std::vector<CostPair> costs;
  for (const auto& point : front.points) costs.push_back(point.costs);
  return costs;
}

Question priced(std::uint64_t seed) {
  Question question;
  question.pricing.semantics = seed % 2 == 0 ? Semantics::recursion : Semantics::table3;
  question.pricing.contention = static_cast<Contention>(seed % 3);
  return question;
}

std::vector<CostPair> exhausted_costs(const naive::Instance& i, const Question& question) {
  std::vector<CostPair> costs;
  for (const naive::Priced& each : naive::all_mappings(i.architecture, i.layer)) {
    costs.push_back({each.latency(question.pricing),
                     each.value({}, Goal::energy, i.architecture, question.pricing)});
  }
  return costs;
}

}  // namespace

TEST_CASE("the front of a layer is that of all its mappings") {
  std::size_t most = 0;
  for (std::uint64_t seed = 1; seed <= testkit::cases(60); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed, 8);
    Question question = priced(seed);
    std::vector<CostPair> all = exhausted_costs(i, question);
    if (seed % 4 == 0 && !all.empty()) {  // within the median of a cost
      std::ranges::sort(all);
      const Rational limit = all[all.size() / 2][0];
      question.caps = {{Goal::latency, limit}};
      std::erase_if(all, [&](const CostPair& costs) { return costs[0] > limit; });
    }
    const Front front = solve_front(i.architecture, i.layer, kFrontAxes, question);
    const std::vector<CostPair> expected = front_of(all);
    CHECK(front.status == (expected.empty() ? FrontStatus::infeasible : FrontStatus::complete));
    CHECK(costs_in(front) == expected);
    most = std::max(most, expected.size());
    for (const FrontPoint& point : front.points) {
      CHECK_FALSE(find_violation(i.architecture, i.layer, point.mapping));
      const Metrics metrics = evaluate(i.architecture, i.layer, point.mapping, question.pricing);
      CHECK(CostPair{metrics.latency, metrics.energy} == point.costs);
    }
    // the axes in the other order: the same points from the other end
    const Front turned =
        solve_front(i.architecture, i.layer, {Goal::energy, Goal::latency}, question);
    REQUIRE(turned.points.size() == expected.size());
    for (std::size_t k = 0; k < expected.size(); ++k) {
      const CostPair& costs = turned.points[expected.size() - 1 - k].costs;
      CHECK(CostPair{costs[1], costs[0]} == expected[k]);
    }
  }
  CHECK(most >= 2);
}

TEST_CASE("the optimum of EDP is on the front, which has fewer points within a share") {
  for (std::uint64_t seed = 1; seed <= testkit::cases(60); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed, 24);
    Question question = priced(seed);
    const Front all = solve_front(i.architecture, i.layer, kFrontAxes, question);
    question.objective = Objective::parse("edp");
    const Solution best = solve(i.architecture, i.layer, question);
    if (best.status != Status::optimal) continue;
    CHECK(std::ranges::any_of(all.points, [&](const FrontPoint& point) {
      return point.costs[0] * point.costs[1] == best.goals[0].value;
    }));
    FrontOptions options;
    options.within = Rational(1, 10);
    const Front some = solve_front(i.architecture, i.layer, kFrontAxes, question, {}, options);
    CHECK(some.points.size() <= all.points.size());
    CHECK(some.found == all.points.size());
    REQUIRE(some.within);
    CHECK(*some.within <= Rational(1, 10));
  }
}

TEST_CASE("the front of a network is that of all sums of its layers' mappings") {
  for (std::uint64_t seed = 1; seed <= testkit::cases(24); ++seed) {
    CAPTURE(seed);
    const naive::Instance first = naive::random_instance(seed, 6);
    naive::Instance second{first.architecture, naive::random_instance(seed + 1000, 6).layer};
    Network network{"two", {}};
    network.layers.push_back({first.layer, 2});
    network.layers.push_back({second.layer, 1});
    network.layers[1].workload.name = "other";
    network.layers[1].workload.weight = Rational(1, 3);
    if (merge_equal_layers(network).layers.size() < 2) continue;
    const Question question = priced(seed);
    std::vector<CostPair> sums;
    for (const CostPair& a : front_of(exhausted_costs(first, question))) {
      for (const CostPair& b : front_of(exhausted_costs(second, question))) {
        sums.push_back({a[0] * 2 + b[0] / 3, a[1] * 2 + b[1] / 3});
      }
    }
    const NetworkFront front =
        solve_network_front(first.architecture, network, kFrontAxes, question);
    CHECK(costs_in(front) == front_of(sums));
    CHECK(front.status == (sums.empty() ? FrontStatus::infeasible : FrontStatus::complete));
  }
}

TEST_CASE("a front that a limit ends covers what it says, and threads do not matter") {
  for (std::uint64_t seed = 1; seed <= testkit::cases(40); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed, 24);
    RunLimits limits;
    limits.node_limit = 1 + seed * 7 % 60;
    limits.threads = 1;
    const Front one = solve_front(i.architecture, i.layer, kFrontAxes, {}, limits);
    limits.threads = 2;
    const Front two = solve_front(i.architecture, i.layer, kFrontAxes, {}, limits);
    CHECK(costs_in(one) == costs_in(two));
    CHECK(one.labels == two.labels);
    const Front all = solve_front(i.architecture, i.layer);
    for (const FrontPoint& point : all.points) {
      const bool covered = std::ranges::any_of(one.points, [&](const FrontPoint& p) {
        return p.costs[0] <= point.costs[0] && p.costs[1] <= point.costs[1];
      });
      const bool open = std::ranges::any_of(one.open, [&](const FrontBox& box) {
        for (std::size_t k = 0; k < 2; ++k) {
          if (point.costs[k] < box.from[k]) return false;
          if (box.below[k] && point.costs[k] >= *box.below[k]) return false;
        }
        return true;
      });
      CHECK((covered || open));
    }
  }
}

TEST_CASE("fronts of what proves nothing are refused") {
  const naive::Instance i = naive::random_instance(1, 8);
  Question greedy;
  greedy.method = Method::greedy;
  CHECK_THROWS_AS(solve_front(i.architecture, i.layer, kFrontAxes, greedy), InputError);
  Question simulated;
  simulated.pricing.semantics = Semantics::simulator;
  CHECK_THROWS_AS(solve_front(i.architecture, i.layer, kFrontAxes, simulated), InputError);
  CHECK_THROWS_AS(solve_front(i.architecture, i.layer, {Goal::latency}), InputError);
  CHECK_THROWS_AS(solve_front(i.architecture, i.layer, {Goal::edp, Goal::latency}), InputError);
  CHECK_THROWS_AS(parse_axes("latency"), InputError);
}
