// Model, evaluator and solver against answers computed elsewhere: every line of every golden file.
#include <doctest/doctest.h>

#include <fstream>
#include <iostream>
#include <set>
#include <sstream>

#include "cim/golden.hpp"

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
    const Metrics own = evaluate(a, layer, mapping, {semantics, Contention::none, Padding::exact});
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
        evaluate(a, layer, mapping, {Semantics::recursion, contention, Padding::exact});
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

TEST_CASE("golden evaluations") {
  const auto folder = golden::folder();
  if (!folder) return;
  Count count{"evaluations.jsonl"};
  for (const Json& line : golden::lines(*folder / "evaluations.jsonl")) {
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
    ++count.lines;
  }
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
