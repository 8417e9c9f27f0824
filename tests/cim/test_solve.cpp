// What a caller sees of a search beside its answer: counts, limits of nodes, reports of progress,
// and what the baselines say of themselves.
#include <doctest/doctest.h>

#include <vector>

#include "cim/cost/units.hpp"
#include "cim/exhaust.hpp"
#include "cim/mapper/schemes.hpp"
#include "cim/random_instance.hpp"
#include "cim/solver/known_start.hpp"
#include "pimbb/cim.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;

namespace {

Workload last_of_resnet() {
  return parse_workload(
      "{P: 7, Q: 7, R: 3, S: 3, C: 256, K: 512, N: 1, stride: [2, 2], input: [14, 14]}", "layer");
}

Question asked_for(const std::string& goals) {
  Question question;
  question.objective = Objective::parse(goals);
  return question;
}

RunLimits so_many_nodes(std::uint64_t limit) {
  RunLimits limits;
  limits.node_limit = limit;
  return limits;
}

RunLimits no_time() {
  RunLimits limits;
  limits.time_limit = 0;
  return limits;
}

}  // namespace

TEST_CASE("where nothing can be unrolled there is one scheme, searched once") {
  const std::uint64_t first = testkit::first_seed(1);
  std::uint64_t solved = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(60); ++seed) {
    CAPTURE(seed);
    naive::Instance i = naive::random_instance(seed, 24);
    for (Axis& axis : i.architecture.axes) axis.size = 1;
    const Solution s = solve(i.architecture, i.layer, asked_for("edp"));
    CHECK(s.schemes == 1);
    CHECK(s.solved <= 1);
    if (i.layer.macs() > 1 && s.mapping) CHECK(s.memory > 0);
    CHECK(s.memory % 4 == 0);  // whole numbers and pointers
    if (s.mapping) CHECK(s.labels > 0);
    if (s.mapping) CHECK(s.states > 0);
    solved += s.solved;
  }
  if (testkit::cases(60) == 60) CHECK(solved > 0);
}

TEST_CASE("from whatever mapping a search starts, it ends at the optimum") {
  int optimal = 0, better = 0;
  for (std::uint64_t seed = 1; seed <= testkit::cases(300); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed, 4);
    Question question = asked_for(seed % 2 == 0 ? "edp" : "latency");
    if (seed % 3 == 0) question.pricing.semantics = Semantics::table3;
    const Solution alone = solve(i.architecture, i.layer, question);
    const std::vector<naive::Priced> all = naive::all_mappings(i.architecture, i.layer);
    CHECK(all.empty() == (alone.status == Status::infeasible));
    if (all.empty()) continue;
    const Rational optimum = alone.goals[0].value;
    for (std::size_t k = 0; k < 5; ++k) {
      const Mapping& start = all[(seed * 31 + k * 7919) % all.size()].mapping;
      // A bound may be known, or one that is too low.
      const std::array<std::optional<Rational>, 3> bounds{std::nullopt, optimum,
                                                          optimum * Rational(1, 2)};
      const Solution from = mapper::solve_from({start, bounds[k % 3]}, i.architecture, i.layer,
                                               question, RunLimits{});
      CHECK(from.status == Status::optimal);
      CHECK(from.goals[0].value == optimum);
      CHECK(from.goals[0].bound == optimum);
      if (*from.mapping == start) {
        ++optimal;
        if (k % 3 == 1) CHECK(from.labels == 0);
      } else {
        ++better;
      }
    }
  }
  if (testkit::cases(300) >= 300) {
    CHECK(optimal > 0);
    CHECK(better > 0);
  }
}

// Q and N are alike where windows are single pixels; only P and Q can be exchanged.
TEST_CASE("of loops that can be exchanged only one order is searched") {
  naive::Instance i = naive::random_instance(2, 4);
  for (Axis& axis : i.architecture.axes) axis.size = 1;
  i.layer = {};
  i.layer.bounds[index(Dim::P)] = i.layer.bounds[index(Dim::Q)] = 4;
  const Solution exchanged = solve(i.architecture, i.layer, asked_for("edp"));
  i.layer.bounds[index(Dim::Q)] = 1;
  i.layer.bounds[index(Dim::N)] = 4;
  const Solution all = solve(i.architecture, i.layer, asked_for("edp"));
  REQUIRE(all.mapping);
  CHECK(exchanged.goals[0].value == all.goals[0].value);
  CHECK(exchanged.labels < all.labels);
}

