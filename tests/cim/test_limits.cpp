// Answers that do not depend on threads; limits; padded layers.
#include <doctest/doctest.h>

#include <vector>

#include "cim/certify.hpp"
#include "cim/io/mapping_json.hpp"
#include "cim/random_instance.hpp"
#include "pimbb-check/cim/mapping.hpp"
#include "pimbb/cim.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;

namespace {

Workload layer_of(const std::string& text) { return parse_workload(text, "layer"); }

const std::string kConv5 =
    "{P: 7, Q: 7, R: 3, S: 3, C: 256, K: 512, N: 1, stride: [2, 2], input: [14, 14]}";

/// Limits that end a search before it has a mapping of its own.
std::vector<RunLimits> limits_at_once() {
  static std::stop_source source;
  source.request_stop();
  std::vector<RunLimits> all(4);
  all[0].stop = source.get_token();
  all[1].time_limit = 0;
  all[2].memory_limit = 1;
  all[3].node_limit = 0;
  return all;
}

/// Whether the mapping is feasible and one that the question admits, and has the values claimed,
/// by the rules of the checker.
void check_admitted(const Architecture& a, const Workload& layer, const Question& question,
                    const Solution& s) {
  const pimbb_check::cim::Problem problem(canonical_instance(a, layer, question));
  const auto cost =
      pimbb_check::cim::cost_of_mapping(problem, io::mapping_json(a, *s.mapping).dump());
  for (const GoalResult& goal : s.goals) {
    const auto value = cost.of(static_cast<pimbb_check::cim::Goal>(goal.goal), problem);
    CHECK(goal.value.to_string() == value.str());
    CHECK(goal.bound <= goal.value);
  }
}

}  // namespace

TEST_CASE("a search that is stopped at once has a mapping of its space and a valid bound") {
  std::size_t answered = 0;
  const std::uint64_t first = testkit::first_seed(1);
  for (std::uint64_t seed = first; seed < first + testkit::cases(400); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed, 48);
    const Question question = certify::random_question(seed, seed % 7 == 0);
    const Solution best = solve(i.architecture, i.layer, question);
    for (const RunLimits& limits : limits_at_once()) {
      const Solution s = solve(i.architecture, i.layer, question, limits);
      REQUIRE(s.goals.size() == question.objective.goals.size());
      REQUIRE(s.mapping.has_value() == best.mapping.has_value());
      if (!s.mapping) continue;
      CHECK((s.status == Status::feasible || s.status == Status::optimal));
      CHECK(s.goals[0].bound <= best.goals[0].value);
      CHECK(s.goals[0].value >= best.goals[0].bound);
      if (s.status == Status::optimal) CHECK(s.goals[0].value == best.goals[0].value);
      check_admitted(i.architecture, i.layer, question, s);
      ++answered;
    }
  }
  CHECK(answered > 0);
}

TEST_CASE("so it has for large layers, also where there are too many schemes to look at" *
          doctest::skip(testkit::slow_build())) {
  const Architecture a = read_architecture("miredo_transformer");
  const Workload layer = read_workload("vgg16:conv1_2");
  for (const cim::Padding padding : {cim::Padding::exact, cim::Padding::ceil}) {
    for (const Method method : {Method::exact, Method::ws, Method::greedy}) {
      if (padding == cim::Padding::ceil && method != Method::exact) continue;
      Question question;
      question.objective = Objective::parse("edp,latency");
      question.pricing.padding = padding;
      question.method = method;
      for (RunLimits& limits : limits_at_once()) {
        if (limits.memory_limit == 1) limits.memory_limit = 1 << 20;
        if (limits.node_limit && (padding == cim::Padding::ceil || method != Method::exact))
          continue;
        if (limits.memory_limit == 1 << 20 && method != Method::exact) continue;  // all schemes
        const Solution s = solve(a, layer, question, limits);
        REQUIRE(s.mapping);
        CHECK(s.status == Status::feasible);
        CHECK(s.goals[0].bound.sign() > 0);
        if (method == Method::greedy) question.method = Method::exact;  // no proofs about greedy
        check_admitted(a, layer, question, s);
        question.method = method;
      }
    }
  }
}

TEST_CASE("a network that is stopped at once has a mapping of every layer") {
  const Architecture a = read_architecture("miredo_default");
  Question question;
  question.objective = Objective::parse("edp");
  const NetworkSolution s =
      solve_network(a, read_network("mobilenet_v2"), question, limits_at_once()[0]);
  CHECK(s.status == Status::feasible);
  CHECK(s.layers.size() == 31);
  REQUIRE(s.goals.size() == 1);
  CHECK(s.goals[0].value == s.totals.edp());
  CHECK(s.goals[0].bound <= s.goals[0].value);
}

TEST_CASE("mapping and counts do not depend on the number of threads") {
  const Architecture a = read_architecture("miredo_default");
  for (const std::string goals : {"latency", "edp", "energy,latency"}) {
    CAPTURE(goals);
    Question question;
    question.objective = Objective::parse(goals);
    std::vector<Solution> solutions;
    for (const int threads : {1, 2, 5}) {
      RunLimits limits;
      limits.threads = threads;
      solutions.push_back(solve(a, layer_of(kConv5), question, limits));
    }
    CHECK(solutions[2].threads == 5);
    for (const Solution& s : solutions) {
      CHECK(s.status == Status::optimal);
      CHECK(s.mapping == solutions[0].mapping);
      CHECK(s.labels == solutions[0].labels);
      CHECK(s.candidates == solutions[0].candidates);
      CHECK(s.states == solutions[0].states);
      CHECK(s.solved == solutions[0].solved);
      CHECK(s.memory == solutions[0].memory);
    }
  }
}

