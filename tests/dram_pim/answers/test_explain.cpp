// Conflicts and repairs against exhaustion: whether there is a mapping within some of the
// constraints, with other sizes and other limits.
#include <doctest/doctest.h>

#include <algorithm>

#include "dram_pim/answers/constraint_list.hpp"
#include "dram_pim/solver/by_seed.hpp"
#include "pimbb/dram_pim/explain.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/oracle_dataflow.hpp"
#include "support/random_constraints.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using dram_pim::answers::constraints_of;
using dram_pim::answers::Droppable;
using dram_pim::answers::Problem;
using testkit::by_seed;
using testkit::Instance;

namespace {

constexpr std::uint64_t kMostExplainedMappings = 10'000;

bool keeps(const oracle::CostOracle::Totals& totals, const Question& q) {
  return std::ranges::all_of(q.caps, [&](const GoalCap& cap) {
    return totals.value(cap.goal, q.objective) <= oracle::Fraction(cap.most);
  });
}

/// The least value of a goal, of all mappings that satisfy the question; nothing if there are none.
std::optional<oracle::Fraction> exhausted_goal(const Workload& w, const Problem& p, Goal goal) {
  const Question& q = p.question;
  oracle::Restriction part;
  if (q.constraints.any()) part = testkit::part_of(q.constraints);
  if (is_dataflow(q.method)) part = oracle::both(part, oracle::within(p.architecture, w, q.method));
  std::optional<oracle::Fraction> least;
  part.costs = [&](const oracle::CostOracle::Totals& totals) {
    if (!keeps(totals, q)) return;
    const oracle::Fraction value = totals.value(goal, q.objective);
    if (!least || value < *least) least = value;
  };
  static_cast<void>(oracle::brute_force(p.architecture, w, q.objective, q.row_model, part));
  return least;
}

bool exists(const Workload& w, const Problem& p) {
  return exhausted_goal(w, p, Goal::latency).has_value();
}

/// Infeasible more often than not: capacities, limits below the least cost, constraints, a
/// dataflow.
Question harder(testkit::Choices& choices, Instance& i) {
  Question q;
  q.objective = i.objective;
  q.row_model = i.row_model;
  if (choices.once_in(3)) q.constraints = testkit::random_constraints(choices, i);
  if (choices.once_in(3)) {
    const std::array<Method, 4> flows{Method::ws, Method::os, Method::is, Method::rs};
    q.method = flows.at(choices.pick(flows.size()));
  }
  if (choices.once_in(3)) {
    MemoryLevel& level = i.architecture.levels[choices.pick(i.architecture.levels.size())];
    level.capacity = static_cast<std::int64_t>(choices.pick(4));
  }
  const std::size_t limits = choices.pick(3);
  constexpr std::array<Goal, 4> kLimited{Goal::latency, Goal::energy, Goal::edp, Goal::activations};
  for (std::size_t k = 0; k < limits; ++k) {
    const Goal goal = kLimited.at(choices.pick(kLimited.size()));
    if (std::ranges::count(q.caps, goal, &GoalCap::goal) > 0) continue;
    const auto least = exhausted_goal(i.workload, {i.architecture, q}, goal);
    if (!least) continue;
    const Rational share(static_cast<std::int64_t>(choices.pick(6)) + 5, 8);
    q.caps.push_back({goal, least->to_rational() * share});
  }
  return q;
}

class Checker {
 public:
  Checker(const Instance& i, const Question& q)
      : w_(i.workload), whole_{i.architecture, q}, parts_(constraints_of(i.architecture, w_, q)) {}

  void check(const Explanation& found) {
    REQUIRE(found.constraints.size() == parts_.size());
    if (found.status == ExplanationStatus::feasible) {
      CHECK(exists(w_, whole_));
      CHECK(found.conflict.parts.empty());
      return;
    }
    CHECK(!exists(w_, whole_));
    REQUIRE(!found.conflict.parts.empty());
    CHECK(found.conflict.minimal);
    CHECK(!exists(w_, with_only(found, "")));
    for (const ConflictPart& part : found.conflict.parts) {
      CAPTURE(part.constraint.words);
      CHECK(exists(w_, with_only(found, part.constraint.words)));
      CHECK(part.need.has_value() == part.constraint.today.has_value());
      if (part.need) check_change(with_only(found, ""), part_called(part.constraint), *part.need);
    }
    CHECK(found.conflict.repairs.size() == found.conflict.parts.size());
    for (const Repair& repair : found.conflict.repairs) {
      CAPTURE(repair.constraint.words);
      check_change(whole_, part_called(repair.constraint), repair.change);
    }
  }

