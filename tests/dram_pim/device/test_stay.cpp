// Tensors that stay in the units between layers: which may, and networks of them against every
// split, mapping and choice.
#include <doctest/doctest.h>

#include <algorithm>

#include "dram_pim/device/network_answers.hpp"
#include "dram_pim/device/stay_network.hpp"
#include "pimbb/dram_pim/device_network.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"
#include "support/cases.hpp"
#include "support/folder.hpp"
#include "support/texts.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using oracle::Fraction;
using testkit::StayNetwork;
using texts::contains;

namespace {

DeviceNetworkSolution solved_with_stays(const StayNetwork& n, const RunLimits& limits = {},
                                        Handover handover = Handover::stay) {
  Question question;
  question.objective = n.frame.objective;
  question.row_model = n.frame.row_model;
  return solve_network(n.frame.device, n.network, question, limits, {}, false, handover);
}

/// Whether every mapping is feasible, the totals are theirs, and everything fits the banks.
void check_stay_mappings(const StayNetwork& n, const DeviceNetworkSolution& s) {
  GoalCosts totals{0, 0, 0};
  std::int64_t weights = 0;
  std::int64_t io = 0;
  std::size_t unmoved = 0;  // ends of tensors
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
    const Moves own = layer.workload.moves.value_or(kDefaultMoves);
    for (const std::size_t t : {std::size_t{0}, std::size_t{2}}) {
      if (own[t] && !layer.moves[t]) unmoved += static_cast<std::size_t>(layer.repetitions);
    }
  }
  CHECK(unmoved == 2 * s.staying.size());
  for (const GoalResult& goal : s.goals) {
    CHECK(goal.value == n.frame.objective.value(goal.goal, totals));
  }
  if (const auto& capacity = n.frame.device.unit.levels.back().capacity) {
    CHECK(weights + io <= *capacity);
  }
}

/// What the units have of each tensor that stays is what they read.
void check_families(const StayNetwork& n, const DeviceNetworkSolution& s) {
  const std::vector<GraphNode>& nodes = n.network.graph->nodes;
  const std::vector<StayEdge> edges = stay_edges(n.frame.device, n.network);
  for (const StayingTensor& tensor : s.staying) {
    const Workload& writer = nodes[tensor.writer].layer->workload;
    const GraphLayer& reads = *nodes[tensor.reader].layer;
    const auto written =
        testkit::written_family(writer, reads.workload, tensor.split, tensor.slice);
    REQUIRE(written.has_value());
    const auto edge = std::ranges::find(edges, tensor.writer, &StayEdge::writer);
    REQUIRE(edge != edges.end());
    CHECK(edge->reader == tensor.reader);
    const bool found = std::ranges::any_of(s.layers, [&](const DeviceLayerSolution& layer) {
      if (!same_shape(layer.workload, reads.workload) || layer.moves[0]) return false;
      const DeviceMapping& mapping = *layer.solution.mapping;
      const DeviceMapping of_writer{tensor.split, tensor.slice, {}};
      const bool agree = parts_agree(*edge, of_writer, mapping);
      const auto read = testkit::read_family(writer, reads.workload, reads.pad_left, reads.pad_top,
                                             mapping.split, mapping.slice);
      CHECK(agree == (read == written));
      return agree;
    });
    CHECK(found);
    CHECK(tensor.saved_bytes.sign() >= 0);
  }
}

struct StayOutcome {
  bool stays = false;
  bool gains = false;
  bool other_splits = false;
};

StayOutcome check_stay_network(const StayNetwork& n) {
  CAPTURE(n.frame.objective.to_string());
  const std::vector<StayEdge> edges = stay_edges(n.frame.device, n.network);
  CHECK(edges.size() == static_cast<std::size_t>(std::ranges::count(n.may_stay, true)));
  const DeviceNetworkSolution s = solved_with_stays(n, {.threads = 1});
  const std::vector<Fraction> expected = testkit::least_of_stay_network(n);
  REQUIRE(s.status == (expected.empty() ? Status::infeasible : Status::optimal));
  if (expected.empty()) return {};
  check_stay_mappings(n, s);
  check_families(n, s);
  for (std::size_t g = 0; g < expected.size(); ++g) {
    CAPTURE(g);
    CHECK(s.goals[g].value == expected[g].to_rational());
    CHECK(s.goals[g].bound == s.goals[g].value);
  }
  const DeviceNetworkSolution host = solved_with_stays(n, {}, Handover::host);
  StayOutcome outcome{!s.staying.empty(), host.goals[0].value > s.goals[0].value, false};
  if (s.layers.size() == host.layers.size()) {
    for (std::size_t i = 0; i < s.layers.size(); ++i) {
      outcome.other_splits = outcome.other_splits || s.layers[i].solution.mapping->split !=
                                                         host.layers[i].solution.mapping->split;
    }
  }
  return outcome;
}