TEST_CASE("a limit of nodes gives a mapping with a valid bound, the same every time") {
  const Architecture a = read_architecture("miredo_default");
  const Workload layer = layer_of(kConv5);
  Question question;
  question.objective = Objective::parse("edp");
  const Solution optimum = solve(a, layer, question);
  for (const std::uint64_t nodes : {0, 1, 500, 2000}) {
    CAPTURE(nodes);
    RunLimits limits;
    limits.node_limit = nodes;
    const Solution s = solve(a, layer, question, limits);
    REQUIRE(s.goals.size() == 1);
    CHECK(s.goals[0].bound <= optimum.goals[0].value);
    CHECK(s.goals[0].bound.sign() > 0);
    if (s.mapping) CHECK(s.goals[0].value >= optimum.goals[0].value);
    if (s.status == Status::optimal) CHECK(s.goals[0].value == optimum.goals[0].value);
    const Solution again = solve(a, layer, question, limits);
    CHECK(again.mapping == s.mapping);
    CHECK(again.goals[0].bound == s.goals[0].bound);
  }
}

TEST_CASE("an interruption and a limit of memory leave a valid answer") {
  const Architecture a = read_architecture("miredo_default");
  const Workload layer = layer_of(kConv5);
  std::stop_source source;
  source.request_stop();
  RunLimits stopped;
  stopped.stop = source.get_token();
  const Solution s = solve(a, layer, {}, stopped);
  CHECK(s.status == Status::feasible);
  REQUIRE(s.mapping);
  CHECK(s.goals[0].bound <= s.goals[0].value);
  RunLimits small;
  small.memory_limit = 1 << 20;
  const Solution tight = solve(a, layer, {}, small);
  REQUIRE(tight.mapping);
  CHECK(tight.goals[0].bound <= tight.goals[0].value);
  CHECK(tight.memory < 4 * small.memory_limit);  // what a scheme needs at least is not limited
}

TEST_CASE("limits on goals: what cannot be asked is refused") {
  const Architecture a = read_architecture("miredo_default");
  const Workload layer = layer_of(kConv5);
  Question question;
  question.caps = {{Goal::energy, 1}, {Goal::energy, 2}};
  CHECK_THROWS_AS(solve(a, layer, question), InputError);
  question.caps = {{Goal::energy, -1}};
  CHECK_THROWS_AS(solve(a, layer, question), InputError);
  question.caps = {{Goal::energy, 1}};
  CHECK_THROWS_AS(solve_network(a, Network{"one", {{layer, 1}}}, question), InputError);
  const Solution none = solve(a, layer, question);
  CHECK(none.status == Status::infeasible);
  CHECK(none.reason == "no mapping satisfies all constraints with energy at most 1");
  question.caps = {{Goal::energy, 0}};
  CHECK(solve(a, layer, question).status == Status::infeasible);
  question.method = Method::greedy;
  CHECK_THROWS_AS(solve(a, layer, question), InputError);
}

TEST_CASE("padding: even and ceil are never worse where bounds factor badly") {
  const Architecture a = read_architecture("miredo_default");
  const Workload layer =
      layer_of("{P: 17, Q: 17, R: 3, S: 3, C: 19, K: 37, N: 1, input: [17, 17]}");
  Question question;
  const Rational exact = solve(a, layer, question).goals[0].value;
  for (const cim::Padding padding : {cim::Padding::even, cim::Padding::ceil}) {
    CAPTURE(name(padding));
    question.pricing.padding = padding;
    const Solution s = solve(a, layer, question);
    CHECK(s.status == Status::optimal);
    CHECK(s.goals[0].value < exact);
    REQUIRE(s.mapping);
    CHECK(!find_violation(a, layer, *s.mapping, padding));
    CHECK(evaluate(a, layer, *s.mapping, question.pricing).latency == s.goals[0].value);
  }
}

TEST_CASE("restrictions never improve an optimum") {
  const Architecture a = read_architecture("miredo_default");
  const Workload layer = layer_of(kConv5);
  for (const Goal goal : {Goal::edp, Goal::latency, Goal::energy}) {
    if (goal != Goal::edp && !testkit::chosen(1)) continue;
    Question free;
    free.objective.goals = {goal};
    const Rational best = solve(a, layer, free).goals[0].value;
    const auto value = [&](const auto& restrict) {
      Question question = free;
      restrict(question);
      return solve(a, layer, question).goals[0].value;
    };
    const Rational prime = value([](Question& q) { q.factors = FactorRule::prime; });
    const Rational flex = value([](Question& q) { q.factors = FactorRule::flex; });
    CHECK(prime >= best);
    CHECK(flex >= best);
    CHECK(value([](Question& q) { q.schemes = SchemeRule::full; }) >= best);
    CHECK(value([](Question& q) { q.method = Method::ws; }) >= best);
    CHECK(value([](Question& q) { q.doubling = DoubleRule::off; }) >= best);
    CHECK(value([](Question& q) { q.pricing.contention = Contention::ports; }) >= best);
    CHECK(value([](Question& q) { q.pricing.contention = Contention::bus; }) >= best);
  }
}
