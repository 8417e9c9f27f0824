// Every line of every golden file of crossbars: estimates of mappings, the fitness that the tool of
// PIMCOMP computed for its own, partitions, and optima of tiny problems by exhaustion.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>

#include "crossbar/assign/bounds.hpp"
#include "crossbar/cost/energy.hpp"
#include "crossbar/cost/latency.hpp"
#include "crossbar/cost/tool.hpp"
#include "crossbar/exhaustion.hpp"
#include "crossbar/golden.hpp"
#include "crossbar/partition/placement.hpp"
#include "crossbar/stream_checker.hpp"
#include "pimbb/crossbar.hpp"
#include "support/cases.hpp"

using namespace pimbb;
using namespace pimbb::crossbar;
using golden::Json;

namespace {

/// Doubles of the golden files have 12 digits.
bool agrees(const Rational& value, const Json& expected, double relative = 2e-11) {
  const double wanted = expected.get<double>();
  const double found = value.to_double();
  CAPTURE(found);
  CAPTURE(wanted);
  return std::abs(found - wanted) <= relative * std::max(1.0, std::abs(wanted));
}

struct Line {
  Architecture a;
  Partition p;
};

Line problem(const Json& line, const std::filesystem::path& folder) {
  Architecture a = golden::architecture(line.at("arch"));
  Partition p = make_partition(a, golden::graph(line.at("net"), folder));
  return {std::move(a), std::move(p)};
}

void check_throughput(const Metrics& m, const Json& result) {
  CHECK(m.ht == result.at("ht").get<std::int64_t>());
  CHECK(m.ht_code == result.at("ht_code").get<std::int64_t>());
  const Json& roof = result.at("ht_roof");
  CHECK(m.ht_roof == roof.at("value").get<std::int64_t>());
  CHECK(m.roofs.memory == roof.at("memory").get<std::int64_t>());
  CHECK(m.roofs.bus == roof.at("bus").get<std::int64_t>());
  CHECK(m.roofs.link == roof.at("link").get<std::int64_t>());
  for (std::size_t i = 0; i < kClosedPolicies.size(); ++i) {
    CHECK(m.peaks[i].bytes ==
          result.at("peak_ht").at(std::string(kClosedPolicies[i])).get<std::int64_t>());
  }
}

void check_latency(const Latency& latency, const Json& result) {
  CHECK(agrees(latency.ll, result.at("ll")));
  CHECK(agrees(latency.ll_paper, result.at("ll_paper")));
  CHECK(agrees(latency.rounds, result.at("ll_rounds")));
  CHECK(latency.round == result.at("ll_round").get<std::int64_t>());
  CHECK(agrees(latency.ll_code(), result.at("ll_code")));
}

void check_busy(const Busy& busy, const Energy& energy, const Json& simulation) {
  CHECK(busy.memory == simulation.at("memory_busy").get<std::int64_t>());
  CHECK(busy.bus == simulation.at("bus_busy").get<std::int64_t>());
  CHECK(busy.vector == simulation.at("vector_busy").get<std::int64_t>());
  CHECK(agrees(energy.dynamic, simulation.at("dynamic_pj")));
}

/// What a simulation says that follows without one: busy times and energy.
void check_energy(const Line& at, const Metrics& m, const Json& result) {
  Rational on;
  for (const std::int64_t time : m.core_times) on += time;
  CHECK(agrees(cost::core_standing(at.a, on), result.at("ht_static_pj")));
  CHECK(m.energy.standing == cost::core_standing(at.a, on) + cost::shared_standing(at.a, m.ht));
  if (result.contains("sim_ht")) check_busy(m.busy, m.energy, result.at("sim_ht"));
  if (result.contains("sim_ll"))
    check_busy(m.latency->busy, m.latency->energy, result.at("sim_ll"));
}

void check_simulation(const Line& at, const Simulation& s, const Json& expected) {
  CHECK(s.time == expected.at("time").get<std::int64_t>());
  CHECK(s.instructions == expected.at("instructions").get<std::int64_t>());
  check_busy(s.busy, s.energy, expected);
  CHECK(agrees(s.energy.standing, expected.at("static_pj")));
  std::int64_t products = 0;  // of crossbars
  for (const ArrayNode& array : at.p.arrays) products += array.groups * array.width * array.windows;
  CHECK(products == expected.at("crossbar_mvms").get<std::int64_t>());
}

/// Both schedules, and the one where array groups take turns at blocks.
void check_simulations(const Line& at, const Mapping& mapping, const Json& result) {
  const Simulation ht = simulate(at.a, at.p, mapping, {Mode::ht, Policy::add});
  check_simulation(at, ht, result.at("sim_ht"));
  CHECK(simulated_bound(at.a, at.p, Mode::ht).best() <=
        result.at("sim_ht").at("time").get<std::int64_t>());
  CHECK(simulated_bound(at.a, at.p, Mode::ll).best() <=
        result.at("sim_ll").at("time").get<std::int64_t>());
  CHECK(ht.live.bytes == result.at("peak_ht").at("live").get<std::int64_t>());
  const Simulation reuse = simulate(at.a, at.p, mapping, {Mode::ht, Policy::ag});
  CHECK(reuse.time == result.at("sim_ht").at("time_ag_reuse").get<std::int64_t>());
  check_simulation(at, simulate(at.a, at.p, mapping, {Mode::ll, Policy::add}), result.at("sim_ll"));
}

/// The streams of a small network, by rules.
void check_streams(const Line& at, const Mapping& mapping) {
  for (const ScheduleOptions options :
       {ScheduleOptions{Mode::ht, Policy::add}, ScheduleOptions{Mode::ht, Policy::ag},
        ScheduleOptions{Mode::ll, Policy::add}}) {
    const auto lines = testkit::stream_lines(at.a, at.p, mapping, options);
    CHECK(testkit::stream_complaints(at.a, at.p, mapping, options, lines) ==
          std::vector<std::string>{});
  }
}

struct Counts {
  std::size_t lines = 0;
  std::size_t simulated = 0;  // in three schedules each
  std::size_t judged = 0;     // streams of three schedules each
};

/// Compares the lines of a file with mappings and results.
Counts check_evaluations(const std::filesystem::path& file) {
  Counts counts;
  const std::vector<Json> all = golden::lines(file);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i + 1);
    const Line at = problem(all[i], file.parent_path());
    const Mapping mapping = golden::mapping(all[i], at.a, at.p);
    const Json& result = all[i].at("result");
    CHECK(!find_violation(at.a, at.p, mapping));
    CHECK(result.at("legal").get<std::string>().empty());
    const Metrics m = evaluate(at.a, at.p, mapping);
    REQUIRE(m.latency);
    check_throughput(m, result);
    check_latency(*m.latency, result);
    check_energy(at, m, result);
    ++counts.lines;
    if (!result.contains("sim_ht") || !testkit::chosen(i)) continue;
    check_simulations(at, mapping, result);
    ++counts.simulated;
    if (!all[i].at("net").is_object()) continue;
    check_streams(at, mapping);
    ++counts.judged;
  }
  return counts;
}

