// Fronts by questions, of problems that are lists of points.
#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "answers/front_search.hpp"
#include "support/cases.hpp"

namespace pimbb::answers {  // other tests of the program have Problems too
namespace {

/// Solutions with their costs; answers questions by looking at all of them. From question `last`
/// on, an answer may be a solution that is not the least, with a bound.
class ListedProblem final : public Problem {
 public:
  ListedProblem(std::vector<Vector> costs, std::size_t axes, std::uint64_t last)
      : costs_(std::move(costs)), axes_(axes), last_(last) {}

  [[nodiscard]] std::vector<std::string> goals() const override {
    return std::vector<std::string>(axes_, "goal");
  }

  [[nodiscard]] Answer least(std::span<const std::size_t> order, std::span<const Limit> limits,
                             const RunLimits& run) const override {
    ++asked;
    const std::uint64_t needed = 1 + asked * hardness % 97;
    const bool enough = !run.node_limit || *run.node_limit >= needed;
    spent += enough ? needed : *run.node_limit - asked % 2;  // some stop before they exceed it
    const auto in_order = [&](const Vector& costs) {
      Vector sorted;
      for (const std::size_t goal : order) sorted.push_back(costs[goal]);
      return sorted;
    };
    const Vector* best = nullptr;
    const Vector* other = nullptr;
    for (const Vector& costs : costs_) {
      const bool within = std::ranges::all_of(limits, [&](const Limit& limit) {
        return limit.strict ? costs[limit.goal] < limit.most : costs[limit.goal] <= limit.most;
      });
      if (!within) continue;
      other = &costs;
      if (best == nullptr || in_order(costs) < in_order(*best)) best = &costs;
    }
    if (asked >= last_ || !enough) {
      Answer answer{Status::unknown, {}, best == nullptr ? Rational(0) : (*best)[order[0]]};
      if (other == nullptr) return answer;
      answer.status = Status::feasible;
      answer.bound = (*best)[order[0]] * Rational(9, 10);
      answer.point = Point{*other, nullptr};
      return answer;
    }
    if (best == nullptr) return {Status::infeasible, {}, {}};
    return {Status::optimal, Point{*best, nullptr}, (*best)[order[0]]};
  }

  std::uint64_t hardness = 0;  // other than 0: questions need several nodes, each time others
  mutable std::uint64_t asked = 0;
  mutable std::uint64_t spent = 0;  // nodes