 private:
  const Droppable& part_called(const ProblemConstraint& constraint) const {
    return *std::ranges::find_if(
        parts_, [&](const Droppable& part) { return part.constraint.words == constraint.words; });
  }

  /// The constraints of the conflict but one.
  Problem with_only(const Explanation& found, const std::string& but) const {
    Problem problem = whole_;
    for (const Droppable& part : parts_) {
      const bool kept = part.constraint.words != but &&
                        std::ranges::any_of(found.conflict.parts, [&](const ConflictPart& c) {
                          return c.constraint.words == part.constraint.words;
                        });
      if (!kept) part.drop(problem);
    }
    return problem;
  }

  bool exists_with(const Problem& problem, const Droppable& part, const Rational& x) const {
    return exists(w_, {part.size->changed(problem.architecture, x), problem.question});
  }

  void check_change(const Problem& problem, const Droppable& part,
                    const LeastChange& change) const {
    if (change.reason ==
        LeastChange::Reason::open) {  // rows under limits on costs, tried one by one
      CHECK(part.size.has_value());
      return;
    }
    const bool helps = change.reason == LeastChange::Reason::enough;
    if (part.limited) {
      Problem other = problem;
      part.drop(other);
      const auto least = exhausted_goal(w_, other, *part.limited);
      REQUIRE(least.has_value() == helps);
      if (helps) CHECK(*least == oracle::Fraction(*change.value));
    } else if (!part.size) {
      Problem other = problem;
      part.drop(other);
      CHECK(exists(w_, other) == helps);
    } else if (!helps) {
      CHECK(!exists_with(problem, part, part.size->most(w_)));
    } else {
      CHECK(exists_with(problem, part, *change.value));
      const std::int64_t today = *part.size->today.in_units(1);
      const std::int64_t changed = *change.value->in_units(1);
      for (std::int64_t x = changed < today ? changed + 1 : today; x < std::max(changed, today);
           ++x) {
        CHECK(!exists_with(problem, part, x));
      }
    }
  }

  const Workload& w_;
  Problem whole_;
  std::vector<Droppable> parts_;
};

Workload layer_of(std::int64_t p, std::int64_t c, std::int64_t k) {
  Workload w;
  w.name = "small";
  w.bounds[index(Dim::P)] = p;
  w.bounds[index(Dim::C)] = c;
  w.bounds[index(Dim::K)] = k;
  return w;
}

std::vector<std::string> words_of(const Explanation& found) {
  std::vector<std::string> words;
  for (const ConflictPart& part : found.conflict.parts) words.push_back(part.constraint.words);
  return words;
}

}  // namespace

TEST_CASE("conflicts, needs and repairs are those of exhaustion") {
  std::array<std::size_t, kConstraintKindNames.size()> kinds{};
  std::uint64_t next = 0;
  std::size_t feasible = 0, longest = 0, helpless = 0;
  const std::size_t count = std::max<std::size_t>(testkit::cases(4000), 12);
  by_seed(81'000'000, count, {.macs = 8, .levels = 5}, [&](Instance i) {
    testkit::Choices choices(81'000'000 + next++);
    Architecture loose = i.architecture;
    for (std::size_t m = 0; m < loose.row_buffer(); ++m) loose.levels[m].bypass_free = true;
    const auto all = oracle::brute_force(loose, i.workload, i.objective, RowModel::none);
    if (all.mappings > kMostExplainedMappings) return;
    const Question q = harder(choices, i);
    const Explanation found = explain(i.architecture, i.workload, q);
    Checker(i, q).check(found);
    feasible += found.status == ExplanationStatus::feasible ? 1U : 0U;
    longest = std::max(longest, found.conflict.parts.size());
    for (const Repair& repair : found.conflict.repairs) {
      kinds.at(static_cast<std::size_t>(repair.constraint.kind)) += 1;
      helpless += repair.change.reason == LeastChange::Reason::none ? 1U : 0U;
    }
  });
  CHECK(feasible > 0);
  if (testkit::slow_build()) return;
  CHECK(longest > 2);
  CHECK(helpless > 0);
  for (std::size_t kind = 0; kind < kinds.size(); ++kind) {
    CAPTURE(kConstraintKindNames.at(kind));
    const bool of_others = static_cast<ConstraintKind>(kind) > ConstraintKind::limit;
    CHECK((kinds.at(kind) > 0) == !of_others);
  }
}

