// Model, evaluator and solver against answers computed elsewhere: every line of every golden file.
// With PIMBB_SHARE a share of the lines, all infeasible ones, and a share of the network's
// questions.
#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iostream>
#include <map>
#include <set>

#include "cim/golden.hpp"
#include "pimbb/io.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::cim;
using golden::Json;

namespace {

/// Counts what was compared, and prints it.
struct Count {
  std::string file;
  std::size_t lines = 0;
  std::size_t figures = 0;
  ~Count() { std::cout << file << ": " << lines << " lines, " << figures << " figures compared\n"; }
};

/// A golden figure: "p/q", or an integer.
std::string figure(const Json& json) {
  return json.is_string() ? json.get<std::string>() : json.dump();
}

void check_same(Count& count, const Rational& value, const Json& expected) {
  CHECK(value.to_string() == figure(expected));
  ++count.figures;
}

void check_tiles(Count& count, const Architecture& a, const Metrics& metrics, const Json& tiles) {
  CHECK(metrics.used.size() == tiles.size());
  for (const UsedLevel& used : metrics.used) {
    const std::string key = a.levels[used.level].name + "." + std::string(name(used.tensor));
    CAPTURE(key);
    REQUIRE(tiles.contains(key));
    CHECK(tiles.at(key) == Json::array({used.data, used.tile, used.bits}));
    count.figures += 3;
  }
}

void check_metrics(Count& count, const Architecture& a, const Workload& layer,
                   const Mapping& mapping, const Json& expected) {
  const Metrics metrics = evaluate(a, layer, mapping);
  for (std::size_t s = 0; s < kSemantics; ++s) {
    const std::string name(kSemanticsNames[s]);
    const auto semantics = static_cast<Semantics>(s);
    CAPTURE(name);
    check_same(count, metrics.latencies[s], expected.at("latency").at(name));
    const Metrics own =
        evaluate(a, layer, mapping, {semantics, Contention::none, cim::Padding::exact});
    CHECK(own.latency == metrics.latencies[s]);
    check_same(count, own.energy, expected.at("energy").at(name));
    check_same(count, own.edp(), expected.at("edp").at(name));
  }
  check_same(count, recursion_with_cuts(a, layer, mapping),
             expected.at("latency").at("recursion_cuts"));
  check_same(count, metrics.dynamic_energy, expected.at("dynamic_energy"));
  for (const auto& [contention, key] :
       {std::pair{Contention::ports, "port_floor"}, std::pair{Contention::bus, "bus_floor"}}) {
    const Metrics bound =
        evaluate(a, layer, mapping, {Semantics::recursion, contention, cim::Padding::exact});
    const Rational floor = Rational::parse(figure(expected.at(key)));
    CHECK(bound.latency == max(metrics.latency, floor));
    Rational most = 0;
    for (const PerTensor<Rational>& level : bound.busy) {
      for (const Rational& port : level) most = max(most, port);
      if (contention == Contention::bus) most = max(most, level[0] + level[1] + level[2]);
    }
    check_same(count, most, expected.at(key));
  }
  check_same(count, Rational(metrics.products), expected.at("activations"));
  check_tiles(count, a, metrics, expected.at("tiles"));
  Rational sum = metrics.activation_energy;
  for (const PerTensor<LevelEnergy>& level : metrics.levels) {
    for (const LevelEnergy& energy : level) sum += energy.total();
  }
  CHECK(sum == metrics.dynamic_energy);
}

Semantics semantics_of(const Json& json) {
  return json == "table3" ? Semantics::table3 : Semantics::recursion;
}

/// Solves the question of a line; the value must be proven and equal.
void check_optimum(Count& count, const Architecture& a, const Workload& layer,
                   const Question& question, const std::vector<std::string>& values) {
  const Solution s = solve(a, layer, question);
  CHECK(s.status == Status::optimal);
  REQUIRE(s.goals.size() == values.size());
  for (std::size_t g = 0; g < values.size(); ++g) {
    CHECK(s.goals[g].value.to_string() == values[g]);
    CHECK(s.goals[g].bound == s.goals[g].value);
    ++count.figures;
  }
}

/// A line of full.jsonl, restricted.jsonl or baselines.jsonl.
void check_line(Count& count, const Json& line, std::string_view group) {
  if (!testkit::chosen(count.lines++)) return;
  CAPTURE(line.dump());
  const Architecture a = golden::architecture(line.at("arch"));
  const Workload layer = golden::layer(line.at("layer"));
  const Mapping mapping = golden::mapping(line.at("mapping"), a);
  REQUIRE(!find_violation(a, layer, mapping));
  Question question;
  question.pricing.semantics = semantics_of(line.at("semantics"));
  question.objective = Objective::parse(line.at("objective").get<std::string>());
  const Metrics given = evaluate(a, layer, mapping, question.pricing);
  const Rational value =
      question.objective.value(question.objective.goals[0], given.latency, given.energy);
  check_same(count, given.latency, line.at("latency"));
  check_same(count, given.latency_of(Semantics::simulator), line.at("simulated"));
  if (line.contains("energy_exact")) check_same(count, given.energy, line.at("energy_exact"));
  if (line.contains("value")) check_same(count, value, line.at("value"));
  CHECK(value.to_double() == doctest::Approx(line.at("decimal").get<double>()).epsilon(1e-12));
  if (group == "greedy") {  // no optimum: the heuristic itself finds this value
    question.method = Method::greedy;
    const Solution s = solve(a, layer, question);
    REQUIRE(s.mapping);
    check_same(count, s.goals[0].value, value.to_string());
    return;
  }
  if (group == "ws") question.method = Method::ws;
  if (line.contains("factors")) {
    const std::string rule = line.at("factors");
    REQUIRE((rule == "any" || rule == "prime" || rule == "flex"));
    question.factors = rule == "prime"  ? FactorRule::prime
                       : rule == "flex" ? FactorRule::flex
                                        : FactorRule::any;
  }
  check_optimum(count, a, layer, question, {value.to_string()});
}

/// The objective of an optimum of optima_tiny.jsonl, and its values: one for a list's every goal.
std::vector<std::string> values_of(const Json& optimum) {
  std::vector<std::string> values;
  if (optimum.is_array()) {
    for (const Json& value : optimum) values.push_back(figure(value));
  } else {
    values.push_back(figure(optimum.is_object() ? optimum.at("value") : optimum));
  }
  return values;
}

/// The simulator's optimum: a mapping of that value, and the solver's mapping and bound around it.
void check_simulated(Count& count, const Architecture& a, const Workload& layer, Question question,
                     const Json& optimum) {
  question.pricing.semantics = Semantics::simulator;
  const Mapping mapping = golden::mapping(optimum.at("mapping"), a);
  const Metrics metrics = evaluate(a, layer, mapping, question.pricing);
  check_same(count,
             question.objective.value(question.objective.goals[0], metrics.latency, metrics.energy),
             optimum.at("value"));
  const Solution s = solve(a, layer, question);
  const Rational least = Rational::parse(figure(optimum.at("value")));
  REQUIRE(s.mapping);
  CHECK(s.goals[0].bound <= least);
  CHECK(s.goals[0].value >= least);
  if (s.status == Status::optimal) CHECK(s.goals[0].value == least);
  count.figures += 2;
}

/// Optima of one semantics or one contention switch, by objective.
void check_optima(Count& count, const Architecture& a, const Workload& layer,
                  const Pricing& pricing, const Json& optima) {
  for (const auto& entry : optima.items()) {
    const std::string goals = entry.key();
    CAPTURE(goals);
    Question question;
    question.pricing = pricing;
    question.objective = Objective::parse(goals);
    if (pricing.semantics != Semantics::simulator) {
      check_optimum(count, a, layer, question, values_of(entry.value()));
    } else if (entry.value().is_array()) {  // the pair begins with the optimum
      CHECK(figure(entry.value().at(0)) == figure(optima.at("latency").at("value")));
      count.figures += 2;
    } else {
      check_simulated(count, a, layer, question, entry.value());
    }
  }
}

void check_tiny(Count& count, const Json& line) {
  if (!testkit::chosen(count.lines++)) return;
  CAPTURE(line.at("id"));
  const Architecture a = golden::architecture(line.at("arch"));
  const Workload layer = golden::layer(line.at("layer"));
  for (const auto& entry : line.at("optima").items()) {
    const std::string semantics = entry.key();
    CAPTURE(semantics);
    Pricing pricing;
    pricing.semantics = semantics == "simulator" ? Semantics::simulator : semantics_of(entry.key());
    check_optima(count, a, layer, pricing, entry.value());
  }
  for (const auto& entry : line.at("contention").items()) {
    const std::string contention = entry.key();
    CAPTURE(contention);
    REQUIRE((contention == "ports" || contention == "bus"));
    Pricing pricing;
    pricing.contention = contention == "bus" ? Contention::bus : Contention::ports;
    check_optima(count, a, layer, pricing, entry.value());
  }
}

}  // namespace

