// Conflicts and repairs of tiny networks against trying everything: conflicts are minimal, repairs
// are enough, one unit less is not, and no change of anything else is.
#include <doctest/doctest.h>

#include "crossbar/answers/bounded_tree.hpp"
#include "crossbar/cost/latency.hpp"
#include "crossbar/exhaustion.hpp"
#include "crossbar/tiny_networks.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using testkit::TinyProblem;

namespace {

struct Limited {
  TinyProblem at;
  std::optional<Rational> ht, ll;

  [[nodiscard]] bool is_feasible() const {
    return testkit::least_by_trying(at, false, ht, ll).has_value();
  }
};

/// Another number of a constraint; whether an architecture may have it.
bool change(Limited& problem, const ProblemConstraint& constraint, const Rational& value) {
  const std::string& key = constraint.parameter;
  if (key == "at_most.ht") problem.ht = value;
  if (key == "at_most.ll") problem.ll = value;
  if (constraint.kind == ConstraintKind::limit) return value.sign() >= 0;
  if (!value.in_units(1)) return false;
  const std::int64_t x = *value.in_units(1);
  Architecture& a = problem.at.a;
  if (key == "chips") a.chips = x;
  if (key == "cores") a.cores = x;
  if (key == "core.crossbars") a.core.crossbars = x;
  if (key == "core.rows") a.core.rows = x;
  if (key == "core.columns") a.core.columns = x;
  if (key == "core.slices") a.core.slices = x;
  if (key == "core.max_nodes") a.core.max_nodes = x;
  if (key == "core.local_memory") a.core.local_memory = x;
  if (key == "bits.activation") a.bits.activation = x;
  if (key == "mvm.time") a.mvm.time = x;
  if (key == "mvm.interval") a.mvm.interval = x;
  return x >= (key == "core.local_memory" ? 0 : 1);
}

bool gets_smaller(const ProblemConstraint& constraint) {
  return constraint.kind == ConstraintKind::time || constraint.kind == ConstraintKind::precision ||
         constraint.parameter == "core.slices";
}

/// Small enough to be tried.
bool can_be_tried(const Limited& problem) {
  const Architecture& a = problem.at.a;
  const std::int64_t crossbars = a.all_cores() * a.core.crossbars;
  return a.core.enforce_local_memory ? a.all_cores() <= 3 && crossbars <= 9 : crossbars <= 24;
}

void check_repair(const Limited& problem, const Repair& repair) {
  const ProblemConstraint& constraint = repair.constraint;
  CAPTURE(constraint.words);
  const Rational today = *constraint.today;
  const Rational step = gets_smaller(constraint) ? -1 : 1;
  if (repair.change.reason == LeastChange::Reason::none) {
    for (int k = 1; k <= 3; ++k) {
      Limited other = problem;
      if (change(other, constraint, today + Rational(k) * step) && can_be_tried(other)) {
        CHECK(!other.is_feasible());
      }
    }
    return;
  }
  REQUIRE(repair.change.reason == LeastChange::Reason::enough);
  const Rational value = *repair.change.value;
  CAPTURE(value.to_string());
  Limited repaired = problem;
  REQUIRE(change(repaired, constraint, value));
  if (can_be_tried(repaired)) CHECK(repaired.is_feasible());
  Limited less = problem;
  const Rational unit =
      constraint.kind == ConstraintKind::limit ? Rational(1, 1'000'000) : Rational(1);
  if (change(less, constraint, value - unit * step) && can_be_tried(less)) {
    CHECK(!less.is_feasible());
  }
}

/// With a few more of everything in `dropped`, as far as that can be tried.
std::optional<bool> feasible_without(const Limited& problem,
                                     const std::vector<ProblemConstraint>& dropped) {
  Limited wide = problem;
  for (const ProblemConstraint& constraint : dropped) {
    const std::string& key = constraint.parameter;
    if (key == "at_most.ht") wide.ht.reset();
    if (key == "at_most.ll") wide.ll.reset();
    if (constraint.kind == ConstraintKind::limit) continue;
    if (key == "core.local_memory") {
      wide.at.a.core.enforce_local_memory = false;
    } else if (key == "core.rows" || key == "core.columns") {
      change(wide, constraint, 20);
    } else {
      change(wide, constraint, gets_smaller(constraint) ? Rational(1) : *constraint.today * 3);
    }
  }
  return can_be_tried(wide) ? std::optional(wide.is_feasible()) : std::nullopt;
}

struct ExplainedCounts {
  int feasible = 0;
  int explained = 0;
  int repairs = 0;
  int subsets = 0;
  int smaller = 0;    // conflicts without a part that could be tried
  int confirmed = 0;  // and had a mapping
};

/// What each part needs beside the rest of the conflict makes a mapping possible, and no less does.
void check_parts(const Limited& problem, const Explanation& found,
                 const std::vector<ProblemConstraint>& others, ExplainedCounts& counts) {
  for (const ConflictPart& part : found.conflict.parts) {
    CAPTURE(part.constraint.words);
    REQUIRE(part.need);
    CHECK(part.need->reason != LeastChange::Reason::open);
    std::vector<ProblemConstraint> rest = others;
    rest.push_back(part.constraint);
    const auto without = feasible_without(problem, rest);
    counts.smaller += without ? 1 : 0;
    counts.confirmed += without && *without ? 1 : 0;
    if (part.need->reason != LeastChange::Reason::enough) continue;
    Limited less = problem;
    const Rational step = gets_smaller(part.constraint) ? -1 : 1;
    const Rational unit =
        part.constraint.kind == ConstraintKind::limit ? Rational(1, 1'000'000) : Rational(1);
    if (change(less, part.constraint, *part.need->value - unit * step)) {
      if (const auto found_less = feasible_without(less, others)) CHECK(!*found_less);
    }
  }
}

/// Nothing outside the conflict helps.
void check_others(const Limited& problem, const std::vector<ProblemConstraint>& others) {
  for (const ProblemConstraint& other : others) {
    Limited changed = problem;
    const Rational step = gets_smaller(other) ? -1 : 1;
    if (change(changed, other, *other.today + step) && can_be_tried(changed)) {
      CHECK(!changed.is_feasible());
    }
  }
}

void check_explanation(const Limited& problem, ExplainedCounts& counts) {
  ExplainQuestion question;
  if (problem.ht) question.caps.push_back({Goal::ht, *problem.ht});
  if (problem.ll) question.caps.push_back({Goal::ll, *problem.ll});
  const Explanation found = explain(problem.at.a, problem.at.graph, question);
  const bool is_feasible = problem.is_feasible();
  CHECK((found.status == ExplanationStatus::feasible) == is_feasible);
  if (is_feasible) {
    ++counts.feasible;
    return;
  }
  ++counts.explained;
  if (!problem.at.a.core.enforce_local_memory) {
    CHECK(found.status == ExplanationStatus::complete);
  }
  CHECK(found.conflict.minimal);
  REQUIRE(!found.conflict.parts.empty());
  std::vector<bool> is_part(found.constraints.size(), false);
  for (const ConflictPart& part : found.conflict.parts) is_part[part.number] = true;
  // Together they are infeasible, whatever the others are.
  std::vector<ProblemConstraint> others;
  for (std::size_t k = 0; k < is_part.size(); ++k) {
    if (!is_part[k]) others.push_back(found.constraints[k]);
  }
  if (const auto all = feasible_without(problem, others)) {
    CHECK(!*all);
    ++counts.subsets;
  }
  check_parts(problem, found, others, counts);
  for (const Repair& repair : found.conflict.repairs) {
    if (repair.change.reason == LeastChange::Reason::open) continue;  // of crossbars with memory
    check_repair(problem, repair);
    ++counts.repairs;
  }
  check_others(problem, others);
}

Limited drawn_problem(testkit::Draw& draw) {
  Limited problem{testkit::tiny_problem(draw), {}, {}};
  const auto limits = draw() % 4;
  const auto near = [&](const std::optional<Rational>& value) {
    return value ? std::optional(*value * Rational(static_cast<std::int64_t>(draw() % 6 + 2), 6))
                 : std::nullopt;
  };
  if (limits == 1 || limits == 3) problem.ht = near(testkit::least_by_trying(problem.at, false));
  if (limits >= 2) problem.ll = near(testkit::least_by_trying(problem.at, true));
  return problem;
}

/// The tree of both limits alone, which searches of one of them seldom leave anything to.
void check_tree(const Limited& problem, const Partition& p) {
  const assign::Problem assignment(problem.at.a, p);
  within::TreeLimits limits{problem.ht->in_units(1), problem.ll};
  assign::Effort effort;
  CHECK(any_within(assignment, limits, effort).answer == assign::Answer::yes);
  limits.latency.reset();
  const auto least = least_latency_within(assignment, limits, effort);
  CHECK(least.proven);
  CHECK(least.latency == testkit::least_by_trying(problem.at, true, problem.ht));
  limits.latency = least.latency;
  CHECK(any_within(assignment, limits, effort).answer == assign::Answer::yes);
  *limits.latency *= Rational(999'999, 1'000'000);
  CHECK(any_within(assignment, limits, effort).answer == assign::Answer::no);
}

}  // namespace

TEST_CASE("explanations of tiny networks against trying everything") {
  ExplainedCounts counts;
  const std::uint64_t first = testkit::first_seed(1);
  for (std::uint64_t seed = first; seed < first + testkit::cases(400); ++seed) {
    CAPTURE(seed);
    testkit::Draw draw(seed);
    check_explanation(drawn_problem(draw), counts);
  }
  MESSAGE("feasible " << counts.feasible << ", explained " << counts.explained << ", repairs "
                      << counts.repairs << ", conflicts tried " << counts.subsets
                      << ", without a part " << counts.smaller << ", feasible "
                      << counts.confirmed);
  CHECK(counts.explained > 0);
  // What is dropped is only three times as large here, which is not always enough.
  CHECK(2 * counts.confirmed > counts.smaller);
}

TEST_CASE("limits on both estimates that some replication just meets") {
  int feasible = 0;
  const std::uint64_t first = testkit::first_seed(20'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(300); ++seed) {
    CAPTURE(seed);
    testkit::Draw draw(seed);
    Limited problem{testkit::tiny_problem(draw), {}, {}};
    for (Node& node : problem.at.graph.nodes) node.in.width = node.out.width = 7;
    const Partition p = make_partition(problem.at.a, problem.at.graph);
    if (p.graph.nodes.size() != problem.at.graph.nodes.size()) continue;  // parts
    const auto all = testkit::replications(problem.at.a, p);
    if (all.empty()) continue;
    const auto& replication = all[draw() % all.size()];
    problem.ll = cost::latency(problem.at.a, p, {replication, {}}, cost::RateRule::provider);
    problem.ht = testkit::least_by_trying(problem.at, false, {}, problem.ll);
    if (!problem.ht) continue;
    ++feasible;
    check_tree(problem, p);
    ExplainQuestion question{{{Goal::ht, *problem.ht}, {Goal::ll, *problem.ll}}};
    CHECK(explain(problem.at.a, problem.at.graph, question).status == ExplanationStatus::feasible);
    question.caps[0].most -= 1;
    const Explanation found = explain(problem.at.a, problem.at.graph, question);
    CHECK(found.status == ExplanationStatus::complete);
    for (const Repair& repair : found.conflict.repairs) {
      if (repair.constraint.parameter == "at_most.ht") CHECK(repair.change.value == *problem.ht);
    }
  }
  MESSAGE("feasible " << feasible);
  CHECK(feasible > 0);
}

TEST_CASE("explanations with enforced local memory") {
  ExplainedCounts counts;
  const std::uint64_t first = testkit::first_seed(10'000);
  for (std::uint64_t seed = first; seed < first + testkit::cases(150); ++seed) {
    CAPTURE(seed);
    testkit::Draw draw(seed);
    Limited problem = drawn_problem(draw);
    Architecture& a = problem.at.a;
    a.core.crossbars = std::min<std::int64_t>(a.core.crossbars, 3);
    a.core.enforce_local_memory = true;
    a.bits.activation = 8;
    a.core.local_memory = static_cast<std::int64_t>(draw() % 60);
    check_explanation(problem, counts);
  }
  MESSAGE("feasible " << counts.feasible << ", explained " << counts.explained << ", repairs "
                      << counts.repairs << ", conflicts tried " << counts.subsets
                      << ", without a part " << counts.smaller << ", feasible "
                      << counts.confirmed);
}