Network stay_graph(const std::string& text) {
  const texts::Folder folder;
  return read_network(folder.write("net.yaml", text));
}

Device four_units() {
  const texts::Folder folder;
  return read_device(folder.write("device.yaml", R"(
unit: simple_pim
levels:
  - {name: unit, count: 4, write_bandwidth: 1, read_bandwidth: 16, broadcast: true, energy: 1}
)"));
}

/// Between the first two layers, if the tensor there may stay.
std::vector<SharedDim> dims_between(const std::string& first, const std::string& second,
                                    const std::string& between = "") {
  const Network network =
      stay_graph("layers:\n  - {name: a, " + first + "}\n  - {name: b, " + second +
                 "}\ngraph:\n  - {node: a, layer: a}\n" + between + "  - {node: b, layer: b}\n");
  const std::vector<StayEdge> edges = stay_edges(four_units(), network);
  return edges.empty() ? std::vector<SharedDim>{} : edges.front().dims;
}

}  // namespace

TEST_CASE("tensors that may stay: the dimensions that divide them") {
  using enum Dim;
  const std::string a = "R: 1, S: 1, P: 8, Q: 8, C: 3, K: 6, N: 2";
  const std::vector<SharedDim> all{{N, N, 1}, {K, C, 1}, {P, P, 1}, {Q, Q, 1}};
  CHECK(dims_between(a, "R: 1, S: 1, P: 8, Q: 8, C: 6, K: 5, N: 2") == all);
  // A halo, and none in the rows.
  const std::vector<SharedDim> rows{{N, N, 1}, {K, C, 1}, {Q, Q, 1}};
  CHECK(dims_between(a, "R: 3, S: 1, P: 8, Q: 8, C: 6, K: 5, N: 2") == rows);
  CHECK(dims_between(a, "R: 3, S: 1, P: 6, Q: 8, C: 6, K: 5, N: 2") == rows);
  // Patches; every other column; the whole width.
  const std::vector<SharedDim> patches{{N, N, 1}, {K, C, 1}, {P, P, 2}, {Q, Q, 1}};
  CHECK(dims_between(a, "R: 2, S: 1, P: 4, Q: 8, C: 6, K: 5, N: 2, stride: [2, 1]") == patches);
  CHECK(dims_between(a, "R: 1, S: 1, P: 4, Q: 8, C: 6, K: 5, N: 2, stride: [2, 1]") == rows);
  const std::vector<SharedDim> whole{{N, N, 1}, {K, C, 1}, {P, R, 1}, {Q, S, 1}};
  CHECK(dims_between(a, "R: 8, S: 8, P: 1, Q: 1, C: 6, K: 5, N: 2") == whole);
  // Groups.
  const std::vector<SharedDim> depthwise{{N, N, 1}, {K, G, 1}, {P, P, 1}, {Q, Q, 1}};
  CHECK(dims_between(a, "R: 1, S: 1, P: 8, Q: 8, C: 1, K: 1, N: 2, G: 6") == depthwise);
  const std::string groups = "R: 1, S: 1, P: 8, Q: 8, C: 2, K: 2, N: 2, G: 3";
  const std::vector<SharedDim> plane{{N, N, 1}, {P, P, 1}, {Q, Q, 1}};
  CHECK(dims_between(a, groups) == plane);
  const std::vector<SharedDim> same{{N, N, 1}, {G, G, 1}, {K, C, 1}, {P, P, 1}, {Q, Q, 1}};
  CHECK(dims_between(groups, groups) == same);
  // Another tensor.
  CHECK(dims_between(a, "R: 1, S: 1, P: 8, Q: 8, C: 6, K: 5, N: 1").empty());
  CHECK(dims_between(a, "R: 1, S: 1, P: 8, Q: 8, C: 5, K: 5, N: 2").empty());
}

