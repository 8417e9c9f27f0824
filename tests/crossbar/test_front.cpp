// Fronts of throughput and latency against exhaustion over all replications and packings; what is
// open where limits end the search; the reductions and bounds that the search rests on.
#include <doctest/doctest.h>

#include <algorithm>
#include <iostream>

#include "crossbar/answers/joint_boxes.hpp"
#include "crossbar/assign/cycle_classes.hpp"
#include "crossbar/cost/latency.hpp"
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
using testkit::drawn_instance;
using testkit::Instance;
using testkit::random_branches;

namespace {

using Costs = std::vector<Rational>;

std::int64_t drawn(Draw& draw, std::int64_t least, std::int64_t most) {
  return least + static_cast<std::int64_t>(draw() % static_cast<std::uint64_t>(most - least + 1));
}

Rational latency_of(const Instance& at, const testkit::Replication& r) {
  return cost::latency(at.a, at.p, {r, {}}, cost::RateRule::provider);
}

void check_points(const Instance& at, const Front& front) {
  for (const FrontPoint& point : front.points) {
    CHECK(!find_violation(at.a, at.p, point.mapping));
    const Metrics m = evaluate(at.a, at.p, point.mapping);
    REQUIRE(point.costs.size() == 2);
    CHECK(point.costs[front.axes[0] == Goal::ht ? 0 : 1] == Rational(m.ht));
    CHECK(point.costs[front.axes[0] == Goal::ht ? 1 : 0] == m.latency->ll);
  }
  CHECK(std::ranges::is_sorted(front.points, {}, &FrontPoint::costs));
}

bool is_covered(const Costs& costs, const Front& front) {
  return std::ranges::any_of(front.points, [&](const FrontPoint& point) {
    return point.costs[0] <= costs[0] && point.costs[1] <= costs[1];
  });
}

bool is_open(const Costs& costs, const Front& front) {
  return std::ranges::any_of(front.open, [&](const FrontBox& box) {
    for (std::size_t k = 0; k < costs.size(); ++k) {
      if (costs[k] < box.from[k] || (box.below[k] && costs[k] >= *box.below[k])) return false;
    }
    return true;
  });
}

std::vector<Costs> costs_of(const Front& front) {
  std::vector<Costs> costs;
  for (const FrontPoint& point : front.points) costs.push_back(point.costs);
  return costs;
}

std::string text_of_costs(const std::vector<Costs>& front) {
  std::string text;
  for (const Costs& costs : front) {
    text += "(" + costs[0].to_string() + ", " + costs[1].to_string() + ") ";
  }
  return text;
}

}  // namespace

TEST_CASE("fronts of tiny problems against exhaustion over all mappings") {
  Draw draw(testkit::first_seed(1));
  std::size_t most = 0;
  std::size_t several = 0;
  std::size_t infeasible = 0;
  for (std::size_t i = 0; i < testkit::cases(600); ++i) {
    CAPTURE(i);
    const Instance at = drawn_instance(draw, i);
    const Front front = solve_front(at.a, at.p);
    const std::vector<Costs> wanted = testkit::front_by_exhaustion(at.a, at.p);
    CAPTURE(text_of_costs(wanted));
    CAPTURE(text_of_costs(costs_of(front)));
    CHECK(costs_of(front) == wanted);
    CHECK(front.status == (wanted.empty() ? FrontStatus::infeasible : FrontStatus::complete));
    CHECK(front.open.empty());
    check_points(at, front);
    if (wanted.empty()) {
      CHECK(!front.reason.empty());
      ++infeasible;
    }
    most = std::max(most, wanted.size());
    if (wanted.size() > 1) ++several;
  }
  std::cout << "fronts of several points: " << several << ", of " << most << " at most; "
            << infeasible << " problems without a mapping\n";
  CHECK((several > 0 || testkit::slow_build()));
}

TEST_CASE("a front that a limit ends lists what is open; the axes in either order") {
  Draw draw(testkit::first_seed(2));
  std::size_t partial = 0;
  for (std::size_t i = 0; i < testkit::cases(300); ++i) {
    CAPTURE(i);
    const Instance at = drawn_instance(draw, i);
    const bool turned = i % 3 == 0;
    RunLimits limits;
    limits.node_limit = draw() % 60;
    const Front front =
        solve_front(at.a, at.p, turned ? std::vector{Goal::ll, Goal::ht} : kFrontAxes, 1, limits);
    check_points(at, front);
    if (front.status == FrontStatus::partial) {
      CHECK(!front.open.empty());
      CHECK(front.covered <= Rational(1));
      ++partial;
    }
    for (Costs costs : testkit::front_by_exhaustion(at.a, at.p)) {
      if (turned) std::ranges::reverse(costs);
      CHECK(is_covered(costs, front) != is_open(costs, front));
    }
  }
  CHECK(partial > 0);
}

