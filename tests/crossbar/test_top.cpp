// The best classes of mappings against all mappings of all replications: lists, representatives,
// members, ties, counts, with and without limits; bounds that large networks rest on.
#include <doctest/doctest.h>

#include <algorithm>
#include <iostream>
#include <map>

#include "crossbar/answers/class_boxes.hpp"
#include "crossbar/cost/latency.hpp"
#include "crossbar/cost/throughput.hpp"
#include "crossbar/exhaustion.hpp"
#include "crossbar/golden.hpp"
#include "crossbar/instances.hpp"
#include "crossbar/small_chip.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using testkit::Draw;
using testkit::Instance;
using testkit::Replication;

namespace {

/// A class as it is defined.
struct TrueClass {
  Rational value;
  std::int64_t members = 0;
};
using TrueClasses = std::map<Replication, TrueClass>;

std::uint64_t one_of_the_first(Draw& draw, std::uint64_t count) { return draw() % count; }

/// Small enough that all mappings can be visited. One replica of each node has room, mostly.
Instance tiny_instance(Draw& draw, std::size_t i) {
  for (std::size_t trial = 0;; ++trial) {
    Instance at = testkit::drawn_instance(draw, i + trial);
    at.a.cores = std::min<std::int64_t>(at.a.cores, i % 3 == 0 ? 3 : 2);
    at.a.core.crossbars = std::min<std::int64_t>(at.a.core.crossbars, at.a.cores == 3 ? 4 : 6);
    at.p = make_partition(at.a, at.graph);
    const assign::Problem problem(at.a, at.p);
    const bool has_room = problem.has_room(Replication(problem.families.size(), 1));
    if (has_room || trial == 9) return at;
  }
}

Rational value_of(const Instance& at, Goal goal, const Mapping& mapping) {
  if (goal == Goal::ll) return cost::latency(at.a, at.p, mapping, cost::RateRule::provider);
  return std::ranges::max(cost::core_times(at.a, at.p, mapping));
}

TrueClasses classes_by_trying(const Instance& at, Goal goal) {
  TrueClasses all;
  for (const Replication& r : testkit::family_replications(at.a, at.p)) {
    testkit::for_each_mapping(at.a, at.p, r, [&](const Mapping& mapping) {
      if (at.a.core.enforce_local_memory && find_violation(at.a, at.p, mapping)) return;
      const Rational value = value_of(at, goal, mapping);
      const auto [place, is_new] = all.try_emplace(r, TrueClass{value, 0});
      TrueClass& known = place->second;
      if (value < known.value) known = {value, 0};
      if (value == known.value) ++known.members;
    });
  }
  return all;
}

/// By cost, then by replication.
std::vector<std::pair<Rational, Replication>> in_order(const TrueClasses& all) {
  std::vector<std::pair<Rational, Replication>> order;
  for (const auto& [r, c] : all) order.emplace_back(c.value, r);
  std::ranges::sort(order);
  return order;
}

std::string text_of_replication(const Replication& r) {
  std::string text;
  for (const std::int64_t n : r) text += (text.empty() ? "" : " ") + std::to_string(n);
  return text;
}

/// Classes up to a cost, and their members.
ClassTotal total_up_to(const TrueClasses& all, const Rational& most) {
  ClassTotal total{0, true, Rational(0)};
  for (const auto& [r, c] : all) {
    if (c.value > most) continue;
    ++total.classes;
    *total.mappings += Rational(c.members);
  }
  return total;
}

void check_representatives(const Instance& at, const TopClasses& top, const TrueClasses& all) {
  REQUIRE(top.texts.size() == top.classes.size());
  for (std::size_t k = 0; k < top.classes.size(); ++k) {
    const MappingClass& c = top.classes[k];
    CHECK(!find_violation(at.a, at.p, c.mapping));
    CHECK(value_of(at, top.goal, c.mapping) == c.value);
    CHECK(top.texts[k] == text_of_replication(c.mapping.replication));
    const auto found = all.find(c.mapping.replication);
    REQUIRE(found != all.end());
    CHECK(c.bound <= found->second.value);
    CHECK(c.value >= found->second.value);
    if (c.mappings) CHECK(*c.mappings == Rational(found->second.members));
    if (k == 0) continue;
    const MappingClass& before = top.classes[k - 1];
    CHECK(std::tie(before.value, before.mapping.replication) <
          std::tie(c.value, c.mapping.replication));
  }
}

/// What a complete list says, with the counts that small problems always have.
void check_complete(const Instance& at, const TopClasses& top, const TopRange& range,
                    const TrueClasses& all, bool counted) {
  REQUIRE(top.status == TopStatus::complete);
  CHECK(!top.bound);
  check_representatives(at, top, all);
  std::vector<std::pair<Rational, Replication>> order = in_order(all);
  const Rational optimum = order.front().first;
  ClassTotal within;
  if (range.within) {
    const Rational most = (Rational(1) + *range.within) * optimum;
    within = total_up_to(all, most);
    std::erase_if(order, [&](const auto& c) { return c.first > most; });
    REQUIRE(top.within);
    CHECK(top.within->all);
    CHECK(top.within->classes == within.classes);
    if (top.within->mappings) CHECK(*top.within->mappings == *within.mappings);
    CHECK((top.within->mappings.has_value() == (counted && order.size() <= range.most)));
  }
  const std::size_t listed = std::min<std::size_t>(order.size(), range.most);
  REQUIRE(top.classes.size() == listed);
  for (std::size_t k = 0; k < listed; ++k) {
    CHECK(top.classes[k].value == order[k].first);
    CHECK(top.classes[k].bound == order[k].first);
    CHECK(top.classes[k].mapping.replication == order[k].second);
    CHECK(top.classes[k].mappings.has_value() == counted);
  }
  const auto ties =
      std::ranges::count(order, order[listed - 1].first, &std::pair<Rational, Replication>::first);
  const auto listed_ties =
      std::ranges::count(top.classes, order[listed - 1].first, &MappingClass::value);
  CHECK(top.tied.all);
  CHECK(top.tied.classes == static_cast<std::uint64_t>(ties - listed_ties));
  const ClassTotal optimal = total_up_to(all, optimum);
  REQUIRE(top.optimal);
  CHECK(top.optimal->all);
  CHECK(top.optimal->classes == optimal.classes);
  CHECK(top.optimal->mappings.has_value() == counted);
  if (top.optimal->mappings) CHECK(*top.optimal->mappings == *optimal.mappings);
}

Goal goal_of_case(const Instance& at, std::size_t i) {
  return i % 2 == 0 && cost::why_no_latency(at.p).empty() ? Goal::ll : Goal::ht;
}

TopRange drawn_range(Draw& draw) {
  TopRange range;
  range.most = 1 + one_of_the_first(draw, 6);
  if (one_of_the_first(draw, 4) == 0) range.most = 1'000'000;
  if (one_of_the_first(draw, 2) == 0) {
    range.within = Rational(static_cast<std::int64_t>(one_of_the_first(draw, 5)), 8);
  }
  return range;
}

}  // namespace

