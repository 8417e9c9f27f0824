// Networks on devices against everything: every split, slice and mapping of every layer, and every
// choice of weights that stay.
#include <doctest/doctest.h>

#include <algorithm>

#include "dram_pim/device/exhaust_device.hpp"
#include "dram_pim/device/network_answers.hpp"
#include "dram_pim/device/random_device.hpp"
#include "pimbb/dram_pim/device_network.hpp"
#include "pimbb/dram_pim/device_solver.hpp"
#include "pimbb/error.hpp"
#include "support/cases.hpp"
#include "support/oracle_tiles.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using oracle::Fraction;

namespace {

struct NetworkInstance {
  testkit::DeviceInstance frame;  // device, objective and row model
  Network network;
};

/// Layers of up to a few multiplications; banks often too small for the best mappings of all.
NetworkInstance random_network(std::uint64_t seed, std::size_t layers, std::int64_t macs) {
  testkit::Choices c(seed * 2 + 1);
  NetworkInstance n{testkit::random_device_instance(seed, {.macs = macs, .levels = 4}), {}};
  if (n.frame.device.levels.size() > 2) n.frame.device.levels.pop_back();
  std::optional<std::int64_t>& capacity = n.frame.device.unit.levels.back().capacity;
  capacity.reset();
  if (!c.once_in(4)) capacity = 5 + static_cast<std::int64_t>(c.pick(30));
  n.network.moves_auto = c.once_in(2);
  for (std::size_t k = 0; k < layers; ++k) {
    Workload layer = n.frame.layer;
    if (k > 0 && !c.once_in(4)) {
      layer = testkit::random_device_instance(seed + 77777 * k, {.macs = macs, .levels = 4}).layer;
    }
    layer.name = "layer" + std::to_string(k);
    layer.weight = c.one_of({Rational(1), Rational(1, 2), Rational(3)});
    if (c.once_in(4)) layer.moves = c.one_of<Moves>({{true, true, true}, {true, false, true}});
    if (c.once_in(6)) layer.padding = Padding::parse("K=1", "pad");
    n.network.layers.push_back({layer, 1 + static_cast<std::int64_t>(c.pick(2))});
  }
  return n;
}

std::vector<Moves> ways(const Network& network, const Workload& layer) {
  if (layer.moves) return {*layer.moves};
  if (network.moves_auto) return {{true, false, true}, {true, true, true}};
  return {{true, false, true}};
}

std::int64_t bytes(const Device& device, const Workload& layer, const Factors& slice, Tensor t) {
  const std::int64_t bits = device.unit.bits[index(t)] * oracle::tile_elements(layer, t, slice);
  const std::int64_t each = (device.unit.bits[index(t)] + 7) / 8;
  return device.unit.packing == Packing::bit ? (bits + 7) / 8
                                             : each * oracle::tile_elements(layer, t, slice);
}

/// A way to map some layers: bytes of the bank for good and at most at a time, totals.
struct Way {
  std::int64_t weights = 0;
  std::int64_t io = 0;
  Fraction latency, energy, activations;
};

bool no_worse(const Way& a, const Way& b) {
  return a.weights <= b.weights && a.io <= b.io && a.latency <= b.latency && a.energy <= b.energy &&
         a.activations <= b.activations;
}

void insert(std::vector<Way>& ways, const Way& way) {
  if (std::ranges::any_of(ways, [&](const Way& other) { return no_worse(other, way); })) return;
  std::erase_if(ways, [&](const Way& other) { return no_worse(way, other); });
  ways.push_back(way);
}

/// All that is not beaten for one layer.
std::vector<Way> ways_of(const NetworkInstance& n, const NetworkLayer& layer) {
  std::vector<Way> all;
  const Device& device = n.frame.device;
  const Fraction times = Fraction(layer.workload.weight) * Fraction(layer.repetitions);
  for (const Moves& moves : ways(n.network, layer.workload)) {
    exhaust::each_on_device(
        device, layer.workload, moves, n.frame.row_model,
        [&](const Factors& slice, const oracle::DeviceCosts& costs) {
          Way way{0, 0, times * costs.latency, times * costs.energy, times * costs.activations};
          const auto need = [&](Tensor t) { return bytes(device, layer.workload, slice, t); };
          way.io = need(Tensor::input) + need(Tensor::output);
          (moves[1] ? way.io : way.weights) += need(Tensor::weight);
          way.weights *= layer.repetitions;
          insert(all, way);
        });
  }
  return all;
}

Fraction value(const Way& way, Goal goal, const Objective& objective) {
  oracle::DeviceCosts costs;
  costs.latency = way.latency;
  costs.energy = way.energy;
  costs.activations = way.activations;
  return costs.value(goal, objective);
}

/// The least values of the network; none if nothing fits.
std::vector<Fraction> optimum(const NetworkInstance& n) {
  const auto& capacity = n.frame.device.unit.levels.back().capacity;
  std::vector<Way> sums{Way{}};
  for (const NetworkLayer& layer : n.network.layers) {
    std::vector<Way> longer;
    for (const Way& way : ways_of(n, layer)) {
      for (const Way& sum : sums) {
        const Way both{sum.weights + way.weights, std::max(sum.io, way.io),
                       sum.latency + way.latency, sum.energy + way.energy,
                       sum.activations + way.activations};
        if (!capacity || both.weights + both.io <= *capacity) insert(longer, both);
      }
    }
    sums = std::move(longer);
  }
  std::vector<Fraction> best;
  for (const Way& sum : sums) {
    std::vector<Fraction> values;
    for (const Goal goal : n.frame.objective.goals) {
      values.push_back(value(sum, goal, n.frame.objective));
    }
    if (best.empty() || values < best) best = values;
  }
  return best;
}

Question question_of(const NetworkInstance& n) {
  Question question;
  question.objective = n.frame.objective;
  question.row_model = n.frame.row_model;
  return question;
}

/// What is wrong with the mappings of a solution, whatever its status.
void check_mappings(const NetworkInstance& n, const DeviceNetworkSolution& s) {
  GoalCosts totals{0, 0, 0};
  std::int64_t weights = 0;
  std::int64_t io = 0;
  std::int64_t repetitions = 0;
  for (const DeviceLayerSolution& layer : s.layers) {
    REQUIRE(layer.solution.mapping.has_value());
    const DeviceMapping& mapping = *layer.solution.mapping;
    CHECK(find_violation(n.frame.device, layer.workload, layer.moves, mapping) == "");
    const DeviceMetrics m =
        evaluate(n.frame.device, layer.workload, layer.moves, mapping, n.frame.row_model);
    const Rational times = layer.workload.weight * layer.repetitions;
    totals.latency += times * m.latency;
    totals.energy += times * m.energy;
    totals.activations += times * m.activations;
    const BankNeed need = bank_need(n.frame.device, layer.workload, layer.moves, mapping.slice);
    weights += layer.repetitions * need.weight;
    io = std::max(io, need.io);
    repetitions += layer.repetitions;
  }
  for (const NetworkLayer& layer : n.network.layers) repetitions -= layer.repetitions;
  CHECK(repetitions == 0);
  CHECK(totals.latency == s.totals.latency);
  CHECK(totals.energy == s.totals.energy);
  CHECK(totals.activations == s.totals.activations);
  REQUIRE(s.goals.size() == n.frame.objective.goals.size());
  for (const GoalResult& goal : s.goals) {
    CHECK(goal.value == n.frame.objective.value(goal.goal, totals));
  }
  if (const auto& capacity = n.frame.device.unit.levels.back().capacity) {
    CHECK(weights + io <= *capacity);
    REQUIRE(s.bank.has_value());
    CHECK(s.bank->weights == weights);
    CHECK(s.bank->io == io);
  }
}

/// Whether the banks kept some layer from its best mapping.
bool check_optimum(const NetworkInstance& n) {
  CAPTURE(n.frame.objective.to_string());
  const DeviceNetworkSolution s =
      solve_network(n.frame.device, n.network, question_of(n), {.threads = 1});
  const std::vector<Fraction> expected = optimum(n);
  REQUIRE(s.status == (expected.empty() ? Status::infeasible : Status::optimal));
  if (expected.empty()) {
    const bool layer = std::ranges::any_of(s.layers, [](const DeviceLayerSolution& own) {
      return own.solution.status == Status::infeasible && !own.solution.reason.empty();
    });
    CHECK((layer || !s.reason.empty()));
    return false;
  }
  check_mappings(n, s);
  for (std::size_t g = 0; g < expected.size(); ++g) {
    CAPTURE(g);
    CHECK(s.goals[g].value == expected[g].to_rational());
    CHECK(s.goals[g].bound == s.goals[g].value);
  }
  NetworkInstance free = n;
  free.frame.device.unit.levels.back().capacity.reset();
  const auto without = solve_network(free.frame.device, free.network, question_of(n));
  return without.goals[0].value < s.goals[0].value;
}

}  // namespace