TEST_CASE("a level that cannot hold its tensors") {
  Architecture a = read_architecture("simple_pim");
  a.levels[0].capacity = 2;
  const Explanation found = explain(a, layer_of(4, 4, 4), {});
  CHECK(found.status == ExplanationStatus::complete);
  CHECK(words_of(found) ==
        std::vector<std::string>{"PELocalBuffer always stores input, weight, output",
                                 "capacity of PELocalBuffer"});
  REQUIRE(found.conflict.repairs.size() == 2);
  CHECK(found.conflict.repairs[0].constraint.parameter == "levels.PELocalBuffer.entries");
  CHECK(*found.conflict.repairs[0].change.value == Rational(3));
  CHECK(found.conflict.repairs[1].change.reason == LeastChange::Reason::enough);
  CHECK(!found.conflict.repairs[1].change.value);
}

TEST_CASE("a latency below that of all PEs at work") {
  const Architecture a = read_architecture("simple_pim");
  const Workload w = layer_of(1, 64, 64);
  Question q;
  q.caps = {{Goal::latency, 10}};
  const Explanation found = explain(a, w, q);
  CHECK(found.status == ExplanationStatus::complete);
  const auto limit = std::ranges::find(found.conflict.repairs, ConstraintKind::limit,
                                       [](const Repair& r) { return r.constraint.kind; });
  REQUIRE(limit != found.conflict.repairs.end());
  CHECK(limit->constraint.parameter == "at_most.latency");
  const Solution fastest = solve(a, w);
  CHECK(*limit->change.value == fastest.goals[0].value);
}

TEST_CASE("two limits on one goal are one constraint, the lower of them") {
  const Architecture a = read_architecture("simple_pim");
  Question q;
  q.at_most = 20;
  q.caps = {{Goal::latency, 10}, {Goal::energy, 1'000'000}};
  const Explanation found = explain(a, layer_of(1, 64, 64), q);
  std::vector<Rational> limits;
  for (const ProblemConstraint& each : found.constraints) {
    if (each.kind == ConstraintKind::limit) limits.push_back(*each.today);
  }
  CHECK(limits == std::vector<Rational>{10, 1'000'000});
  for (const ConflictPart& part : found.conflict.parts) {
    CHECK(found.constraints[part.number].words == part.constraint.words);
  }
  for (const Repair& repair : found.conflict.repairs) {
    CHECK(found.constraints[repair.number].words == repair.constraint.words);
  }
}

TEST_CASE("rules of units and constraints in words") {
  Architecture a = read_architecture("simple_pim");
  a.pe_array.unit_type = UnitType::systolic;
  a.pe_array.width = 1;
  Question q;
  q.constraints.spatial[index(Direction::H)][index(Dim::C)] = {2, 2};
  const Explanation found = explain(a, layer_of(4, 4, 4), q);
  CHECK(words_of(found) ==
        std::vector<std::string>{"systolic: only K unrolled on PE rows", "spatial.H.C = 2"});
  for (const Repair& repair : found.conflict.repairs) {
    CHECK(repair.change.reason == LeastChange::Reason::enough);
  }
}

TEST_CASE("a feasible problem has nothing to explain; threads, limits and refusals") {
  const Architecture a = read_architecture("simple_pim");
  const Workload w = layer_of(4, 16, 16);
  CHECK(explain(a, w, {}).status == ExplanationStatus::feasible);
  Question q;
  q.caps = {{Goal::latency, 5}, {Goal::energy, 20}};
  const Explanation one = explain(a, w, q, {.threads = 1});
  const Explanation three = explain(a, w, q, {.threads = 3});
  CHECK(one.status == ExplanationStatus::complete);
  CHECK(explanation_json(a, w, q, {.timeless = true}, one) ==
        explanation_json(a, w, q, {.timeless = true}, three));
  CHECK(one.nodes == three.nodes);

  const Explanation none = explain(a, w, q, {.node_limit = 0});
  CHECK(none.status == ExplanationStatus::partial);
  CHECK(none.conflict.parts.empty());
  RunLimits some;
  some.node_limit = one.nodes / 2;
  const Explanation part = explain(a, w, q, some);
  CHECK(part.status == ExplanationStatus::partial);

  q.method = Method::greedy;
  CHECK_THROWS_AS(explain(a, w, q), InputError);
  q.method = Method::exact;
  q.below = Rational(3);
  CHECK_THROWS_AS(explain(a, w, q), InputError);
  Workload padded = w;
  padded.padding = Padding::all({1, false});
  q.below.reset();
  CHECK_THROWS_AS(explain(a, padded, q), InputError);
}
