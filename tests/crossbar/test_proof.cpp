// Proofs of crossbar mappings: what is true is accepted, with the solver's very value; what is
// false is refused. Multipliers and divisions of a tree have no normal form, so that a changed
// proof may still be one: then its claim must be true.
#include <doctest/doctest.h>

#include <iostream>
#include <sstream>

#include "crossbar/instances.hpp"
#include "files/sha256.hpp"
#include "pimbb-check/check.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/lines.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using golden::Json;
using testkit::Draw;
using testkit::Instance;

using testkit::lines_of;
using testkit::text_of;

namespace {

pimbb_check::Report checked(const std::string& proof) {
  std::istringstream stream(proof);
  return pimbb_check::check(stream);
}

/// What is wrong with the claim of a proof that was accepted, about a problem that is solved.
std::string falsehood(const pimbb_check::Report& report, const Solution& solution) {
  if (solution.status == Status::infeasible) {
    return report.optimum.empty() ? "" : "a mapping of an infeasible problem";
  }
  if (report.optimum.size() != 1) return "no mapping of a feasible problem";
  const Rational value = Rational::parse(report.optimum[0].second);
  const Rational optimum = solution.result.value;
  if (report.bound.empty()) return value == optimum ? "" : "another optimum";
  return Rational::parse(report.bound) <= optimum ? "" : "a bound above the optimum";
}

/// "" if the solution has a proof that is accepted.
std::string unproven(const Instance& at, const Question& question, const Solution& solution) {
  const Proof proof = prove(at.a, at.graph, question, {}, solution);
  const pimbb_check::Report report = checked(proof.text);
  if (!report.accepted) return report.reason + "\n" + proof.text;
  return falsehood(report, solution);
}

struct Proven {
  Instance at;
  Question question;
  Solution solution;
  std::vector<std::string> lines;
};

Proven proven(Draw& draw, Goal goal) {
  Proven p{testkit::random_instance(draw), {goal}, {}, {}};
  p.solution = solve(p.at.a, p.at.p, p.question);
  p.lines = lines_of(prove(p.at.a, p.at.graph, p.question, {}, p.solution).text);
  return p;
}

/// Refused, or nevertheless true.
void check_changed(const Proven& p, const std::vector<std::string>& changed) {
  const pimbb_check::Report report = checked(text_of(changed));
  if (!report.accepted) return;
  CAPTURE(text_of(p.lines));
  CAPTURE(text_of(changed));
  CHECK(falsehood(report, p.solution) == "");
}

template <class Check>
void for_random(std::size_t cases, std::uint64_t offset, const Check& check) {
  Draw draw(testkit::first_seed(1) + offset);
  for (std::size_t i = testkit::cases(cases); i > 0; --i) {
    CAPTURE(i);
    for (const Goal goal : {Goal::ht, Goal::ll}) {
      CAPTURE(name(goal));
      check(draw, goal);
    }
  }
}

}  // namespace

TEST_CASE("golden optima are proven") {
  const auto folder = golden::folder();
  if (!folder) return;
  const std::vector<Json> all = golden::lines(*folder / "optima_tiny.jsonl");
  for (const Goal goal : {Goal::ht, Goal::ll}) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      CAPTURE(i + 1);
      const Instance at = testkit::golden_instance(all[i], *folder);
      const Question question{goal};
      CHECK(unproven(at, question, solve(at.a, at.p, question)) == "");
    }
    std::cout << "golden/crossbar/optima_tiny.jsonl: " << all.size() << " lines proven for "
              << name(goal) << "\n";
  }
}

TEST_CASE("optima of random problems are proven, and so is infeasibility") {
  std::size_t infeasible = 0;
  for_random(400, 1'000, [&](Draw& draw, Goal goal) {
    const Instance at = testkit::random_instance(draw);
    const Question question{goal};
    const Solution solution = solve(at.a, at.p, question);
    CHECK(unproven(at, question, solution) == "");
    infeasible += solution.status == Status::infeasible ? 1 : 0;
  });
  CHECK((infeasible > 0 || testkit::cases(400) < 400));
}