void report(const std::string& file, std::size_t compared) {
  std::cout << "golden/crossbar/" << file << ": " << compared << " lines compared\n";
}

}  // namespace

TEST_CASE("estimates of given mappings" * doctest::skip(testkit::slow_build())) {
  const auto folder = golden::folder();
  if (!folder) return;
  for (const std::string file : {"evaluations.jsonl", "best_known.jsonl"}) {
    CAPTURE(file);
    const Counts counts = check_evaluations(*folder / file);
    report(file, counts.lines);
    std::cout << "  of these, simulated in three schedules: " << counts.simulated
              << ", with streams judged by their rules: " << counts.judged << "\n";
  }
}

TEST_CASE("the tool's own fitness, and the results of its runs") {
  const auto folder = golden::folder();
  if (!folder) return;
  const std::vector<Json> all = golden::lines(*folder / "tool_fitness.jsonl");
  std::set<std::string> best;  // of the runs whose results are listed
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i + 1);
    const Line at = problem(all[i], *folder);
    const Metrics m = evaluate(at.a, at.p, golden::mapping(all[i], at.a, at.p));
    const Json& tool = all[i].at("tool");
    const bool ht = tool.at("mode") == "ht_code";
    REQUIRE((ht || tool.at("mode") == "ll_code"));
    if (ht) {
      CHECK(m.ht_code == tool.at("fitness").get<double>());
    } else {
      CHECK(agrees(m.latency->ll_code(), tool.at("fitness"), 1e-6));
    }
    if (tool.at("ga_best").get<bool>()) {
      best.insert(at.p.graph.name + tool.at("mode").dump() + tool.at("seed").dump() +
                  tool.at("fitness").dump());
    }
  }
  report("tool_fitness.jsonl", all.size());
  std::ifstream stream(*folder / "ga_tool.json");
  const Json runs = Json::parse(stream).at("runs");
  for (const Json& run : runs) {
    CHECK(best.contains(run.at("net").get<std::string>() + run.at("mode").dump() +
                        run.at("seed").dump() + run.at("fitness").dump()));
  }
  report("ga_tool.json", runs.size());
}