TEST_CASE("lists, members and counts of tiny problems against all mappings") {
  Draw draw(testkit::first_seed(1));
  std::size_t infeasible = 0;
  std::size_t with_ties = 0;
  std::size_t all_listed = 0;
  for (std::size_t i = 0; i < testkit::cases(800); ++i) {
    CAPTURE(i);
    const Instance at = tiny_instance(draw, i);
    const Goal goal = goal_of_case(at, i);
    const TopRange range = drawn_range(draw);
    CAPTURE(name(goal));
    CAPTURE(range.most);
    const TrueClasses all = classes_by_trying(at, goal);
    const TopClasses top = best_mappings(at.a, at.p, {goal}, range);
    if (all.empty()) {
      CHECK(top.status == TopStatus::infeasible);
      CHECK(!top.reason.empty());
      CHECK(top.classes.empty());
      ++infeasible;
      continue;
    }
    check_complete(at, top, range, all, true);
    if (top.tied.classes > 0) ++with_ties;
    if (top.classes.size() == all.size()) ++all_listed;
  }
  std::cout << "lists: " << infeasible << " without a mapping, " << with_ties << " with ties, "
            << all_listed << " of all classes\n";
  CHECK((with_ties > 0 || testkit::cases(100) < 100));
  CHECK((all_listed > 0 || testkit::cases(100) < 100));
}

