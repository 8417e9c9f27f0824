// Fronts of layers: equal to those of all mappings, the same for any number of threads, and honest
// about what a limit leaves open.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "pimbb/dram_pim.hpp"
#include "pimbb/error.hpp"
#include "support/brute_force.hpp"
#include "support/cases.hpp"
#include "support/full_size.hpp"
#include "support/instances.hpp"
#include "support/solve_options.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;

namespace {

using Vector = std::vector<Rational>;

bool front_no_worse(const Vector& a, const Vector& b) {
  return std::ranges::equal(a, b, std::ranges::less_equal{});
}

/// The costs of all mappings on the axes.
std::set<Vector> all_costs(const Instance& i, const std::vector<Goal>& axes) {
  std::set<Vector> all;
  oracle::Restriction every;
  const auto rational = [](const oracle::Fraction& f) { return f.to_rational(); };
  every.costs = [&](const oracle::CostOracle::Totals& totals) {
    const GoalCosts costs{rational(totals.latency), rational(totals.energy),
                          rational(totals.activations)};
    Vector vector;
    for (const Goal axis : axes) vector.push_back(Objective{}.value(axis, costs));
    all.insert(vector);
  };
  oracle::brute_force(i.architecture, i.workload, Objective::parse("latency"), i.row_model, every);
  return all;
}

std::vector<Vector> front_of(const std::set<Vector>& all) {
  std::vector<Vector> front;  // in lexicographic order nothing later dominates
  for (const Vector& costs : all) {
    const auto covers = [&](const Vector& point) { return front_no_worse(point, costs); };
    if (std::ranges::none_of(front, covers)) front.push_back(costs);
  }
  return front;
}

std::vector<Vector> points_of(const Front& front) {
  std::vector<Vector> points;
  for (const FrontPoint& point : front.points) points.push_back(point.costs);
  return points;
}

bool in_box(const FrontBox& box, const Vector& costs) {
  for (std::size_t k = 0; k < costs.size(); ++k) {
    if (costs[k] < box.from[k] || (box.below[k] && costs[k] >= *box.below[k])) return false;
  }
  return true;
}

const std::vector<std::vector<Goal>> kAxes{
    {Goal::latency, Goal::energy},
    {Goal::energy, Goal::latency},
    {Goal::latency, Goal::activations},
    {Goal::activations, Goal::energy},
    {Goal::latency, Goal::energy, Goal::activations},
    {Goal::activations, Goal::energy, Goal::latency},
};

}  // namespace

TEST_CASE("fronts are those of all mappings") {
  const testkit::Size small{.macs = 24};
  std::size_t several = 0;

  for (std::uint64_t seed = 0; seed < testkit::cases(3000); ++seed) {
    Choices choices(18'000'000 + seed);
    const Instance i = testkit::random_instance(choices, small);
    const std::vector<Goal>& axes = kAxes[seed % kAxes.size()];
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const std::vector<Vector> expected = front_of(all_costs(i, axes));
    const Front front = solve_front(i.architecture, i.workload, axes, {.row_model = i.row_model},
                                    {.threads = 1 + static_cast<int>(seed % 2)});
    CHECK(front.status == (expected.empty() ? FrontStatus::infeasible : FrontStatus::complete));
    CHECK(points_of(front) == expected);
    CHECK(front.covered == (expected.empty() ? 0 : 1));
    several += front.points.size() > 1 ? 1 : 0;
    for (const FrontPoint& point : front.points) {
      const Metrics metrics = evaluate(i.architecture, i.workload, point.mapping, i.row_model);
      for (std::size_t k = 0; k < axes.size(); ++k) {
        CHECK(Objective{}.value(axes[k], metrics) == point.costs[k]);
      }
    }
  }
  CHECK(several > testkit::cases(3000) / 20);
}

TEST_CASE("what a limit leaves open is in the boxes") {
  const testkit::Size small{.macs = 24};
  std::size_t partial = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(600); ++seed) {
    Choices choices(18'200'000 + seed);
    const Instance i = testkit::random_instance(choices, small);
    const std::vector<Goal>& axes = kAxes[seed % kAxes.size()];
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    const Front front = solve_front(i.architecture, i.workload, axes, {.row_model = i.row_model},
                                    {.threads = 1, .node_limit = seed % 5});
    if (front.status != FrontStatus::partial) continue;
    ++partial;
    const std::vector<Vector> points = points_of(front);
    for (const Vector& costs : all_costs(i, axes)) {
      const bool covered = std::ranges::any_of(
          points, [&](const Vector& point) { return front_no_worse(point, costs); });
      const bool open =
          std::ranges::any_of(front.open, [&](const FrontBox& box) { return in_box(box, costs); });
      CHECK((covered || open));
    }
    CHECK(front.covered >= 0);
    CHECK(front.covered <= 1);
  }
  CHECK(partial > testkit::cases(600) / 20);
}

