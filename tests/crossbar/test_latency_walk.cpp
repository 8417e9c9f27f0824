// Walks over replications for `ll`: which nodes change together, and what a walk may return.
#include <doctest/doctest.h>

#include "crossbar/assign/latency_boxes.hpp"
#include "crossbar/assign/latency_walk.hpp"
#include "crossbar/instances.hpp"
#include "pimbb/crossbar.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using testkit::Draw;
using testkit::Instance;
using testkit::modules;

namespace {

using Replication = std::vector<std::int64_t>;

std::vector<std::string> names(const Instance& at, const std::vector<std::size_t>& role) {
  std::vector<std::string> all;
  for (const std::size_t f : role) all.push_back(at.p.node(at.p.arrays[f]).name);
  return all;
}

struct Search {
  explicit Search(const Instance& at) : problem(at.a, at.p), boxes(problem), box(boxes.root()) {
    boxes.tighten(box);
  }
  assign::Problem problem;
  assign::LatencyBoxes boxes;
  assign::Box box;
};

}  // namespace

TEST_CASE("nodes of equal modules have equal roles") {
  const Instance at = modules(3, 8);
  const auto roles = assign::roles(assign::Problem(at.a, at.p));
  REQUIRE(roles.size() == 4);
  CHECK(names(at, roles[0]) == std::vector<std::string>{"stem"});
  CHECK(names(at, roles[1]) ==
        std::vector<std::string>{"module0.one", "module1.one", "module2.one"});
  CHECK(names(at, roles[2]) ==
        std::vector<std::string>{"module0.reduce", "module1.reduce", "module2.reduce"});
  CHECK(names(at, roles[3]) ==
        std::vector<std::string>{"module0.three", "module1.three", "module2.three"});
}

TEST_CASE("a walk over equal modules ends at the optimum") {
  const Instance at = modules(2, 8);
  const Solution solution = solve(at.a, at.p, {Goal::ll});
  REQUIRE(solution.status == Status::optimal);
  const Search search(at);
  const Replication ones(search.problem.families.size(), 1);
  const double value = search.boxes.value(ones).to_double();
  const assign::LatencyWalk how{50'000, value / 64, value / 100, 1};
  const Replication found =
      assign::walk(search.problem, search.boxes.paths(), search.box, ones, how);
  CHECK(search.boxes.value(found) == solution.result.value);
}

TEST_CASE("a walk tells lengths apart that differ by less than a nanosecond") {
  const Instance at = modules(2, 8, {"mvm.time=1", "mvm.interval=1"});
  const Solution solution = solve(at.a, at.p, {Goal::ll});
  REQUIRE(solution.status == Status::optimal);
  const Search search(at);
  const Replication ones(search.problem.families.size(), 1);
  const double value = search.boxes.value(ones).to_double();
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const assign::LatencyWalk how{50'000, value / 64, value / 100, seed};
    const Replication found =
        assign::walk(search.problem, search.boxes.paths(), search.box, ones, how);
    CHECK(search.boxes.value(found) == solution.result.value);
  }
}

TEST_CASE("the longer the same walk, the better what it returns") {
  // Latencies of a few nanoseconds: on its way, a walk is often at one that is a little longer.
  const Instance at = modules(2, 8, {"mvm.time=1", "mvm.interval=1"});
  const Search search(at);
  const Replication ones(search.problem.families.size(), 1);
  Rational least = search.boxes.value(ones);
  const double value = least.to_double();
  for (std::size_t length = 1; length <= 12; ++length) {
    CAPTURE(length);
    std::size_t asked = 0;
    assign::LatencyWalk how{50'000, value / 64, value / 100, 1};
    how.stop = [&] { return ++asked > length; };
    const Rational found = search.boxes.value(
        assign::walk(search.problem, search.boxes.paths(), search.box, ones, how));
    CHECK(found <= least);
    least = std::min(least, found);
  }
}

TEST_CASE("a walk ends in its box, with room, and no slower than it began") {
  Draw draw(testkit::first_seed(1));
  std::size_t faster = 0;
  for (std::size_t i = testkit::cases(200); i > 0; --i) {
    CAPTURE(i);
    const Instance at = testkit::random_instance(draw);
    const Search search(at);
    const Replication ones(search.problem.families.size(), 1);
    if (!search.problem.has_room(ones)) continue;
    const double value = search.boxes.value(ones).to_double();
    const assign::LatencyWalk how{1'000, value / 8, value / 50, draw()};
    const auto walked = [&] {
      return assign::walk(search.problem, search.boxes.paths(), search.box, ones, how);
    };
    const Replication found = walked();
    CHECK(found == walked());
    CHECK(search.problem.has_room(found));
    for (std::size_t f = 0; f < found.size(); ++f) {
      CHECK(found[f] >= 1);
      CHECK(found[f] <= search.box.most[f]);
    }
    CHECK(search.boxes.value(found) <= search.boxes.value(ones));
    faster += search.boxes.value(found) < search.boxes.value(ones) ? 1 : 0;
  }
  CHECK((faster > 0 || testkit::slow_build()));
}

TEST_CASE("a walk keeps within its work, and ends where `ll` is enough") {
  const Instance at = modules(2, 8);
  const Search search(at);
  const Replication ones(search.problem.families.size(), 1);
  const auto work = [&](const Replication& r) {
    std::int64_t sum = 0;
    for (std::size_t f = 0; f < r.size(); ++f) {
      const assign::Family& family = search.problem.families[f];
      sum += family.groups * r[f] * ((family.windows + r[f] - 1) / r[f]);
    }
    return sum;
  };
  const double value = search.boxes.value(ones).to_double();
  assign::LatencyWalk how{20'000, value / 64, value / 100, 1};
  const auto walked = [&] {
    return assign::walk(search.problem, search.boxes.paths(), search.box, ones, how);
  };
  const Replication free = walked();
  for (const assign::Family& family : search.problem.families) how.groups.push_back(family.groups);
  how.most_work = work(ones);  // none is idle
  how.price_of_work = value / static_cast<double>(how.most_work);
  const Replication limited = walked();
  CHECK(work(limited) == work(ones));
  CHECK(work(free) > work(ones));
  CHECK(search.boxes.value(free) < search.boxes.value(limited));
  CHECK(search.boxes.value(limited) < search.boxes.value(ones));
  how.enough = value * 0.9;
  CHECK(search.boxes.value(walked()) > search.boxes.value(limited));
  CHECK(search.boxes.value(walked()).to_double() <= how.enough);
}

TEST_CASE("walks of a search do not depend on the number of threads") {
  const Instance at = modules(6, 40);
  RunLimits limits;
  limits.node_limit = 500;
  limits.threads = 1;
  const Solution one = solve(at.a, at.p, {Goal::ll}, limits);
  limits.threads = 3;
  const Solution three = solve(at.a, at.p, {Goal::ll}, limits);
  REQUIRE(one.mapping);
  CHECK(one.steps > 8'000 * at.p.arrays.size());  // it has walked
  CHECK(one.steps == three.steps);
  CHECK(one.mapping == three.mapping);
  CHECK(one.result.value == three.result.value);
  CHECK(one.result.bound == three.result.bound);
}

TEST_CASE("a walk that is stopped returns where it began") {
  const Instance at = modules(2, 8);
  const Search search(at);
  const Replication ones(search.problem.families.size(), 1);
  assign::LatencyWalk how{1'000, 1, 1, 1};
  how.stop = [] { return true; };
  CHECK(assign::walk(search.problem, search.boxes.paths(), search.box, ones, how) == ones);
}