TEST_CASE("lists under limits of local memory against all legal mappings") {
  Draw draw(testkit::first_seed(2));
  std::size_t legal = 0;
  for (std::size_t i = 0; i < testkit::cases(300); ++i) {
    CAPTURE(i);
    Instance at = tiny_instance(draw, 3 * i + 1);
    at.a.core.crossbars = std::min<std::int64_t>(at.a.core.crossbars, 4);
    at.a.core.enforce_local_memory = true;
    at.a.core.local_memory = 60 + static_cast<std::int64_t>(one_of_the_first(draw, 180));
    at.p = make_partition(at.a, at.graph);
    const Goal goal = goal_of_case(at, i);
    const TopRange range = drawn_range(draw);
    const TrueClasses all = classes_by_trying(at, goal);
    const TopClasses top = best_mappings(at.a, at.p, {goal}, range);
    if (all.empty()) {
      CHECK(top.status == TopStatus::infeasible);
      continue;
    }
    check_complete(at, top, range, all, false);
    ++legal;
  }
  CHECK((legal > 0 || testkit::cases(100) < 100));
}

TEST_CASE("what a limit ends claims no more than is true") {
  Draw draw(testkit::first_seed(3));
  std::size_t partial = 0;
  for (std::size_t i = 0; i < testkit::cases(600); ++i) {
    CAPTURE(i);
    const Instance at = tiny_instance(draw, i);
    const Goal goal = goal_of_case(at, i);
    const TopRange range = drawn_range(draw);
    RunLimits limits;
    limits.node_limit = one_of_the_first(draw, 100);
    const TrueClasses all = classes_by_trying(at, goal);
    const TopClasses top = best_mappings(at.a, at.p, {goal}, range, limits);
    if (top.status == TopStatus::infeasible) {
      CHECK(all.empty());
      continue;
    }
    if (all.empty()) {
      CHECK(top.classes.empty());
      continue;
    }
    check_representatives(at, top, all);
    const Rational optimum = in_order(all).front().first;
    const std::uint64_t optimal = total_up_to(all, optimum).classes;
    if (top.optimal) {
      CHECK(top.classes.front().value == optimum);
      CHECK(top.optimal->classes <= optimal);
      if (top.optimal->all) CHECK(top.optimal->classes == optimal);
    }
    if (top.within) {
      const ClassTotal within = total_up_to(all, (Rational(1) + *range.within) * optimum);
      CHECK(top.within->classes <= within.classes);
      if (top.within->all) CHECK(top.within->classes == within.classes);
    }
    std::map<Replication, const MappingClass*> listed;
    for (const MappingClass& c : top.classes) listed[c.mapping.replication] = &c;
    std::uint64_t ties = 0;
    for (const auto& [r, c] : all) {
      if (listed.contains(r)) continue;
      if (!top.classes.empty() && c.value == top.classes.back().value) ++ties;
      if (top.status == TopStatus::partial) {
        REQUIRE(top.bound);
        CHECK(c.value >= *top.bound);
      } else if (top.classes.size() == range.most) {
        CHECK(c.value >= top.classes.back().value);
      } else {
        REQUIRE(range.within);
        CHECK(c.value > (Rational(1) + *range.within) * optimum);
      }
    }
    CHECK(top.tied.classes <= ties);
    if (top.tied.all) CHECK(top.tied.classes == ties);
    if (top.status == TopStatus::partial) ++partial;
  }
  CHECK((partial > 0 || testkit::cases(100) < 100));
}

TEST_CASE("golden tiny problems: complete lists that begin with the optimum") {
  const auto folder = golden::folder();
  if (!folder) return;
  std::size_t number = 0;
  for (const golden::Json& line : golden::lines(*folder / "optima_tiny.jsonl")) {
    CAPTURE(++number);
    if (!testkit::chosen(number)) continue;
    const Instance at = testkit::golden_instance(line, *folder);
    for (const Goal goal : {Goal::ht, Goal::ll}) {
      if (goal == Goal::ll && !cost::why_no_latency(at.p).empty()) continue;
      const TopClasses top = best_mappings(at.a, at.p, {goal}, {.most = 5});
      const Solution best = solve(at.a, at.p, {goal});
      if (best.status == Status::infeasible) {
        CHECK(top.status == TopStatus::infeasible);
        continue;
      }
      CHECK(top.status == TopStatus::complete);
      REQUIRE(!top.classes.empty());
      CHECK(top.classes.front().value == best.result.value);
      REQUIRE(top.optimal);
      CHECK(top.optimal->classes >= 1);
    }
  }
}