TEST_CASE("tensors that may stay: what lies between, and who else reads them") {
  const std::string a = "R: 1, S: 1, P: 8, Q: 8, C: 3, K: 6, N: 1";
  const std::string b = "R: 1, S: 1, P: 8, Q: 8, C: 6, K: 5, N: 1";
  CHECK(!dims_between(a, b).empty());
  CHECK(!dims_between(a, b, "  - {node: r, op: Relu}\n  - {node: s, op: Sigmoid}\n").empty());
  CHECK(dims_between(a, b, "  - {node: r, op: MaxPool}\n").empty());
  CHECK(dims_between(a, b, "  - {node: r, op: LayerNormalization}\n").empty());
  CHECK(dims_between(a, b, "  - {node: r, op: Relu}\n  - {node: s, op: Add, from: [a, r]}\n")
            .empty());
  CHECK(dims_between(a, "moves: [weight, output], " + b).empty());
  CHECK(dims_between("moves: [input], " + a, b).empty());
  CHECK(dims_between("weight: 2, " + a, b).empty());
  Device other = four_units();
  other.unit.bits[2] *= 2;
  const Network network =
      stay_graph("layers:\n  - {name: a, " + a + "}\n  - {name: b, " + b +
                 "}\ngraph:\n  - {node: a, layer: a}\n  - {node: b, layer: b}\n");
  CHECK(stay_edges(four_units(), network).size() == 1);
  CHECK(stay_edges(other, network).empty());
  Network bare = network;
  bare.graph.reset();
  CHECK_THROWS_AS(stay_edges(four_units(), bare), InputError);
  CHECK_THROWS_AS(solve_network(four_units(), bare, {}, {}, {}, false, Handover::stay), InputError);
}

TEST_CASE("tensors that stay change the splits of both layers") {
  StayNetwork n;
  n.frame.device = four_units();
  n.network = stay_graph(R"(
layers:
  - {name: up, R: 1, S: 1, P: 1, Q: 1, C: 64, K: 64, N: 1}
  - {name: down, R: 1, S: 1, P: 1, Q: 1, C: 64, K: 32, N: 1}
graph:
  - {node: up, layer: up}
  - {node: relu, op: Relu}
  - {node: down, layer: down}
)");
  const DeviceNetworkSolution host = solved_with_stays(n, {}, Handover::host);
  const DeviceNetworkSolution stay = solved_with_stays(n);
  CHECK(host.staying.empty());
  CHECK(stay.status == Status::optimal);
  CHECK(stay.goals[0].value < host.goals[0].value);
  REQUIRE(stay.staying.size() == 1);
  CHECK(stay.may_stay == 1);
  REQUIRE(stay.layers.size() == 2);
  CHECK(stay.layers[0].moves == Moves{true, false, false});
  CHECK(stay.layers[1].moves == Moves{false, false, true});
  // The channels of the tensor are divided: K of one layer, C of the other, of which the host adds
  // the partial sums.
  const auto factor = [](const DeviceNetworkSolution& s, std::size_t layer, Dim j) {
    return s.layers[layer].solution.mapping->split[0][index(j)];
  };
  CHECK(factor(stay, 0, Dim::K) == 4);
  CHECK(factor(stay, 1, Dim::C) == 4);
  CHECK(factor(host, 1, Dim::C) != 4);
  // 64 elements come out of the units once and go in once, each part to one unit.
  CHECK(stay.staying[0].saved_bytes == 128);
  check_stay_mappings(n, stay);
}

TEST_CASE("networks whose tensors may stay: the optimum is that of all combinations") {
  std::size_t stay = 0;
  std::size_t gain = 0;
  std::size_t change = 0;
  for (std::uint64_t seed = 50000; seed < 50000 + testkit::cases(200); ++seed) {
    CAPTURE(seed);
    const StayOutcome outcome =
        check_stay_network(testkit::random_stay_network(seed, 2 + seed % 2, 8));
    stay += outcome.stays ? 1 : 0;
    gain += outcome.gains ? 1 : 0;
    change += outcome.other_splits ? 1 : 0;
  }
  MESSAGE(stay << " networks with tensors that stay, " << gain << " that gain, " << change
               << " with other splits");
  CHECK((stay > 0 || testkit::cases(200) < 200));
  CHECK((gain > 0 || testkit::cases(200) < 200));
  CHECK((change > 0 || testkit::cases(200) < 200));
}