TEST_CASE("golden architectures are the presets") {
  const auto folder = golden::folder();
  if (!folder) return;
  for (const std::string name : {"miredo_default", "miredo_transformer"}) {
    const Architecture preset = read_architecture(name);
    for (const std::string suffix : {".json", ".yaml"}) {
      CHECK(read_architecture((*folder / "arch" / (name + suffix)).string()) == preset);
    }
  }
}

TEST_CASE("golden layers of ResNet-18 are those of the preset") {
  const auto folder = golden::folder();
  if (!folder) return;
  std::size_t found = 0;
  const Network preset = read_network("resnet18");
  for (const Json& line : golden::lines(*folder / "baselines.jsonl")) {
    const Workload layer = golden::layer(line.at("layer"));
    CAPTURE(layer.name);
    found += static_cast<std::size_t>(
        std::ranges::count_if(preset.layers, [&](const NetworkLayer& other) {
          return other.workload.name == layer.name && same_shape(other.workload, layer);
        }));
  }
  CHECK(found == golden::lines(*folder / "baselines.jsonl").size());
}

TEST_CASE("golden evaluations") {
  const auto folder = golden::folder();
  if (!folder) return;
  Count count{"evaluations.jsonl"};
  for (const Json& line : golden::lines(*folder / "evaluations.jsonl")) {
    if (!testkit::chosen(count.lines++) && !line.contains("infeasible")) continue;
    CAPTURE(line.at("id"));
    const Architecture a = golden::architecture(line.at("arch"));
    const Workload layer = golden::layer(line.at("layer"));
    const Mapping mapping = golden::mapping(line.at("mapping"), a);
    const auto broken = find_violation(a, layer, mapping);
    if (line.contains("infeasible")) {
      REQUIRE(broken);
      CHECK(broken->rule + " " + broken->where == line.at("infeasible").get<std::string>());
      ++count.figures;
    } else {
      REQUIRE(!broken);
      check_metrics(count, a, layer, mapping, line.at("metrics"));
    }
  }
}