TEST_CASE("limits of local memory: legal points, and every legal mapping is covered or open") {
  Draw draw(testkit::first_seed(4));
  std::size_t legal = 0;
  std::size_t refused = 0;
  for (std::size_t i = 0; i < testkit::cases(120); ++i) {
    CAPTURE(i);
    Instance at = random_branches(draw);
    at.a.cores = std::min<std::int64_t>(at.a.cores, 2);
    at.a.core.crossbars = std::min<std::int64_t>(at.a.core.crossbars, 4);
    at.a.core.enforce_local_memory = true;
    at.a.core.local_memory = drawn(draw, 60, 240);
    at.p = make_partition(at.a, at.graph);
    const Front front = solve_front(at.a, at.p);
    check_points(at, front);
    for (const testkit::Replication& r : testkit::family_replications(at.a, at.p)) {
      testkit::for_each_mapping(at.a, at.p, r, [&](const Mapping& mapping) {
        if (find_violation(at.a, at.p, mapping)) {
          ++refused;
          return;
        }
        ++legal;
        const Metrics m = evaluate(at.a, at.p, mapping);
        CHECK(is_covered({Rational(m.ht), m.latency->ll}, front) !=
              is_open({Rational(m.ht), m.latency->ll}, front));
      });
    }
  }
  CHECK(legal > 0);
  CHECK(refused > 0);
}

TEST_CASE("tightened boxes keep the ll of every mapping within the deadline; bounds are below it") {
  Draw draw(testkit::first_seed(3));
  std::size_t kept = 0;
  std::size_t dropped = 0;
  for (std::size_t i = 0; i < testkit::cases(800); ++i) {
    CAPTURE(i);
    const Instance at = random_branches(draw);
    const assign::Problem problem(at.a, at.p);
    joint::JointBoxes boxes(problem);
    assign::Box box = boxes.root();
    for (std::size_t f = 0; f < box.least.size(); ++f) {
      if (draw() % 2 == 0) continue;
      box.least[f] = drawn(draw, 1, box.most[f]);
      box.most[f] = drawn(draw, box.least[f], box.most[f]);
    }
    // what reduces a node may need fewer replicas than the box has: only boxes from 1 on are closed
    std::ranges::fill(box.least, 1);
    const std::int64_t parts = drawn(draw, 1, 8);
    const std::int64_t deadline = drawn(draw, 1, boxes.longest() / parts);
    const auto is_in = [&](const assign::Box& in, const testkit::Replication& r) {
      for (std::size_t f = 0; f < in.least.size(); ++f) {
        const std::int64_t each = r[problem.families[f].arrays.front()];
        if (each < in.least[f] || each > in.most[f]) return false;
      }
      return true;
    };
    assign::Box tight = box;
    const bool any = boxes.tighten(tight, deadline);
    const Rational bound = any ? boxes.bound(tight, deadline, i % 2 == 0, {}).value : Rational(0);
    std::vector<Rational> inside;
    std::vector<Rational> outside;
    for (const testkit::Replication& r : testkit::family_replications(at.a, at.p)) {
      if (!is_in(box, r) || !testkit::fits(at.a, at.p, r, deadline + 1)) continue;
      const Rational ll = latency_of(at, r);
      if (any && is_in(tight, r)) {
        inside.push_back(ll);
        CHECK(bound <= ll);
        CHECK(boxes.value(tight.most) <= ll);
      } else {
        outside.push_back(ll);
      }
    }
    for (const Rational& ll : outside) {
      CHECK(std::ranges::count(inside, ll) > 0);
      ++dropped;
    }
    kept += inside.size();
  }
  CHECK(kept > 0);
  WARN(dropped > 0);
}