TEST_CASE("partitions of whole networks") {
  const auto folder = golden::folder();
  if (!folder) return;
  const std::vector<Json> all = golden::lines(*folder / "partition.jsonl");
  for (const Json& line : all) {
    const std::string name = line.at("net").get<std::string>();
    CAPTURE(name);
    const Partition p = make_partition(golden::architecture(Json::object()),
                                       golden::graph("networks/" + name + ".json", *folder));
    Json nodes = Json::array();
    std::int64_t groups = 0;
    std::int64_t crossbars = 0;
    std::int64_t products = 0;
    for (const ArrayNode& array : p.arrays) {
      nodes.push_back(Json::array({array.node, array.groups, array.width, array.windows}));
      groups += array.groups;
      crossbars += array.groups * array.width;
      products += array.groups * array.windows;
    }
    CHECK(nodes == line.at("nodes"));
    CHECK(groups == line.at("AGs").get<std::int64_t>());
    CHECK(crossbars == line.at("crossbars").get<std::int64_t>());
    CHECK(products == line.at("mvms").get<std::int64_t>());
  }
  report("partition.jsonl", all.size());
}

namespace {

/// The mapping that is given as the optimum of a goal.
Metrics witness(const Line& at, const Json& optimum) {
  return evaluate(at.a, at.p, golden::mapping(optimum, at.a, at.p));
}

Rational latency_of(const Line& at, const testkit::Replication& replication, cost::RateRule rule) {
  return cost::latency(at.a, at.p, {replication, {}}, rule);
}

void check_witnesses(const Line& at, const Json& optimum) {
  CHECK(witness(at, optimum.at("ht")).ht == optimum.at("ht").at("value").get<std::int64_t>());
  const auto latency = [&](const char* key) { return *witness(at, optimum.at(key)).latency; };
  CHECK(agrees(latency("ll").ll, optimum.at("ll").at("value")));
  CHECK(agrees(latency("ll_paper").ll_paper, optimum.at("ll_paper").at("value")));
  if (!optimum.contains("ht_code")) return;
  CHECK(witness(at, optimum.at("ht_code")).ht_code ==
        optimum.at("ht_code").at("value").get<std::int64_t>());
  CHECK(agrees(latency("ll_code").ll_code(), optimum.at("ll_code").at("value")));
}

/// No legal mapping is better than the witnesses; `replications` are all that fit by size.
void check_by_exhaustion(const Line& at, const Json& optimum,
                         const std::vector<testkit::Replication>& replications) {
  const std::int64_t ht = witness(at, optimum.at("ht")).ht;
  const Rational ll = witness(at, optimum.at("ll")).latency->ll;
  const Rational paper = witness(at, optimum.at("ll_paper")).latency->ll_paper;
  for (const testkit::Replication& replication : replications) {
    CAPTURE(Json(replication).dump());
    std::int64_t load = 0;
    std::int64_t cycles = 0;
    for (std::size_t v = 0; v < replication.size(); ++v) {
      cycles = std::max(cycles, partition::cycles(at.p.arrays[v], replication[v]));
      load += at.p.arrays[v].groups * replication[v] *
              partition::cycles(at.p.arrays[v], replication[v]) * at.a.mvm.interval;
    }
    const bool too_slow = cycles * at.a.mvm.time >= ht || load >= ht * at.a.all_cores();
    if (!too_slow) CHECK(!testkit::fits(at.a, at.p, replication, ht));
    const bool quicker = latency_of(at, replication, cost::RateRule::provider) < ll ||
                         latency_of(at, replication, cost::RateRule::paper) < paper;
    if (quicker) CHECK(!testkit::fits(at.a, at.p, replication, std::nullopt));
  }
}

/// The least of both estimates of the tool over all placements.
void check_tool_optima(const Line& at, const Json& optimum,
                       const std::vector<testkit::Replication>& replications) {
  std::int64_t throughput = std::numeric_limits<std::int64_t>::max();
  std::optional<Rational> latency;
  for (const testkit::Replication& replication : replications) {
    const Rational rounds = cost::ToolRounds(at.p).rounds(replication);
    testkit::for_each_mapping(at.a, at.p, replication, [&](const Mapping& mapping) {
      throughput = std::min(throughput, cost::tool_throughput(at.a, at.p, mapping));
      const Rational value = rounds * Rational(cost::tool_round(at.a, at.p, mapping));
      if (!latency || value < *latency) latency = value;
    });
  }
  CHECK(throughput == optimum.at("ht_code").at("value").get<std::int64_t>());
  REQUIRE(latency);
  CHECK(agrees(*latency, optimum.at("ll_code").at("value")));
}

}  // namespace

