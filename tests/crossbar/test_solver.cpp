// The solver against the golden optima of tiny problems and against exhaustion of random ones; what
// limits and threads may change.
#include <doctest/doctest.h>

#include <iostream>

#include "crossbar/cost/latency.hpp"
#include "crossbar/exhaustion.hpp"
#include "crossbar/golden.hpp"
#include "crossbar/instances.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using golden::Json;
using testkit::Draw;
using testkit::Instance;

namespace {

/// A mapping that is claimed to be optimal: legal, of the value that is reported.
void check_optimal(const Instance& at, const Solution& solution, const Question& question) {
  REQUIRE(solution.status == Status::optimal);
  REQUIRE(solution.mapping);
  CHECK(!find_violation(at.a, at.p, *solution.mapping));
  CHECK(solution.result.goal == question.goal);
  CHECK(solution.result.value == solution.result.bound);
  const Metrics m = evaluate(at.a, at.p, *solution.mapping);
  CHECK(solution.result.value == (question.goal == Goal::ht ? Rational(m.ht) : m.latency->ll));
}

/// Replications in which all parts of a node agree.
std::vector<testkit::Replication> legal_replications(const Instance& at) {
  std::vector<testkit::Replication> all = testkit::replications(at.a, at.p);
  std::erase_if(all, [&](const testkit::Replication& r) {
    for (std::size_t v = 0; v < r.size(); ++v) {
      if (r[v] != r[at.p.arrays[v].family]) return true;
    }
    return false;
  });
  return all;
}

/// No legal mapping is below the value; nothing is legal if there is none.
void check_by_exhaustion(const Instance& at, const Solution& solution) {
  std::optional<std::int64_t> deadline;
  if (solution.mapping && solution.result.goal == Goal::ht) deadline = solution.metrics->ht;
  for (const auto& replication : legal_replications(at)) {
    CAPTURE(Json(replication).dump());
    const bool slower = solution.mapping && solution.result.goal == Goal::ll &&
                        cost::latency(at.a, at.p, {replication, {}}, cost::RateRule::provider) >=
                            solution.result.value;
    if (!slower) CHECK(!testkit::fits(at.a, at.p, replication, deadline));
  }
}

}  // namespace

TEST_CASE("golden optima of tiny problems") {
  const auto folder = golden::folder();
  if (!folder) return;
  const std::vector<Json> all = golden::lines(*folder / "optima_tiny.jsonl");
  for (const Goal goal : {Goal::ht, Goal::ll}) {
    CAPTURE(name(goal));
    for (std::size_t i = 0; i < all.size(); ++i) {
      CAPTURE(i + 1);
      const Instance at = testkit::golden_instance(all[i], *folder);
      const Json& optimum = all[i].at("optimum");
      const Question question{goal};
      const Solution solution = solve(at.a, at.p, question);
      if (optimum.at("status") == "infeasible") {
        CHECK(solution.status == Status::infeasible);
        CHECK(!solution.reason.empty());
        continue;
      }
      check_optimal(at, solution, question);
      const auto wanted = optimum.at(std::string(name(goal))).at("value").get<double>();
      CHECK(solution.result.value.to_double() == doctest::Approx(wanted).epsilon(2e-11));
    }
    std::cout << "golden/crossbar/optima_tiny.jsonl: " << all.size() << " lines solved for "
              << name(goal) << "\n";
  }
}

TEST_CASE("random tiny problems against exhaustion") {
  Draw draw(testkit::first_seed(1));
  std::size_t feasible = 0;
  const std::size_t cases = testkit::cases(300);
  for (std::size_t i = 0; i < cases; ++i) {
    CAPTURE(i);
    const Instance at = testkit::random_instance(draw);
    for (const Goal goal : {Goal::ht, Goal::ll}) {
      CAPTURE(name(goal));
      const Question question{goal};
      const Solution solution = solve(at.a, at.p, question);
      if (solution.status != Status::infeasible) {
        check_optimal(at, solution, question);
        ++feasible;
      }
      check_by_exhaustion(at, solution);
    }
  }
  CHECK(feasible > 0);
}