TEST_CASE("a limit of nodes is for the proof, and kept") {
  const Architecture a = read_architecture("miredo_default");
  const Workload layer = last_of_resnet();
  const Question question = asked_for("edp");
  const Solution beams = solve(a, layer, question, so_many_nodes(0));
  CHECK(beams.labels > 0);
  CHECK(beams.solved == 0);
  const Solution none = solve(a, layer, question, so_many_nodes(beams.labels));
  CHECK(none.labels == beams.labels);
  CHECK(none.solved == 0);
  CHECK(solve(a, layer, question, so_many_nodes(beams.labels + 1)).solved > 0);
  for (const std::uint64_t more : {50, 500, 3000}) {
    CAPTURE(more);
    const Solution s = solve(a, layer, question, so_many_nodes(beams.labels + more));
    CHECK(s.labels > beams.labels);
    CHECK(s.labels <= beams.labels + 2 * more);  // labels that end a scheme are counted
  }
}

TEST_CASE("reports of progress enclose the optimum, closer and closer") {
  const Architecture a = read_architecture("miredo_default");
  std::vector<Progress> lines;
  RunLimits limits;
  limits.on_progress = [&](const Progress& line) { lines.push_back(line); };
  const Question question = asked_for("edp");
  const Solution s = solve(a, last_of_resnet(), question, limits);
  REQUIRE(!lines.empty());
  const double optimum = s.goals[0].value.to_double();
  for (std::size_t k = 0; k < lines.size(); ++k) {
    CHECK(lines[k].goal == "edp");
    REQUIRE(lines[k].incumbent);
    CHECK(*lines[k].incumbent >= optimum);
    CHECK(lines[k].bound <= optimum);
    CHECK(lines[k].nodes > 0);
    if (k == 0) continue;
    CHECK(*lines[k].incumbent <= *lines[k - 1].incumbent);
    CHECK(lines[k].bound >= lines[k - 1].bound);
    CHECK(lines[k].nodes > lines[k - 1].nodes);
  }
  CHECK(lines.front().bound < optimum);
  CHECK(lines.back().bound == optimum);
  CHECK(*lines.back().incumbent == optimum);
  CHECK(lines.back().nodes == s.labels);
}

// No level holds an element, and nothing can be unrolled.
TEST_CASE("greedy without a mapping says so") {
  naive::Instance i = naive::random_instance(1, 8);
  for (Axis& axis : i.architecture.axes) axis.size = 1;
  for (Level& level : i.architecture.levels) level.size_bits = 1;
  i.layer.bounds = kOnes;
  i.layer.bounds[index(Dim::K)] = 2;
  Question question;
  CHECK(solve(i.architecture, i.layer, question).status == Status::infeasible);
  question.method = Method::greedy;
  const Solution s = solve(i.architecture, i.layer, question);
  CHECK(!s.mapping);
  CHECK(s.goals.empty());
  CHECK(s.reason == "greedy filling finds no feasible mapping");
}

TEST_CASE("greedy has a bound where the latency has a closed form") {
  const Architecture a = read_architecture("miredo_default");
  Question question = asked_for("latency,energy");
  const Solution best = solve(a, last_of_resnet(), question);
  question.method = Method::greedy;
  const Solution s = solve(a, last_of_resnet(), question);
  CHECK(s.status == Status::feasible);
  CHECK(s.candidates > 0);
  for (const GoalResult& goal : s.goals) CHECK(goal.bound.sign() > 0);
  CHECK(s.goals[0].bound <= best.goals[0].value);
  question.pricing.semantics = Semantics::simulator;
  for (const GoalResult& goal : solve(a, last_of_resnet(), question).goals) {
    CHECK(goal.bound.sign() == 0);
  }
}

TEST_CASE("greedy without time has a scheme of fewest products all the same") {
  const std::uint64_t first = testkit::first_seed(1);
  std::size_t fewer = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(100); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed, 48);
    Question question;
    question.method = Method::greedy;
    const Solution s = solve(i.architecture, i.layer, question, no_time());
    if (!s.mapping) continue;
    const auto schemes = [&](SchemeRule rule) {
      return mapper::spatial_schemes(i.architecture, i.layer, cim::Padding::exact, rule,
                                     run::kUnguarded);
    };
    CHECK(s.metrics->products == mapper::products(schemes(SchemeRule::full).front()));
    fewer += schemes(SchemeRule::full).size() < schemes(SchemeRule::all).size() ? 1 : 0;
  }
  if (testkit::cases(100) == 100) CHECK(fewer > 0);
}