TEST_CASE("golden optima of tiny problems") {
  const auto folder = golden::folder();
  if (!folder) return;
  Count count{"optima_tiny.jsonl"};
  for (const Json& line : golden::lines(*folder / "optima_tiny.jsonl")) check_tiny(count, line);
}

TEST_CASE("golden optima of full-size layers" * doctest::skip(testkit::slow_build())) {
  const auto folder = golden::folder();
  if (!folder) return;
  for (const std::string file : {"full.jsonl", "restricted.jsonl", "baselines.jsonl"}) {
    Count count{file};
    for (const Json& line : golden::lines(*folder / file)) {
      check_line(count, line, line.value("baseline", ""));
    }
  }
}

TEST_CASE("golden network" * doctest::skip(testkit::slow_build())) {
  const auto folder = golden::folder();
  if (!folder) return;
  Count count{"network_edp.json"};
  std::ifstream stream(*folder / "network_edp.json");
  REQUIRE(stream);
  const Json network = Json::parse(stream);
  const Architecture a = golden::architecture(network.at("arch"));
  std::map<std::string, Workload> layers;
  for (const Json& line : golden::lines(*folder / "full.jsonl")) {
    if (line.at("arch") == network.at("arch"))
      layers[line.at("id")] = golden::layer(line.at("layer"));
  }
  Rational latency = 0;
  Rational energy = 0;
  for (const auto& name_entry : network.at("layers").items()) {
    const std::string name = name_entry.key();
    const Json& layer = name_entry.value();
    CAPTURE(name);
    const Mapping mapping = golden::mapping(layer.at("mapping"), a);
    REQUIRE(!find_violation(a, layers.at(name), mapping));
    const Metrics metrics = evaluate(a, layers.at(name), mapping);
    check_same(count, metrics.latency, layer.at("latency"));
    check_same(count, metrics.energy, layer.at("energy"));
    const Rational times = network.at("repetitions").at(name).get<std::int64_t>();
    latency += times * metrics.latency;
    energy += times * metrics.energy;
  }
  check_same(count, latency, network.at("latency"));
  check_same(count, energy, network.at("energy"));
  check_same(count, latency * energy, network.at("edp"));
  for (std::size_t i = 0; i < network.at("lines").size(); ++i) {
    if (!testkit::chosen(i)) continue;
    const Json& line = network.at("lines")[i];
    Question question;
    question.objective.goals = {Goal::blended};
    question.objective.alpha = Rational::parse(figure(line.at(0)));
    Rational least = 0;
    for (const auto& name_entry : network.at("repetitions").items()) {
      const std::string name = name_entry.key();
      const Json& times = name_entry.value();
      const Solution s = solve(a, layers.at(name), question);
      CHECK(s.status == Status::optimal);
      least += Rational(times.get<std::int64_t>()) * s.goals[0].value;
    }
    check_same(count, least, line.at(1));
  }
  ++count.lines;
}