TEST_CASE("networks on devices: the optimum is that of all combinations") {
  std::size_t bound = 0;
  for (std::uint64_t seed = 20000; seed < 20000 + testkit::cases(150); ++seed) {
    CAPTURE(seed);
    if (check_optimum(random_network(seed, 2 + seed % 2, 8))) ++bound;
  }
  MESSAGE(bound << " networks that the banks bind");
  CHECK((bound > 0 || testkit::cases(150) < 150));
}

TEST_CASE("networks on devices: every goal") {
  std::size_t next = 0;
  for (std::uint64_t seed = 30000; seed < 30000 + testkit::cases(150); ++seed) {
    CAPTURE(seed);
    NetworkInstance n = random_network(seed, 2, 8);
    constexpr std::array<const char*, 8> kChains{"edp",
                                                 "blended",
                                                 "energy,latency",
                                                 "latency,energy,activations",
                                                 "edp,activations",
                                                 "energy,activations",
                                                 "activations,edp",
                                                 "latency,edp"};
    testkit::set_goals(n.frame.objective, kChains.at(next++ % kChains.size()));
    check_optimum(n);
  }
}

TEST_CASE("networks on devices: threads do not matter, and limits leave a bound") {
  for (std::uint64_t seed = 40000; seed < 40000 + testkit::cases(40); ++seed) {
    CAPTURE(seed);
    const NetworkInstance n = random_network(seed, 3, 12);
    const auto solved = [&](const RunLimits& limits) {
      return solve_network(n.frame.device, n.network, question_of(n), limits);
    };
    const DeviceNetworkSolution one = solved({.threads = 1});
    const DeviceNetworkSolution two = solved({.threads = 2});
    testkit::check_same(one, two);
    std::stop_source interrupted;
    interrupted.request_stop();
    for (const RunLimits& limits :
         {RunLimits{.threads = 1, .time_limit = 1e-9}, RunLimits{.threads = 1, .node_limit = 2},
          RunLimits{.threads = 1, .time_limit = 1e6, .node_limit = 2},
          RunLimits{.threads = 1, .stop = interrupted.get_token()}}) {
      const DeviceNetworkSolution cut = solved(limits);
      if (one.status == Status::infeasible) {
        CHECK((cut.status == Status::infeasible || cut.status == Status::unknown));
        continue;
      }
      CHECK(cut.status != Status::infeasible);
      if (cut.goals.empty()) continue;
      check_mappings(n, cut);
      CHECK(cut.goals[0].value >= one.goals[0].value);
      CHECK(cut.goals[0].bound <= one.goals[0].value);
    }
  }
}