// A bound of b may grow to 2 b - 1, and one of 1 stays.
TEST_CASE("a layer that only padding takes out of the exact range is refused with it only") {
  const Architecture a = read_architecture("miredo_default");
  const cost::Units units(a);
  Workload layer;
  layer.name = "long";
  const auto fits = [&](std::int64_t bound) {
    layer.bounds[index(Dim::N)] = bound;
    try {
      units.check_range(a, layer);
      return true;
    } catch (const InputError&) {
      return false;
    }
  };
  std::int64_t most = 1;
  while (fits(2 * most)) most *= 2;
  for (std::int64_t step = most / 2; step > 0; step /= 2) most += fits(most + step) ? step : 0;
  const auto asked = [&](std::int64_t bound, cim::Padding padding) {
    layer.bounds[index(Dim::N)] = bound;
    Question question;
    question.pricing.padding = padding;
    return solve(a, layer, question, no_time());
  };
  CHECK_THROWS_AS(asked(most + 1, cim::Padding::exact), InputError);
  CHECK(asked(most, cim::Padding::exact).goals.size() == 1);
  CHECK_THROWS_AS(asked((most + 1) / 2 + 1, cim::Padding::ceil), InputError);
  CHECK(asked((most + 1) / 2, cim::Padding::ceil).goals.size() == 1);
}

// It is the better one of two searches: that of its bound, which asks for ports at least, and that
// of the recursion, which asks for the ports that the question does.
TEST_CASE("what the simulator's answer costs is what both of its searches cost") {
  const std::uint64_t first = testkit::first_seed(1);
  std::size_t different = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(40); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed, 24);
    const auto counts = [&](Semantics semantics, Contention contention) {
      Question question = asked_for("edp");
      question.pricing.semantics = semantics;
      question.pricing.contention = contention;
      const Solution s = solve(i.architecture, i.layer, question);
      return std::vector<std::uint64_t>{s.labels, s.states, s.candidates, s.solved};
    };
    const auto free = counts(Semantics::simulator, Contention::none);
    const auto ports = counts(Semantics::simulator, Contention::ports);
    const auto free_part = counts(Semantics::recursion, Contention::none);
    const auto ports_part = counts(Semantics::recursion, Contention::ports);
    for (std::size_t k = 0; k < free.size(); ++k) {
      CHECK(free[k] - free_part[k] == ports[k] - ports_part[k]);
      CHECK(free[k] >= free_part[k]);
    }
    different += free_part != ports_part ? 1 : 0;
  }
  if (testkit::cases(40) == 40) CHECK(different > 0);
}

TEST_CASE("a simulated mapping keeps a limit that it just meets") {
  const std::uint64_t first = testkit::first_seed(1);
  std::size_t kept = 0;
  for (std::uint64_t seed = first; seed < first + testkit::cases(30); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed, 24);
    Question question;
    question.pricing.semantics = Semantics::simulator;
    const Solution s = solve(i.architecture, i.layer, question);
    if (!s.mapping) continue;
    question.caps = {{Goal::latency, s.goals[0].value}};
    const Solution limited = solve(i.architecture, i.layer, question);
    if (!limited.mapping) continue;
    CHECK(limited.goals[0].value <= s.goals[0].value);
    ++kept;
  }
  CHECK(kept > 0);
}

TEST_CASE("a simulated mapping is no worse than that of the recursion") {
  const std::uint64_t first = testkit::first_seed(1);
  for (std::uint64_t seed = first; seed < first + testkit::cases(60); ++seed) {
    CAPTURE(seed);
    const naive::Instance i = naive::random_instance(seed, 24);
    for (const char* goals : {"latency", "energy,latency"}) {
      Question question = asked_for(goals);
      const Solution recursion = solve(i.architecture, i.layer, question);
      question.pricing.semantics = Semantics::simulator;
      const Solution s = solve(i.architecture, i.layer, question);
      REQUIRE(s.mapping.has_value() == recursion.mapping.has_value());
      if (!s.mapping) continue;
      const Metrics other = evaluate(i.architecture, i.layer, *recursion.mapping, question.pricing);
      const Objective& objective = question.objective;
      CHECK(s.goals[0].value <= objective.value(objective.goals[0], other.latency, other.energy));
    }
  }
}