TEST_CASE("the solver proves the EDP of the golden network" *
          doctest::skip(testkit::slow_build())) {
  const auto folder = golden::folder();
  if (!folder || !testkit::chosen(1)) return;  // one long search: not with a share
  std::ifstream stream(*folder / "network_edp.json");
  REQUIRE(stream);
  const Json golden = Json::parse(stream);
  const Architecture a = golden::architecture(golden.at("arch"));
  Network network{"resnet18", {}};
  for (const Json& line : golden::lines(*folder / "full.jsonl")) {
    const std::string id = line.at("id");
    const bool known = std::ranges::any_of(
        network.layers, [&](const NetworkLayer& layer) { return layer.workload.name == id; });
    if (known || line.at("arch") != golden.at("arch") || !golden.at("repetitions").contains(id)) {
      continue;
    }
    network.layers.push_back(
        {golden::layer(line.at("layer")), golden.at("repetitions").at(id).get<std::int64_t>()});
    network.layers.back().workload.name = id;
  }
  CHECK(network.layers.size() == golden.at("repetitions").size());
  Question question;
  question.objective = Objective::parse("edp");
  const NetworkSolution s = solve_network(a, network, question);
  CHECK(s.status == Status::optimal);
  REQUIRE(s.goals.size() == 1);
  CHECK(s.goals[0].value.to_string() == golden.at("edp").get<std::string>());
  CHECK(s.goals[0].bound == s.goals[0].value);
}

TEST_CASE("no golden file is left out") {
  const auto folder = golden::folder();
  if (!folder) return;
  const std::set<std::string> read{"README.md",         "arch",
                                   "baselines.jsonl",   "evaluations.jsonl",
                                   "full.jsonl",        "network_edp.json",
                                   "optima_tiny.jsonl", "restricted.jsonl"};
  for (const auto& entry : std::filesystem::directory_iterator(*folder)) {
    CAPTURE(entry.path().string());
    CHECK(read.contains(entry.path().filename().string()));
  }
}