TEST_CASE("networks on devices: each layer for itself") {
  std::size_t layers = 0;
  for (std::uint64_t seed = 60000; seed < 60000 + testkit::cases(20); ++seed) {
    CAPTURE(seed);
    NetworkInstance n = random_network(seed, 2, 8);
    n.network.moves_auto = false;
    n.frame.device.unit.levels.back().capacity.reset();
    n.frame.objective = Objective::parse("edp");
    const DeviceNetworkSolution s =
        solve_network(n.frame.device, n.network, question_of(n), {.threads = 1}, {}, true);
    CHECK(s.goals.empty());  // a product of sums, of layers that were not chosen for it
    for (const DeviceLayerSolution& layer : s.layers) {
      const DeviceSolution own = solve(n.frame.device, layer.workload, layer.moves, question_of(n));
      REQUIRE(layer.solution.mapping.has_value() == own.mapping.has_value());
      if (!own.mapping) continue;
      CHECK(layer.solution.goals.front().value == own.goals.front().value);
      ++layers;
    }
  }
  CHECK((layers > 0 || testkit::slow_build()));
}

TEST_CASE("networks on devices: bad layers are refused") {
  const NetworkInstance n = random_network(1, 2, 8);
  Network bad = n.network;
  bad.layers[1].repetitions = 0;
  CHECK_THROWS_AS(solve_network(n.frame.device, bad), InputError);
  CHECK_THROWS_AS(solve_network(n.frame.device, Network{}), InputError);
  Question heuristic;
  heuristic.method = Method::greedy;
  CHECK_THROWS_AS(solve_network(n.frame.device, n.network, heuristic), InputError);
}