 private:
  std::vector<Vector> costs_;
  std::size_t axes_;
  std::uint64_t last_;
};

/// Everything that no point covers is in an open box.
void check_open(const std::vector<Vector>& all, const SearchedFront& found) {
  for (const Vector& costs : all) {
    const auto covers = [&](const Point& point) { return no_worse(point.costs, costs); };
    if (std::ranges::any_of(found.points, covers)) continue;
    const bool open = std::ranges::any_of(found.open, [&](const FrontBox& box) {
      for (std::size_t k = 0; k < costs.size(); ++k) {
        if (costs[k] < box.from[k] || (box.below[k] && costs[k] >= *box.below[k])) return false;
      }
      return true;
    });
    CHECK(open);
  }
}

std::vector<Vector> random_costs(std::uint64_t seed, std::size_t axes) {
  std::mt19937_64 draw(seed);
  std::vector<Vector> all(draw() % 30);
  for (Vector& costs : all) {
    for (std::size_t k = 0; k < axes; ++k) {
      costs.emplace_back(static_cast<std::int64_t>(draw() % 12), 1 + draw() % 2 * 2);
    }
  }
  return all;
}

std::vector<Vector> nondominated(const std::vector<Vector>& all) {
  std::vector<Vector> front;
  for (const Vector& costs : all) {
    const bool beaten = std::ranges::any_of(
        all, [&](const Vector& other) { return other != costs && no_worse(other, costs); });
    if (!beaten && std::ranges::count(front, costs) == 0) front.push_back(costs);
  }
  std::ranges::sort(front);
  return front;
}

std::vector<Vector> costs_of(const SearchedFront& front) {
  std::vector<Vector> costs;
  for (const Point& point : front.points) costs.push_back(point.costs);
  return costs;
}

constexpr std::uint64_t kNever = ~std::uint64_t{0};

}  // namespace

TEST_CASE("a front by questions is the front of all solutions") {
  std::size_t most = 0;
  for (std::uint64_t seed = 1; seed <= testkit::cases(3000); ++seed) {
    CAPTURE(seed);
    const std::size_t axes = 2 + seed % 2;
    const std::vector<Vector> all = random_costs(seed, axes);
    const ListedProblem problem(all, axes, kNever);
    const SearchedFront found = search_front(problem, {}, [] { return 0; });
    CHECK(found.status == (all.empty() ? FrontStatus::infeasible : FrontStatus::complete));
    const std::vector<Vector> front = nondominated(all);
    CHECK(costs_of(found) == front);
    CHECK(found.open.empty());
    if (!all.empty()) CHECK(found.covered == Rational(1));
    if (axes == 2) CHECK(problem.asked == front.size() + 1);
    most = std::max(most, front.size());
  }
  CHECK(most >= 5);
}

TEST_CASE("a front that a limit ends lists what is open") {
  std::size_t partial = 0;
  for (std::uint64_t seed = 1; seed <= testkit::cases(3000); ++seed) {
    CAPTURE(seed);
    const std::size_t axes = 2 + seed % 2;
    const std::vector<Vector> all = random_costs(seed, axes);
    const ListedProblem problem(all, axes, 1 + seed % 7);
    const SearchedFront found = search_front(problem, {}, [] { return 0; });
    const std::vector<Vector> points = costs_of(found);
    for (const Vector& point : points) CHECK(std::ranges::count(all, point) > 0);
    check_open(all, found);
    if (found.status == FrontStatus::partial) {
      CHECK_FALSE(found.open.empty());
      CHECK(found.covered <= Rational(1));
      ++partial;
    }
  }
  CHECK(partial > testkit::cases(3000) / 10);
}

TEST_CASE("a patient search goes on where a question is too hard, from what is known") {
  std::size_t partial = 0;
  for (std::uint64_t seed = 1; seed <= testkit::cases(3000); ++seed) {
    CAPTURE(seed);
    const std::size_t axes = 2 + seed % 2;
    const std::vector<Vector> all = random_costs(seed, axes);
    ListedProblem problem(all, axes, kNever);
    problem.hardness = 1 + seed * 31;
    FrontStart start;
    start.patience = 4;
    for (std::size_t i = 0; i < all.size(); i += 3) start.known.push_back({all[i], nullptr});
    for (std::size_t k = 0; k < axes && !all.empty(); ++k) {
      Zone zone(axes);
      zone[k] = std::ranges::min(all, {}, [&](const Vector& costs) { return costs[k]; })[k];
      start.empty.push_back(zone);
    }
    RunLimits limits;
    if (seed % 4 > 0) limits.node_limit = seed % 400;
    const SearchedFront found = search_front(
        problem, limits, [&] { return problem.spent; }, start);
    check_open(all, found);
    for (const Vector& point : costs_of(found)) CHECK(std::ranges::count(all, point) > 0);
    if (!limits.node_limit || found.open.empty()) {
      CHECK(costs_of(found) == nondominated(all));
      CHECK(found.status == (all.empty() ? FrontStatus::infeasible : FrontStatus::complete));
    } else {
      CHECK(problem.spent + 1 >= *limits.node_limit);
      ++partial;
    }
  }
  CHECK(partial > testkit::cases(3000) / 10);
}

TEST_CASE("limits of nodes and interruptions end the search between questions") {
  const std::vector<Vector> all{{1, 5}, {2, 4}, {3, 3}, {4, 2}};
  const ListedProblem problem(all, 2, kNever);
  RunLimits limits;
  limits.node_limit = 3;
  const SearchedFront found = search_front(problem, limits, [&] { return problem.asked; });
  CHECK(problem.asked == 3);
  CHECK(costs_of(found) == std::vector<Vector>{{1, 5}, {2, 4}, {3, 3}});
  CHECK(found.status == FrontStatus::partial);
  REQUIRE(found.open.size() == 1);
  CHECK(found.open[0].from == Vector{3, 0});
  std::stop_source stop;
  stop.request_stop();
  RunLimits stopped;
  stopped.stop = stop.get_token();
  CHECK(search_front(problem, stopped, [] { return 0; }).status == FrontStatus::unknown);
}

}  // namespace pimbb::answers
