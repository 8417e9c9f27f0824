// Explorations: every point is what the solver of networks says of the changed accelerator.
#include <doctest/doctest.h>

#include "cim/io/result_json.hpp"
#include "cim/random_instance.hpp"
#include "files/source.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/cim.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;

namespace {

struct SpaceCase {
  std::string architecture, network;  ///< texts
  std::string level;                  ///< the first bounded one
};

SpaceCase space_case(std::uint64_t seed) {
  SpaceCase made;
  const naive::Instance instance = naive::random_instance(seed, 8);
  made.architecture = files::to_text(io::architecture_json(instance.architecture));
  for (const Level& level : instance.architecture.levels) {
    if (level.size_bits && made.level.empty()) made.level = level.name;
  }
  files::Json network = {{"name", "two"}, {"layers", files::Json::array()}};
  for (const std::uint64_t k : {0, 1}) {
    Workload layer = naive::random_instance(seed + 1000 * k, 8).layer;
    layer.name = "layer" + std::to_string(k);
    network["layers"].push_back(layers::workload_json(layer));
    network["layers"].back()["repetitions"] = 1 + static_cast<int>((seed + k) % 3);
  }
  made.network = files::to_text(network);
  return made;
}

Space varied_space(const SpaceCase& made, const std::string& objective) {
  const files::Json vary = {{"leakage", {0, 0.25}},
                            {"levels." + made.level + ".size_bits", {2, 64, 1024}}};
  const files::Json space = {{"explore",
                              {{"arch", "<architecture>"},
                               {"networks", {"<network>"}},
                               {"objective", objective},
                               {"vary", vary}}}};
  return parse_space(files::to_text(space), "<space>");
}

}  // namespace

TEST_CASE("every point is the network's own optimum on that accelerator") {
  int compared = 0;
  for (std::uint64_t seed = 1; seed <= testkit::cases(40); ++seed) {
    CAPTURE(seed);
    const SpaceCase made = space_case(seed);
    if (made.level.empty()) continue;
    const files::GivenTexts given(
        {{"<architecture>", made.architecture}, {"<network>", made.network}});
    const std::string objective = std::array{"latency", "energy,latency", "edp"}[seed % 3];
    const Space space = varied_space(made, objective);
    Question question;
    question.pricing.semantics = seed % 2 == 0 ? Semantics::recursion : Semantics::table3;
    const Exploration found = explore(space, {}, question);
    REQUIRE(found.points.size() == 6);
    question.objective = Objective::parse(objective);
    for (const ExploredPoint& point : found.points) {
      std::vector<std::string> changes;
      for (std::size_t axis = 0; axis < space.vary.size(); ++axis) {
        changes.push_back(space.vary[axis].path + "=" + point.values[axis]);
      }
      const NetworkSolution own = solve_network(read_architecture("<architecture>", changes),
                                                read_network("<network>"), question);
      CHECK(point.status == own.status);
      if (own.status != Status::optimal) continue;
      CHECK(point.value == own.goals[0].value);
      CHECK(point.bound == point.value);
      if (objective != "edp") {
        CHECK(point.costs == std::vector<Rational>{own.totals.latency, own.totals.energy});
      }
      ++compared;
    }
  }
  CHECK(compared > 0);
}

TEST_CASE("pruning by bounds that are known without a search keeps the front") {
  for (std::uint64_t seed = 1; seed <= testkit::cases(30); ++seed) {
    CAPTURE(seed);
    const SpaceCase made = space_case(seed);
    if (made.level.empty()) continue;
    const files::GivenTexts given(
        {{"<architecture>", made.architecture}, {"<network>", made.network}});
    Space space = varied_space(made, seed % 2 == 0 ? "edp" : "latency");
    space.cost = "levels." + made.level + ".size_bits";
    ExploreOptions options;
    const Exploration all = explore(space, options);
    options.prune = true;
    const Exploration pruned = explore(space, options);
    REQUIRE(pruned.points.size() == all.points.size());
    for (std::size_t k = 0; k < all.points.size(); ++k) {
      CHECK(pruned.points[k].on_front == all.points[k].on_front);
      if (pruned.points[k].skipped) CHECK(pruned.points[k].bound <= all.points[k].value);
    }
  }
}

TEST_CASE("what explorations do not know is refused") {
  const SpaceCase made = space_case(1);
  const files::GivenTexts given(
      {{"<architecture>", made.architecture}, {"<network>", made.network}});
  Question question;
  question.caps = {{Goal::latency, 5}};
  CHECK_THROWS_AS(explore(varied_space(made, "latency"), {}, question), InputError);
  CHECK_THROWS_AS(explore(varied_space(made, "activations")), InputError);
}
