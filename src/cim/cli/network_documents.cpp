// A network's results as JSON and as a table.
#include <algorithm>

#include "cim/cli/network_report.hpp"
#include "cim/io/formats.hpp"
#include "cim/io/result_json.hpp"
#include "files/csv.hpp"
#include "layers/graph_json.hpp"
#include "layers/workload_json.hpp"

namespace pimbb::cim::cli {
namespace {

files::Json layer_json(const Architecture& architecture, const Question& question,
                       const RunLimits& limits, const LayerSolution& layer) {
  Question own = question;
  own.objective = layer.objective;
  const files::Json document =
      io::solution_document(architecture, own, layer.workload, limits, layer.solution);
  files::Json json = files::Json::object();
  for (const auto& [key, value] : document.items()) {
    json[key] = value;
    if (key != "layer") continue;
    json["repetitions"] = layer.repetitions;
    json["weight"] = layer.workload.weight.to_double();
  }
  json["workload"] = layers::workload_json(layer.workload);
  return json;
}

files::Json totals_json(const Objective& objective, const NetworkSolution& solution) {
  const NetworkTotals& totals = solution.totals;
  files::Json json = {{"latency", totals.latency.to_double()},
                      {"energy", totals.energy.to_double()},
                      {"edp", totals.edp().to_double()},
                      {"macs", totals.macs.to_double()}};
  json["exact"] = {{"latency", totals.latency.to_string()},
                   {"energy", totals.energy.to_string()},
                   {"edp", totals.edp().to_string()},
                   {"macs", totals.macs.to_string()}};
  if (!solution.goals.empty()) json["goals"] = files::Json::array();
  for (const GoalResult& goal : solution.goals) {
    json["goals"].push_back(io::goal_json(objective, goal, true));
  }
  return json;
}

}  // namespace

std::string network_json(const Architecture& architecture, const Network& network,
                         const Question& question, const RunLimits& limits,
                         const NetworkSolution& solution, const NetworkSolution* whole) {
  SolveStatistics all;
  int threads = 1;
  files::Json layers = files::Json::array();
  for (const LayerSolution& layer : solution.layers) {
    layers.push_back(layer_json(architecture, question, limits, layer));
    all += layer.solution;
    threads = std::max(threads, layer.solution.threads);
  }
  files::Json json = files::Json::object();
  json["format"] = std::string(io::kNetworkFormat);
  json["name"] = network.name;
  json["objective"] = question.objective.to_string();
  io::add_question(json, question);
  json["status"] = std::string(name(solution.status));
  json["layers"] = std::move(layers);
  if (network.graph) json["nodes"] = layers::nodes_json(network);
  json["totals"] = totals_json(question.objective, solution);
  if (whole != nullptr) {
    json["optimum"] = {{"status", std::string(name(whole->status))},
                       {"totals", totals_json(question.objective, *whole)}};
  }
  io::add_warnings(json, architecture);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = io::stats_json(all, solution.seconds, threads, limits.timeless);
  return files::to_text(json);
}

std::string network_csv(const NetworkSolution& solution, bool timeless) {
  std::vector<std::string> names{"layer"};
  for (const Dim d : kAllDims) names.emplace_back(name(d));
  for (const char* column :
       {"repetitions", "status", "objective", "value", "bound", "gap", "latency", "energy", "edp",
        "products", "schemes", "solved", "labels"}) {
    names.emplace_back(column);
  }
  if (!timeless) names.emplace_back("seconds");
  std::string text = files::csv_header(names);
  for (const LayerSolution& layer : solution.layers) {
    const Solution& s = layer.solution;
    files::CsvRow row;
    row.add(layer.workload.name);
    for (const std::int64_t bound : layer.workload.bounds) row.add(bound);
    row.add(layer.repetitions).add(name(s.status)).add(layer.objective.to_string());
    const bool claims = s.mapping && !s.goals.empty();
    row.add(claims ? std::optional(s.goals[0].value.to_double()) : std::nullopt);
    row.add(!s.goals.empty() ? std::optional(s.goals[0].bound.to_double()) : std::nullopt);
    row.add(claims ? std::optional(s.goals[0].gap().to_double()) : std::nullopt);
    const auto figure = [&](const auto& of) {
      row.add(s.metrics ? std::optional(of(*s.metrics)) : std::nullopt);
    };
    figure([](const Metrics& m) { return m.latency.to_double(); });
    figure([](const Metrics& m) { return m.energy.to_double(); });
    figure([](const Metrics& m) { return m.edp().to_double(); });
    figure([](const Metrics& m) { return static_cast<double>(m.products); });
    row.add(static_cast<std::int64_t>(s.schemes)).add(static_cast<std::int64_t>(s.solved));
    row.add(static_cast<std::int64_t>(s.labels));
    if (!timeless) row.add(s.seconds);
    text += row.text();
  }
  return text;
}

}  // namespace pimbb::cim::cli