TEST_CASE("boxes of a larger network: what is left out is beyond the cutoff") {
  Draw draw(testkit::first_seed(4));
  const Instance at = testkit::modules(5, 16);
  const assign::Problem problem(at.a, at.p);
  REQUIRE(!joint::is_small(problem));
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < testkit::cases(60); ++i) {
    CAPTURE(i);
    const Goal goal = i % 2 == 0 ? Goal::ll : Goal::ht;
    assign::Effort effort;
    joint::JointBoxes joint_boxes(problem);
    classes::ClassBoxes boxes(problem, goal, joint_boxes, effort);
    assign::Box box = boxes.root();
    for (std::size_t f = 0; f < box.least.size(); ++f) {
      box.least[f] = 1 + static_cast<std::int64_t>(one_of_the_first(draw, 3));
      box.most[f] = box.least[f] + static_cast<std::int64_t>(one_of_the_first(draw, 4));
    }
    const Rational near = boxes.least(box.most);
    const auto sixteenths = static_cast<std::int64_t>(15 + one_of_the_first(draw, 4));
    const classes::Cutoff cutoff{Rational(sixteenths, 16) * near, false};
    assign::Box narrow = box;
    const bool any = boxes.narrow(narrow, cutoff);
    for (std::size_t k = 0; k < 200; ++k) {
      Replication r;
      bool is_in = any;
      for (std::size_t f = 0; f < box.least.size(); ++f) {
        r.push_back(box.least[f] +
                    static_cast<std::int64_t>(one_of_the_first(
                        draw, static_cast<std::uint64_t>(box.most[f] - box.least[f] + 1))));
        is_in = is_in && r[f] >= narrow.least[f] && r[f] <= narrow.most[f];
      }
      if (is_in || !problem.has_room(r)) continue;
      ++dropped;
      if (goal == Goal::ll) {
        CHECK(boxes.latency(r) > *cutoff.most);
      } else {
        CHECK(joint_boxes.is_refuted(r, boxes.deadline(cutoff)));
      }
    }
  }
  CHECK((dropped > 0 || testkit::cases(100) < 100));
}

TEST_CASE("a larger network: the same for any number of threads; stopped at once") {
  if (testkit::slow_build()) return;
  const Instance at = testkit::modules(6, 16);
  for (const Goal goal : {Goal::ht, Goal::ll}) {
    RunLimits limits;
    limits.node_limit = 5'000;
    limits.threads = 1;
    const TopClasses one = best_mappings(at.a, at.p, {goal}, {.most = 4}, limits);
    limits.threads = 3;
    const TopClasses three = best_mappings(at.a, at.p, {goal}, {.most = 4}, limits);
    CHECK(one.status == three.status);
    CHECK(one.nodes == three.nodes);
    CHECK(one.texts == three.texts);
    CHECK(!one.texts.empty());
    for (const MappingClass& c : one.classes) CHECK(!find_violation(at.a, at.p, c.mapping));
    RunLimits none;
    none.time_limit = 0;
    const TopClasses stopped = best_mappings(at.a, at.p, {goal}, {}, none);
    CHECK(stopped.status == TopStatus::partial);
    CHECK(stopped.bound);
    none.memory_limit = 1'000;
    CHECK_THROWS_AS(static_cast<void>(best_mappings(at.a, at.p, {goal}, {}, none)), LimitError);
  }
}

TEST_CASE("room for everything: the first optimal replications, and at least so many more") {
  if (testkit::slow_build()) return;
  const Instance at = testkit::modules(6, 96);
  const TopClasses top = best_mappings(at.a, at.p, {Goal::ht}, {.most = 5});
  CHECK(top.status == TopStatus::complete);
  REQUIRE(top.classes.size() == 5);
  REQUIRE(top.optimal);
  for (const MappingClass& c : top.classes) {
    CHECK(c.bound == c.value);
    CHECK(c.value == top.classes.front().value);
    CHECK(!find_violation(at.a, at.p, c.mapping));
  }
  CHECK(top.optimal->classes >= 5);
}

TEST_CASE("ranges and goals that are refused") {
  const testkit::Row row(4, 3);
  CHECK_THROWS_WITH_AS(static_cast<void>(best_mappings(row.a, row.p, {}, {.most = 0})),
                       doctest::Contains("found 0 classes to list"), InputError);
  CHECK_THROWS_WITH_AS(
      static_cast<void>(best_mappings(row.a, row.p, {}, {.most = 1, .within = Rational(-1)})),
      doctest::Contains("negative percentage"), InputError);
  Partition p = row.p;
  for (Node& node : p.graph.nodes) node.op = node.op == Op::conv ? Op::fc : node.op;
  CHECK_THROWS_WITH_AS(static_cast<void>(best_mappings(row.a, p, {Goal::ll})),
                       doctest::Contains("found ll, allowed is ht"), InputError);
}