TEST_CASE("replications by their cycles, against all of them") {
  using namespace pimbb::crossbar::assign;
  for (std::int64_t windows = 1; windows <= 40; ++windows) {
    for (std::int64_t r = 1; r <= windows; ++r) {
      const std::int64_t cycles = (windows + r - 1) / r;
      std::int64_t least = r;
      while (least > 1 && (windows + least - 2) / (least - 1) == cycles) --least;
      CHECK(least_of_class(windows, r) == least);
      std::int64_t next = r;
      while (next <= windows && (windows + next - 1) / next == cycles) ++next;
      CHECK(next_class(windows, r) == next);
      std::int64_t most_work = 0;
      for (std::int64_t last = r; last <= windows; ++last) {
        const std::int64_t work = last * ((windows + last - 1) / last);
        most_work = last == r ? work : std::min(most_work, work);
        CHECK(least_work(windows, r, last) == most_work);
      }
      for (std::int64_t work = windows - 1; work <= windows + 12; ++work) {
        std::int64_t up = r;
        while (up <= windows && up * ((windows + up - 1) / up) > work) ++up;
        CHECK(first_within(windows, r, work) == up);
        std::int64_t down = r;
        while (down >= 1 && down * ((windows + down - 1) / down) > work) --down;
        CHECK(last_within(windows, r, work) == down);
      }
    }
  }
}

TEST_CASE("golden tiny problems: complete fronts whose ends are the optima") {
  const auto folder = golden::folder();
  if (!folder) return;
  std::size_t solved = 0;
  for (const golden::Json& line : golden::lines(*folder / "optima_tiny.jsonl")) {
    CAPTURE(++solved);
    const Instance at = testkit::golden_instance(line, *folder);
    const Front front = solve_front(at.a, at.p);
    if (line.at("optimum").at("status") == "infeasible") {
      CHECK(front.status == FrontStatus::infeasible);
      continue;
    }
    CHECK(front.status == FrontStatus::complete);
    REQUIRE(!front.points.empty());
    check_points(at, front);
    CHECK(front.points.front().costs[0] == solve(at.a, at.p, {Goal::ht}).result.value);
    CHECK(front.points.back().costs[1] == solve(at.a, at.p, {Goal::ll}).result.value);
  }
}

TEST_CASE(
    "a larger network: the same for any number of threads; stopped at once it has a mapping") {
  const Instance at = testkit::modules(6, 16);
  RunLimits limits;
  limits.node_limit = testkit::slow_build() ? 5'000 : 20'000;
  limits.threads = 1;
  const Front one = solve_front(at.a, at.p, kFrontAxes, 1, limits);
  limits.threads = 3;
  const Front three = solve_front(at.a, at.p, kFrontAxes, 1, limits);
  CHECK(one.status == FrontStatus::partial);
  CHECK(one.nodes <= *limits.node_limit);
  CHECK(one.nodes == three.nodes);
  CHECK(one.covered == three.covered);
  REQUIRE(one.points.size() == three.points.size());
  for (std::size_t i = 0; i < one.points.size(); ++i) {
    CHECK(one.points[i].mapping == three.points[i].mapping);
    CHECK(!find_violation(at.a, at.p, one.points[i].mapping));
  }
  RunLimits none;
  none.time_limit = 0;
  const Front stopped = solve_front(at.a, at.p, {Goal::ll, Goal::ht}, 1, none);
  CHECK(stopped.status == FrontStatus::partial);
  CHECK(!stopped.points.empty());
  for (const FrontBox& box : stopped.open) CHECK(box.from[1] >= Rational(1));
  none.memory_limit = 1'000;
  CHECK_THROWS_AS(static_cast<void>(solve_front(at.a, at.p, kFrontAxes, 1, none)), LimitError);
}

TEST_CASE("what has no front is refused") {
  Draw draw(1);
  Instance at = testkit::random_instance(draw);
  CHECK_THROWS_WITH_AS(static_cast<void>(solve_front(at.a, at.p, {Goal::ht, Goal::ht})),
                       doctest::Contains("axes: found others"), InputError);
  CHECK_THROWS_WITH_AS(static_cast<void>(parse_axes("ht,traffic")),
                       doctest::Contains("axes: found 'ht,traffic', allowed"), InputError);
  CHECK(parse_axes("ll,ht") == std::vector{Goal::ll, Goal::ht});
  for (Node& node : at.p.graph.nodes) node.op = node.op == Op::conv ? Op::fc : node.op;
  CHECK_THROWS_WITH_AS(static_cast<void>(solve_front(at.a, at.p)),
                       doctest::Contains("has no ll: allowed are networks that have one; no "
                                         "convolution is reached"),
                       InputError);
}