TEST_CASE("optima of tiny problems") {
  const auto folder = golden::folder();
  if (!folder) return;
  const std::vector<Json> all = golden::lines(*folder / "optima_tiny.jsonl");
  std::size_t of_tool = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i + 1);
    const Line at = problem(all[i], *folder);
    const Json& optimum = all[i].at("optimum");
    const auto replications = testkit::replications(at.a, at.p);
    if (optimum.at("status") == "infeasible") {
      for (const auto& replication : replications) {
        CHECK(!testkit::fits(at.a, at.p, replication, std::nullopt));
      }
      continue;
    }
    REQUIRE(optimum.at("status") == "optimal");
    check_witnesses(at, optimum);
    check_by_exhaustion(at, optimum, replications);
    if (!optimum.contains("ht_code") || replications.size() > 100) continue;
    check_tool_optima(at, optimum, replications);
    ++of_tool;
  }
  report("optima_tiny.jsonl", all.size());
  std::cout << "  of these, the optima of ht-code and ll-code by exhaustion: " << of_tool << "\n";
}

TEST_CASE("bounds of whole networks, and the mappings that meet them") {
  const auto folder = golden::folder();
  if (!folder) return;
  const std::vector<Json> all = golden::lines(*folder / "bounds.jsonl");
  const std::vector<Json> mappings = golden::lines(*folder / "best_known.jsonl");
  for (const Json& line : all) {
    const std::string name = line.at("net").get<std::string>();
    const std::string file = "networks/" + name + ".json";
    CAPTURE(name);
    const Architecture a = golden::architecture({{"t_mvm", line.at("t_mvm")}});
    const Partition p = make_partition(a, golden::graph(file, *folder));
    const auto bounds = assign::throughput_bounds(assign::Problem(a, p));
    REQUIRE(bounds);
    const Json& ht = line.at("ht");
    CHECK(bounds->load == ht.at("B1").get<std::int64_t>());
    CHECK(bounds->cycles == ht.at("B2").get<std::int64_t>());
    CHECK(bounds->mandatory == ht.at("B4").get<std::int64_t>());
    const auto best = ht.at("best").get<std::int64_t>();
    CHECK(bounds->best() == best);
    for (const Json& known : mappings) {
      if (known.at("net") != file || known.at("arch").value("t_mvm", 800) != line.at("t_mvm")) {
        continue;
      }
      const Metrics m = evaluate(a, p, golden::mapping(known, a, p));
      CHECK(m.ht >= best);
      CHECK(m.ht_code >= m.ht);
      CHECK(m.latency->ll.to_double() >= line.at("ll").get<double>());
      CHECK(m.latency->ll_paper >= m.latency->ll);
    }
  }
  report("bounds.jsonl", all.size());
}

TEST_CASE("no golden file is left out") {
  const auto folder = golden::folder();
  if (!folder) return;
  std::set<std::string> found;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*folder)) {
    if (entry.is_regular_file()) {
      found.insert(std::filesystem::relative(entry.path(), *folder).string());
    }
  }
  CHECK(found ==
        std::set<std::string>{"README.md", "best_known.jsonl", "bounds.jsonl", "evaluations.jsonl",
                              "ga_tool.json", "networks/googlenet.json", "networks/resnet18.json",
                              "networks/squeezenet.json", "networks/vgg16.json",
                              "optima_tiny.jsonl", "partition.jsonl", "tool_fitness.jsonl"});
}
