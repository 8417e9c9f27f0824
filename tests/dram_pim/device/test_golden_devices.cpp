// Every line of every golden file of devices. Witnesses evaluate to their optima.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>

#include "dram_pim/device/golden.hpp"
#include "pimbb/dram_pim/device_network.hpp"
#include "support/cases.hpp"
#include "support/plain_json.hpp"

using namespace pimbb;
using namespace pimbb::dram_pim;
using golden::Json;

namespace {

/// Costs of a network are sums over its layers, each as often as it counts.
void add(GoalCosts& sum, const GoalCosts& more, const Json& layer) {
  Rational times = 1;
  if (layer.is_object()) {
    times = Rational(layer.value("repetitions", std::int64_t{1}));
    if (layer.contains("weight")) times *= golden::number_of(layer.at("weight"));
  }
  sum.latency += times * more.latency;
  sum.energy += times * more.energy;
  sum.activations += times * more.activations;
}

Factors slice_bounds(const Json& witness) {
  Factors bounds = kOnes;
  for (const Dim j : kAllDims) {
    bounds[index(j)] = witness.at("slice").value(std::string(name(j)), std::int64_t{1});
  }
  return bounds;
}

/// Compares the terms that a witness has; its costs.
GoalCosts check_witness(const golden::DeviceProblem& p, const Json& witness) {
  const Split split = golden::split_of(witness, p.device.levels.size());
  const Factors slice = slice_bounds(witness);
  CHECK(split_violation(p.device, p.layer, p.moves, split, slice) == "");
  const SplitCost cost = split_cost(p.device, p.layer, p.moves, split, slice);
  GoalCosts of_slice{golden::number_of(witness.at("slice_latency")),
                     golden::number_of(witness.at("slice_energy")), 0};
  if (witness.contains("slice_activations")) {
    of_slice.activations = golden::number_of(witness.at("slice_activations"));
  }
  const GoalCosts all = device_costs(p.device, cost, of_slice);
  const auto check = [&](const char* key, const Rational& value) {
    CAPTURE(key);
    if (witness.contains(key)) CHECK(golden::same(value, witness.at(key)));
  };
  check("units", cost.units);
  check("link_energy", cost.link_energy + cost.reduce_energy);
  check("in", cost.in);
  check("out", cost.out);
  check("moved_cycles", p.device.launch + cost.in + cost.out);
  check("latency", all.latency);
  check("energy", all.energy);
  check("activations", all.activations);
  return all;
}

/// The goals of a line, for its witnesses; how many witnesses were compared.
std::size_t check_line(const Json& line, const std::filesystem::path& folder) {
  CAPTURE(line.at("name").get<std::string>());
  const std::vector<Json> witnesses = golden::witnesses_of(line);
  if (witnesses.empty()) return 0;
  const std::vector<Json> layers = golden::layers_of(line);
  REQUIRE(layers.size() == witnesses.size());
  GoalCosts total{0, 0, 0};
  Objective objective;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const auto p = golden::problem_of(line, layers[i], golden::device_of(line, folder));
    add(total, check_witness(p, witnesses[i]), layers[i]);
    objective = p.objective;
  }
  const Json& optimum = line.at("optimum");
  REQUIRE(optimum.size() == objective.goals.size());
  for (std::size_t g = 0; g < objective.goals.size(); ++g) {
    CHECK(golden::same(objective.value(objective.goals[g], total), optimum.at(g)));
  }
  return 1;
}

}  // namespace

TEST_CASE("golden devices: the optimum of every layer is proven") {
  const auto folder = golden::folder_of("devices");
  if (!folder) return;
  for (const char* file : {"device", "padded", "padwin", "real", "real_padded"}) {
    // Layers of full size take seconds: a share of them where only a share of the cases runs.
    const bool large = std::string(file) == "real";
    std::size_t number = 0;
    std::size_t compared = 0;
    for (const Json& line : golden::lines(*folder / (std::string(file) + ".jsonl"))) {
      if (large && !testkit::chosen(number++)) continue;
      CAPTURE(line.at("name").get<std::string>());
      const auto p = golden::problem_of(line, line.at("layer"), golden::device_of(line, *folder));
      Question question;
      question.objective = p.objective;
      question.row_model = p.row_model;
      const DeviceSolution s = solve(p.device, p.layer, p.moves, question);
      const std::vector<Json> optimum = golden::optimum_of(line);
      CHECK(s.status == (optimum.empty() ? Status::infeasible : Status::optimal));
      if (optimum.empty() || !s.mapping) continue;
      CHECK(find_violation(p.device, p.layer, p.moves, *s.mapping) == "");
      for (std::size_t g = 0; g < optimum.size(); ++g) {
        CAPTURE(g);
        CAPTURE(s.goals.at(g).value.to_double());
        CAPTURE(optimum[g].dump());
        CHECK(golden::same(s.goals[g].value, optimum[g]));
        CHECK(s.goals[g].bound == s.goals[g].value);
      }
      ++compared;
    }
    MESSAGE(std::string(file) << ": " << compared << " optima compared");
  }
}

TEST_CASE("golden devices: the optimum of every network is proven") {
  const auto folder = golden::folder_of("devices");
  if (!folder) return;
  std::size_t compared = 0;
  for (const Json& line : golden::lines(*folder / "network.jsonl")) {
    CAPTURE(line.at("name").get<std::string>());
    Network network;
    Question question;
    Device device = golden::device_of(line, *folder);
    for (const Json& layer : golden::layers_of(line)) {
      const auto p = golden::problem_of(line, layer, device);
      network.layers.push_back({p.layer, layer.value("repetitions", std::int64_t{1})});
      if (layer.contains("weight")) {
        network.layers.back().workload.weight = golden::number_of(layer.at("weight"));
      }
      network.layers.back().workload.moves = p.moves;
      question.objective = p.objective;
      question.row_model = p.row_model;
    }
    const DeviceNetworkSolution s = solve_network(device, network, question);
    const std::vector<Json> optimum = golden::optimum_of(line);
    CHECK(s.status == (optimum.empty() ? Status::infeasible : Status::optimal));
    REQUIRE(s.goals.size() == optimum.size());
    for (std::size_t g = 0; g < optimum.size(); ++g) {
      CAPTURE(g);
      CAPTURE(s.goals[g].value.to_double());
      CAPTURE(optimum[g].dump());
      CHECK(golden::same(s.goals[g].value, optimum[g]));
      CHECK(s.goals[g].bound == s.goals[g].value);
    }
    ++compared;
  }
  MESSAGE("network: " << compared << " optima compared");
}

TEST_CASE("golden devices: every witness of every line has the costs of its optimum") {
  const auto folder = golden::folder_of("devices");
  if (!folder) return;
  std::set<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    if (entry.path().extension() == ".jsonl") names.insert(entry.path().stem().string());
  }
  for (const char* known : {"device", "network", "padded", "padwin", "real", "real_padded"}) {
    CHECK_MESSAGE(names.contains(known), "no file " << known);
  }
  for (const std::string& name : names) {
    std::size_t lines = 0;
    std::size_t compared = 0;
    for (const Json& line : golden::lines(*folder / (name + ".jsonl"))) {
      compared += check_line(line, *folder);
      ++lines;
    }
    MESSAGE(name << ": " << lines << " lines, witnesses of " << compared << " compared");
  }
}