TEST_CASE("bounds of searches that were stopped are proven") {
  const auto folder = golden::folder();
  if (!folder) return;
  for (const char* network : {"vgg16", "resnet18"}) {
    CAPTURE(network);
    const Json line = {{"arch", Json::object()},
                       {"net", std::string("networks/") + network + ".json"}};
    const Instance at = testkit::golden_instance(line, *folder);
    for (const Goal goal : {Goal::ht, Goal::ll}) {
      RunLimits limits;
      limits.time_limit = 0;
      const Question question{goal};
      Solution solution = solve(at.a, at.p, question, limits);
      REQUIRE(solution.mapping);
      // The evaluator's value of `ll` at 0 s is far from any bound; a cut of the root is enough.
      if (goal == Goal::ll) solution.result.bound = solution.result.value / Rational(1000);
      std::string text = prove(at.a, at.graph, question, {}, solution).text;
      const pimbb_check::Report report = checked(text);
      CHECK(report.reason == "");
      CHECK(report.optimum.at(0).second == solution.result.value.to_string());
      CHECK(report.bound == solution.result.bound.to_string());
      // The same tree for a bound that is not proven.
      const std::string goal_line =
          "\ngoal " + std::string(name(goal)) + " " + solution.result.value.to_string();
      const std::size_t at_bound = text.find(goal_line) + goal_line.size();
      text.erase(at_bound, text.find('\n', at_bound) - at_bound);
      CHECK_FALSE(checked(text).accepted);
    }
  }
}

TEST_CASE("a value or a bound that is forged is refused") {
  for_random(60, 2'000, [](Draw& draw, Goal goal) {
    const Proven p = proven(draw, goal);
    if (!p.solution.mapping) return;
    const Rational optimum = p.solution.result.value;
    const std::string before = "goal " + std::string(name(goal)) + " ";
    REQUIRE(p.lines[4] == before + optimum.to_string());
    const auto refuses = [&](const std::string& line) {
      std::vector<std::string> changed = p.lines;
      changed[4] = line;
      CHECK_FALSE(checked(text_of(changed)).accepted);
    };
    for (const Rational& other : {optimum + 1, optimum - Rational(1, 1000), optimum * 2}) {
      refuses(before + other.to_string());
      refuses(before + optimum.to_string() + " " + (optimum + 1).to_string());
    }
    refuses(before + optimum.to_string() + " " + optimum.to_string());
    refuses("goal " + std::string(name(goal == Goal::ht ? Goal::ll : Goal::ht)) + " " +
            optimum.to_string());
  });
}

TEST_CASE("another mapping with its own value is no optimum") {
  std::size_t refused = 0;
  for_random(100, 3'000, [&](Draw& draw, Goal goal) {
    const Proven p = proven(draw, goal);
    RunLimits limits;
    limits.node_limit = 1;
    const Question other{goal == Goal::ht ? Goal::ll : Goal::ht};
    const Solution found = solve(p.at.a, p.at.p, other, limits);
    if (!p.solution.mapping || !found.mapping) return;
    const Rational value =
        goal == Goal::ht ? Rational(found.metrics->ht) : found.metrics->latency->ll;
    if (value == p.solution.result.value) return;
    Solution claim = found;
    claim.result = {goal, value, value};
    CHECK_THROWS_AS(static_cast<void>(prove(p.at.a, p.at.graph, p.question, {}, claim)),
                    std::logic_error);
    // Its own mapping, before the tree of the optimum.
    claim.result.bound = Rational(1, 1000);
    if (goal == Goal::ht) claim.result.bound = 1;
    const std::vector<std::string> own =
        lines_of(prove(p.at.a, p.at.graph, p.question, {}, claim).text);
    std::vector<std::string> changed = p.lines;
    changed[3] = own[3];
    changed[4] = "goal " + std::string(name(goal)) + " " + value.to_string();
    CHECK_FALSE(checked(text_of(changed)).accepted);
    ++refused;
  });
  CHECK((refused > 0 || testkit::cases(100) < 100));
}