TEST_CASE("a whole network: the same for any number of threads, and within its bounds") {
  const auto folder = golden::folder();
  if (!folder) return;
  const Architecture a = golden::architecture({{"cores", 16}});
  const Partition p = make_partition(a, golden::graph("networks/resnet18.json", *folder));
  RunLimits limits;
  limits.node_limit = 1'000;
  limits.threads = 1;
  const Solution one = solve(a, p, {}, limits);
  limits.threads = 3;
  const Solution three = solve(a, p, {}, limits);
  REQUIRE(one.mapping);
  CHECK(one.mapping == three.mapping);
  CHECK(one.steps == three.steps);
  CHECK(one.nodes == three.nodes);
  CHECK(one.nodes <= 1'000);
  CHECK(one.result.bound >= Rational(132'500 * 200 / 16));  // all multiplications
  CHECK(one.result.value >= one.result.bound);
  CHECK(!find_violation(a, p, *one.mapping));
}

TEST_CASE("a stopped search says what it has") {
  const auto folder = golden::folder();
  if (!folder) return;
  const Architecture a = golden::architecture(Json::object());
  const Partition p = make_partition(a, golden::graph("networks/vgg16.json", *folder));
  RunLimits limits;
  limits.time_limit = 0;
  const Solution solution = solve(a, p, {}, limits);
  CHECK(solution.status == Status::feasible);
  CHECK(solution.result.bound == Rational(2'365'200));
  limits.memory_limit = 1'000;
  CHECK_THROWS_AS(static_cast<void>(solve(a, p, {}, limits)), LimitError);
}

TEST_CASE("latency of a whole network: known bounds and mappings") {
  const auto folder = golden::folder();
  if (!folder) return;
  const Architecture a = golden::architecture(Json::object());
  const Partition p = make_partition(a, golden::graph("networks/vgg16.json", *folder));
  RunLimits limits;
  limits.node_limit = 50;
  const Solution solution = solve(a, p, {Goal::ll}, limits);
  REQUIRE(solution.mapping);
  CHECK(!find_violation(a, p, *solution.mapping));
  CHECK(solution.result.bound <= solution.result.value);
  std::size_t compared = 0;
  for (const Json& known : golden::lines(*folder / "best_known.jsonl")) {
    if (known.at("net") != "networks/vgg16.json" || known.at("arch").contains("t_mvm")) continue;
    const Metrics m = evaluate(a, p, golden::mapping(known, a, p));
    CHECK(solution.result.bound <= m.latency->ll);
    ++compared;
  }
  CHECK(compared > 0);
}

TEST_CASE("throughput of whole networks: optima that exchanges of single array groups do not find" *
          doctest::skip(testkit::slow_build())) {
  const auto folder = golden::folder();
  if (!folder) return;
  struct Case {
    const char* net;
    int time;  // of a multiplication, ns
    int optimum;
  };
  for (const Case& each : {Case{"squeezenet", 800, 70'800}, Case{"squeezenet", 4000, 70'800},
                           Case{"vgg16", 4000, 3'860'000}, Case{"resnet18", 800, 184'200}}) {
    CAPTURE(each.net);
    const Architecture a = golden::architecture({{"t_mvm", each.time}});
    const std::string file = std::string("networks/") + each.net + ".json";
    const Partition p = make_partition(a, golden::graph(file, *folder));
    const Solution solution = solve(a, p, {Goal::ht});
    REQUIRE(solution.mapping);
    CHECK(!find_violation(a, p, *solution.mapping));
    CHECK(solution.status == Status::optimal);
    CHECK(solution.result.value == Rational(each.optimum));
  }
}

TEST_CASE("latency of whole networks: at most that of known mappings" *
          doctest::skip(testkit::slow_build())) {
  const auto folder = golden::folder();
  if (!folder) return;
  RunLimits limits;
  limits.node_limit = 300;
  std::size_t compared = 0;
  for (const Json& known : golden::lines(*folder / "best_known.jsonl")) {
    if (known.at("for") != "ll") continue;
    CAPTURE(known.at("net").dump());
    const Architecture a = golden::architecture(known.at("arch"));
    const Partition p = make_partition(a, golden::graph(known.at("net"), *folder));
    const Solution solution = solve(a, p, {Goal::ll}, limits);
    REQUIRE(solution.mapping);
    const Metrics m = evaluate(a, p, golden::mapping(known, a, p));
    CHECK(solution.result.value <= m.latency->ll);
    ++compared;
  }
  CHECK(compared == 4);
}

TEST_CASE("a network without a latency is refused") {
  Draw draw(1);
  Instance at = testkit::random_instance(draw);
  for (Node& node : at.p.graph.nodes) node.op = node.op == Op::conv ? Op::fc : node.op;
  CHECK_THROWS_WITH_AS(static_cast<void>(solve(at.a, at.p, {Goal::ll})),
                       doctest::Contains("no convolution is reached"), InputError);
}
