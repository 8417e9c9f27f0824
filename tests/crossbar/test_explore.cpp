// Explorations: every point is what the solver says of the changed accelerator.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "files/source.hpp"
#include "pimbb/crossbar.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;

namespace {

constexpr const char* kSpaceNetwork = R"(
name: small
layers:
  - {name: a, R: 3, S: 3, P: 8, Q: 8, C: 3, K: 16, N: 1}
  - {name: b, R: 3, S: 3, P: 8, Q: 8, C: 16, K: 24, N: 1}
  - {name: f, R: 1, S: 1, P: 1, Q: 1, C: 1536, K: 10, N: 1}
graph:
  - {node: a, layer: a, pad: [1, 1]}
  - {node: relu, op: Relu}
  - {node: b, layer: b, pad: [1, 1]}
  - {node: flat, op: Flatten}
  - {node: f, layer: f}
)";

Space crossbar_space(const std::string& objective) {
  return parse_space(
      "explore:\n  arch: pimcomp\n  networks: [<network>]\n  objective: \"" + objective +
          "\"\n  vary:\n    core.crossbars: [1, 16, 48]\n    mvm.time: [1000, 4000]\n",
      "<space>");
}

Partition partition_on(const Architecture& architecture) {
  return make_partition(architecture, node_graph(read_network("<network>")));
}

Architecture machine_at(const Space& space, const ExploredPoint& point) {
  std::vector<std::string> changes;
  for (std::size_t axis = 0; axis < space.vary.size(); ++axis) {
    changes.push_back(space.vary[axis].path + "=" + point.values[axis]);
  }
  return read_architecture("pimcomp", changes);
}

}  // namespace

TEST_CASE("every point is the solver's answer on that accelerator") {
  const files::GivenTexts given(std::map<std::string, std::string>{{"<network>", kSpaceNetwork}});
  ExploreOptions options;
  options.limits.node_limit = 500;
  for (const Goal goal : {Goal::ht, Goal::ll}) {
    CAPTURE(name(goal));
    const Space space = crossbar_space(std::string(name(goal)));
    const Exploration found = explore(space, options);
    CHECK(found.kind == Kind::crossbar);
    REQUIRE(found.points.size() == 6);
    int with_mapping = 0;
    for (const ExploredPoint& point : found.points) {
      const Architecture architecture = machine_at(space, point);
      const Solution own = solve(architecture, partition_on(architecture), {goal}, options.limits);
      CHECK(point.status == own.status);
      if (!own.mapping) continue;
      ++with_mapping;
      CHECK(point.value == own.result.value);
      CHECK(point.bound == own.result.bound);
      const Mode mode = goal == Goal::ll ? Mode::ll : Mode::ht;
      for (std::size_t g = 0; g < found.goals.size(); ++g) {
        const auto estimate = static_cast<Estimate>(
            std::ranges::find(kEstimateNames, found.goals[g]) - kEstimateNames.begin());
        CHECK(point.costs[g] == value(*own.metrics, estimate, mode));
      }
    }
    CHECK(with_mapping >= 4);
  }
}

TEST_CASE("other estimates have bounds, and lists decide in turn") {
  const files::GivenTexts given(std::map<std::string, std::string>{{"<network>", kSpaceNetwork}});
  ExploreOptions options;
  options.limits.node_limit = 300;
  const Space space = crossbar_space("traffic,ht");
  const Exploration found = explore(space, options);
  const auto traffic =
      static_cast<std::size_t>(std::ranges::find(found.goals, "traffic") - found.goals.begin());
  for (const ExploredPoint& point : found.points) {
    const Architecture architecture = machine_at(space, point);
    RunLimits limits;
    limits.node_limit = 300;
    const BestFound own = minimise(architecture, partition_on(architecture),
                                   {{Estimate::traffic, Estimate::ht}, Mode::ht, 1}, limits);
    CHECK(point.status == own.status);
    if (!own.mapping) continue;
    CHECK(point.costs[traffic] == own.results[0].value);
    CHECK(point.bound <= point.value);
  }
}

TEST_CASE("a time limit does not keep a search from ending") {
  const files::GivenTexts given(std::map<std::string, std::string>{{"<network>", kSpaceNetwork}});
  ExploreOptions options;
  options.limits.time_limit = 300;
  const Exploration found = explore(crossbar_space("ht"), options);
  CHECK(found.seconds < 150);
  CHECK_FALSE(found.stopped);
}

TEST_CASE("what no network has is refused") {
  const files::GivenTexts given(std::map<std::string, std::string>{{"<network>", kSpaceNetwork}});
  CHECK_THROWS_AS(explore(crossbar_space("latency")), InputError);
}