TEST_CASE("fewer points: every mapping is within the share of one of them") {
  const testkit::Size small{.macs = 24};
  std::size_t fewer = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(600); ++seed) {
    Choices choices(18'400'000 + seed);
    const Instance i = testkit::random_instance(choices, small);
    const std::vector<Goal>& axes = kAxes[seed % kAxes.size()];
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    FrontOptions options;
    if (seed % 3 != 0) options.within = Rational(1 + static_cast<int>(seed % 20), 100);
    if (seed % 3 != 1) options.points = 1 + seed % 4;
    const Front front =
        solve_front(i.architecture, i.workload, axes, {.row_model = i.row_model}, {}, options);
    if (options.points) CHECK(front.points.size() <= *options.points);
    if (options.within && !options.points) {
      REQUIRE(front.within);
      CHECK(*front.within <= *options.within);
    }
    fewer += front.points.size() < front.found ? 1 : 0;
    if (!front.within) continue;
    const std::vector<Vector> points = points_of(front);
    for (const Vector& costs : all_costs(i, axes)) {
      CHECK(std::ranges::any_of(points, [&](Vector point) {
        for (Rational& x : point) x /= *front.within + 1;
        return front_no_worse(point, costs);
      }));
    }
  }
  CHECK(fewer > testkit::cases(600) / 40);
}

TEST_CASE("limits and dataflows restrict a front, and the optimum of EDP is on it") {
  const testkit::Size small{.macs = 24};
  for (std::uint64_t seed = 0; seed < testkit::cases(600); ++seed) {
    Choices choices(18'600'000 + seed);
    const Instance i = testkit::random_instance(choices, small);
    CAPTURE(seed);
    CAPTURE(testkit::to_json(i));
    Question question{.objective = Objective::parse("edp"), .row_model = i.row_model};
    const std::vector<Goal> axes{Goal::latency, Goal::energy};
    const Front whole = solve_front(i.architecture, i.workload, axes, question);
    const Solution best = solve(i.architecture, i.workload, question);
    CHECK(best.mapping.has_value() == !whole.points.empty());
    if (!best.mapping) continue;
    const Vector edp{best.metrics->latency, best.metrics->energy};
    const auto value = [](const Vector& costs) { return costs[0] * costs[1]; };
    CHECK(std::ranges::any_of(points_of(whole),
                              [&](const Vector& costs) { return value(costs) == value(edp); }));
    // Within a limit on one of the axes the front is the part of it that keeps the limit.
    const Rational most = whole.points[whole.points.size() / 2].costs[0];
    question.caps = {{Goal::latency, most}};
    std::vector<Vector> kept = points_of(whole);
    std::erase_if(kept, [&](const Vector& costs) { return costs[0] > most; });
    CHECK(points_of(solve_front(i.architecture, i.workload, axes, question)) == kept);
    // Every mapping within a dataflow is a mapping.
    question.caps.clear();
    question.method = Method::ws;
    for (const Vector& costs : points_of(solve_front(i.architecture, i.workload, axes, question))) {
      CHECK(std::ranges::any_of(points_of(whole),
                                [&](const Vector& point) { return front_no_worse(point, costs); }));
    }
  }
}

TEST_CASE("the front of a real layer does not depend on threads or pruning rules") {
  const Architecture architecture = testkit::simple_pim();
  const Workload layer = testkit::resnet18_layer(0);
  const std::vector<Goal> axes{Goal::latency, Goal::energy, Goal::activations};
  const Front one = solve_front(architecture, layer, axes, {}, {.threads = 1});
  const Front two = solve_front(architecture, layer, axes, {}, {.threads = 2});
  CHECK(one.status == FrontStatus::complete);
  CHECK(one.nodes == two.nodes);
  CHECK(points_of(one) == points_of(two));
  Question plain;
  for (const Rule rule : {Rule::descent, Rule::thresholds, Rule::tiles, Rule::dominance}) {
    plain.rules = plain.rules.without(rule);
  }
  const std::vector<Goal> two_axes{Goal::latency, Goal::energy};
  CHECK(points_of(solve_front(architecture, layer, two_axes, plain)) ==
        points_of(solve_front(architecture, layer, two_axes)));
  CHECK_THROWS_AS(solve_front(architecture, layer, {Goal::latency}, {}), InputError);
  CHECK_THROWS_AS(solve_front(architecture, layer, {Goal::latency, Goal::edp}, {}), InputError);
  CHECK_THROWS_AS(solve_front(architecture, layer, {Goal::latency, Goal::latency}, {}), InputError);
}