TEST_CASE("records that are changed, removed, repeated or moved prove nothing false") {
  for_random(60, 4'000, [](Draw& draw, Goal goal) {
    const Proven p = proven(draw, goal);
    for (std::size_t k = 0; k < p.lines.size(); k += 1 + p.lines.size() / 30) {
      const auto place = static_cast<std::ptrdiff_t>(k);
      std::vector<std::string> changed = p.lines;
      changed.erase(changed.begin() + place);
      check_changed(p, changed);
      changed = p.lines;
      changed.insert(changed.begin() + place, p.lines[k]);
      check_changed(p, changed);
      changed = p.lines;
      changed.resize(k);
      CHECK_FALSE(checked(text_of(changed)).accepted);
      changed = p.lines;
      std::swap(changed[k], changed[p.lines.size() - 1 - k]);
      check_changed(p, changed);
      for (const char* record :
           {"room", "load", "empty", "slow", "pack", "wide 1", "wide 2", "split 0 1", "split 0 2",
            "c", "r", "t", "d 0", "d 1", "mix 0 0:1048576", "cut 1:0", "end", "infeasible", ""}) {
        changed = p.lines;
        changed[k] = record;
        check_changed(p, changed);
      }
    }
    std::vector<std::string> longer = p.lines;
    longer.push_back("end");
    CHECK_FALSE(checked(text_of(longer)).accepted);
  });
}

TEST_CASE("a byte that is changed proves nothing false") {
  for_random(60, 5'000, [](Draw& draw, Goal goal) {
    const Proven p = proven(draw, goal);
    const std::string text = text_of(p.lines);
    for (std::size_t k = draw() % 7; k < text.size(); k += 7) {
      std::string flipped = text;
      flipped[k] = static_cast<char>(flipped[k] ^ (1 << draw() % 7));
      check_changed(p, lines_of(flipped));
    }
  });
}

TEST_CASE("the tree of another problem is refused or proves it") {
  for_random(60, 6'000, [](Draw& draw, Goal goal) {
    const Proven p = proven(draw, goal);
    Instance other = p.at;
    other.a.cores += 1;
    other.a.core.crossbars += 1;
    other.p = make_partition(other.a, other.graph);
    const Proven q{other, p.question, solve(other.a, other.p, p.question), {}};
    const std::string instance = canonical_instance(other.a, other.graph, p.question);
    std::vector<std::string> changed = p.lines;
    changed[1] = "sha256 " + files::sha256(instance);
    changed[2] = "instance " + instance;
    check_changed(q, changed);
    std::istringstream stream(text_of(p.lines));
    CHECK_FALSE(pimbb_check::check(stream, instance).accepted);
  });
}

TEST_CASE("numbers beyond the checker's range are refused") {
  Draw draw(7);
  Instance at = testkit::random_instance(draw);
  const auto refusal = [&] {
    const std::string instance = canonical_instance(at.a, at.graph, {});
    return checked("pimbb-crossbar-proof/1\nsha256 " + files::sha256(instance) + "\ninstance " +
                   instance + "\ninfeasible\nroom\nend\n")
        .reason;
  };
  Node& node = at.graph.nodes[1];
  node.vertical.kernel = node.horizontal.kernel = 1 << 10;
  node.in.channels = 1 << 20;
  CHECK(refusal() == "");  // 2^40 rows of weights do not fit, and are in range
  node.in.channels = (1 << 20) + 1;
  CHECK(refusal() == "line 3: instance: a matrix of weights is too high");
}

TEST_CASE("what cannot be proven is said") {
  Draw draw(7);
  const Instance at = testkit::random_instance(draw);
  Solution solution;
  CHECK_THROWS_WITH_AS(static_cast<void>(prove(at.a, at.graph, {}, {}, solution)),
                       doctest::Contains("status is 'unknown'"), InputError);
  Architecture enforced = at.a;
  enforced.core.enforce_local_memory = true;
  CHECK_THROWS_WITH_AS(static_cast<void>(prove(enforced, at.graph, {}, {}, solution)),
                       doctest::Contains("enforce_local_memory"), InputError);
}