TEST_CASE("networks whose tensors may stay: every goal") {
  std::size_t next = 0;
  for (std::uint64_t seed = 60000; seed < 60000 + testkit::cases(120); ++seed) {
    CAPTURE(seed);
    StayNetwork n = testkit::random_stay_network(seed, 2, 8);
    constexpr std::array<const char*, 6> kChains{"edp",
                                                 "blended",
                                                 "energy,latency",
                                                 "edp,activations",
                                                 "latency,energy,activations",
                                                 "activations,edp"};
    testkit::set_goals(n.frame.objective, kChains.at(next++ % kChains.size()));
    check_stay_network(n);
  }
}

TEST_CASE(
    "networks whose tensors may stay: a layer is repeated as often as the graph has its node") {
  StayNetwork n = testkit::random_stay_network(71000, 2, 12);
  CHECK_NOTHROW(solved_with_stays(n, {.threads = 1}));
  ++n.network.layers.front().repetitions;
  try {
    solved_with_stays(n, {.threads = 1});
    FAIL("no error");
  } catch (const InputError& error) {
    CHECK(contains(error.what(), "found other repetitions than the graph has nodes of it"));
  }
}

TEST_CASE("networks whose tensors may stay: splits are counted against the memory limit") {
  std::size_t too_many = 0;
  for (std::uint64_t seed = 71000; seed < 71010; ++seed) {
    CAPTURE(seed);
    const StayNetwork n = testkit::random_stay_network(seed, 2, 12);
    try {
      solved_with_stays(n, {.threads = 1, .memory_limit = 2048});  // two splits
    } catch (const LimitError& error) {
      too_many += contains(error.what(), "among more than 2 splits for tensors that stay") ||
                          contains(error.what(), "among more than 3 splits for tensors that stay")
                      ? 1
                      : 0;
    }
  }
  CHECK(too_many > 2);
}

TEST_CASE("networks whose tensors may stay: equal chains, threads and limits") {
  for (std::uint64_t seed = 70000; seed < 70000 + testkit::cases(30); ++seed) {
    CAPTURE(seed);
    StayNetwork n =
        testkit::random_stay_network(seed, 2 + seed % 2, testkit::slow_build() ? 4 : 12);
    const DeviceNetworkSolution one = solved_with_stays(n, {.threads = 1});
    const DeviceNetworkSolution two = solved_with_stays(n, {.threads = 2});
    testkit::check_same(one, two);
    std::stop_source interrupted;
    interrupted.request_stop();
    for (const RunLimits& limits :
         {RunLimits{.threads = 1, .time_limit = 1e-9}, RunLimits{.threads = 1, .node_limit = 2},
          RunLimits{.threads = 1, .stop = interrupted.get_token()}}) {
      const DeviceNetworkSolution cut = solved_with_stays(n, limits);
      if (one.status == Status::infeasible) {
        CHECK((cut.status == Status::infeasible || cut.status == Status::unknown));
        continue;
      }
      CHECK(cut.status != Status::infeasible);
      if (cut.goals.empty()) continue;
      check_stay_mappings(n, cut);
      CHECK(cut.goals[0].value >= one.goals[0].value);
      CHECK(cut.goals[0].bound <= one.goals[0].value);
    }
    if (one.status == Status::infeasible || n.frame.device.unit.levels.back().capacity) continue;
    // The network twice, side by side: twice its sums.
    n.frame.objective.goals = {Goal::latency, Goal::energy};
    StayNetwork both = n;
    both.network = testkit::twice(n.network);
    const DeviceNetworkSolution single = solved_with_stays(n);
    const DeviceNetworkSolution doubled = solved_with_stays(both);
    CHECK(doubled.staying.size() == 2 * single.staying.size());
    for (std::size_t g = 0; g < 2; ++g) {
      CHECK(doubled.goals[g].value == 2 * single.goals[g].value);
    }
  }
}
