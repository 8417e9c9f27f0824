// Fronts of networks: those of all choices of mappings, with the optimum of the network's EDP on
// them.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "pimbb/dram_pim.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/instances.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;

namespace {

using Totals = std::vector<Rational>;

/// Up to three layers for the architecture of the first one.
struct TinyNetwork {
  Architecture architecture;
  Network network;
  RowModel row_model;
};

TinyNetwork random_network(testkit::Choices& choices) {
  const testkit::Size small{.macs = 24};
  const testkit::Instance first = testkit::random_instance(choices, small);
  TinyNetwork tiny{first.architecture, {}, first.row_model};
  tiny.network.layers.push_back({first.workload, 1 + static_cast<int>(choices.pick(3))});
  for (std::size_t more = choices.pick(3); more > 0; --more) {
    Workload layer = testkit::random_instance(choices, small).workload;
    layer.name += std::to_string(more);
    tiny.network.layers.push_back({layer, 1 + static_cast<int>(choices.pick(3))});
  }
  return tiny;
}

/// Nothing for a network without a mapping.
std::vector<Totals> front_of_choices(const TinyNetwork& tiny, const std::vector<Goal>& axes) {
  std::set<Totals> sums{Totals(axes.size())};
  const Network merged = merge_equal_layers(tiny.network);
  for (const NetworkLayer& layer : merged.layers) {
    const Front front =
        solve_front(tiny.architecture, layer.workload, axes, {.row_model = tiny.row_model});
    std::set<Totals> next;
    for (const Totals& sum : sums) {
      for (const FrontPoint& point : front.points) {
        Totals both = sum;
        for (std::size_t k = 0; k < axes.size(); ++k) {
          both[k] += point.costs[k] * layer.workload.weight * layer.repetitions;
        }
        next.insert(both);
      }
    }
    sums = std::move(next);
  }
  std::vector<Totals> front;
  for (const Totals& sum : sums) {
    const auto covers = [&](const Totals& point) {
      return std::ranges::equal(point, sum, std::ranges::less_equal{});
    };
    if (std::ranges::none_of(front, covers)) front.push_back(sum);
  }
  return front;
}

std::vector<Totals> totals_of(const NetworkFront& front) {
  std::vector<Totals> points;
  for (const NetworkFrontPoint& point : front.points) points.push_back(point.costs);
  return points;
}

const std::vector<std::vector<Goal>> kNetworkAxes{
    {Goal::latency, Goal::energy},
    {Goal::activations, Goal::latency},
    {Goal::latency, Goal::energy, Goal::activations},
};

}  // namespace

TEST_CASE("fronts of networks are those of all choices") {
  std::size_t several = 0;
  for (std::uint64_t seed = 0; seed < testkit::cases(600); ++seed) {
    testkit::Choices choices(18'400'000 + seed);
    const TinyNetwork tiny = random_network(choices);
    const std::vector<Goal>& axes = kNetworkAxes[seed % kNetworkAxes.size()];
    CAPTURE(seed);
    const Question question{.row_model = tiny.row_model};
    const NetworkFront front = solve_network_front(tiny.architecture, tiny.network, axes, question);
    const std::vector<Totals> expected = front_of_choices(tiny, axes);
    CHECK(front.status == (expected.empty() ? FrontStatus::infeasible : FrontStatus::complete));
    CHECK(totals_of(front) == expected);
    several += expected.size() > 1 ? 1 : 0;
    if (expected.empty() || axes != kNetworkAxes.front()) continue;
    Question edp = question;
    edp.objective = Objective::parse("edp");
    const NetworkSolution best = solve_network(tiny.architecture, tiny.network, edp);
    REQUIRE(best.status == Status::optimal);
    const auto product = [](const Totals& point) { return point[0] * point[1]; };
    CHECK(product(std::ranges::min(expected, {}, product)) ==
          best.totals.latency * best.totals.energy);
  }
  CHECK(several > testkit::cases(600) / 20);
}

TEST_CASE("fewer points of a network's front, and limits") {
  for (std::uint64_t seed = 0; seed < testkit::cases(300); ++seed) {
    testkit::Choices choices(18'600'000 + seed);
    const TinyNetwork tiny = random_network(choices);
    CAPTURE(seed);
    const Question question{.row_model = tiny.row_model};
    const std::vector<Totals> all = front_of_choices(tiny, kNetworkAxes.front());
    if (all.empty()) continue;
    FrontOptions options;
    if (seed % 2 == 0) options.within = Rational(1, 4);
    if (seed % 3 == 0) options.points = 2;
    RunLimits limits{.threads = 1};
    if (seed % 5 == 0) limits.node_limit = seed % 4;
    const NetworkFront front = solve_network_front(tiny.architecture, tiny.network,
                                                   kNetworkAxes.front(), question, limits, options);
    if (options.points) CHECK(front.points.size() <= 2);
    for (const Totals& sum : all) {
      const bool covered = std::ranges::any_of(front.points, [&](const auto& point) {
        const Rational share = Rational(1) + front.within.value_or(0);
        return front.within && point.costs[0] <= share * sum[0] && point.costs[1] <= share * sum[1];
      });
      const bool open = std::ranges::any_of(front.open, [&](const FrontBox& box) {
        for (std::size_t k = 0; k < 2; ++k) {
          if (sum[k] < box.from[k] || (box.below[k] && sum[k] >= *box.below[k])) return false;
        }
        return true;
      });
      CHECK((covered || open || !front.within || front.status == FrontStatus::unknown));
      CHECK((front.status != FrontStatus::complete || !front.within || covered));
    }
  }
}

TEST_CASE("a network's front is refused or infeasible with the layer's name") {
  testkit::Choices choices(1);
  TinyNetwork tiny = random_network(choices);
  CHECK_THROWS_AS(solve_network_front(tiny.architecture, {}, kNetworkAxes.front()), InputError);
  CHECK_THROWS_AS(solve_network_front(tiny.architecture, tiny.network, {Goal::latency}),
                  InputError);
  const NetworkFront front =
      solve_network_front(tiny.architecture, tiny.network, kNetworkAxes.front(),
                          {.row_model = tiny.row_model, .caps = {{Goal::latency, 0}}});
  CHECK(front.status == FrontStatus::infeasible);
  CHECK(front.reason.find(tiny.network.layers.front().workload.name) == 0);
}
