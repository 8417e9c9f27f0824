// The mappings of a study, one by one, as JSON and as a table.
#include <functional>

#include "cim/cli/study_results.hpp"
#include "cim/io/formats.hpp"
#include "cim/io/result_json.hpp"
#include "files/csv.hpp"
#include "layers/workload_json.hpp"
#include "terminal/shape_columns.hpp"

namespace pimbb::cim::cli {
namespace {

/// One mapping, or a search that found none.
struct Found {
  std::string part = {};
  const Network* network = nullptr;
  std::size_t layer = 0;
  std::string goal = {};
  std::string variant = {};  ///< of the space, the contention, or the accelerator
  std::optional<Status> status = {};
  std::optional<double> value = {}, bound = {}, ratio = {};
  const Metrics* metrics = nullptr;
};

void add_solution(Found& found, const Solution& solution) {
  found.status = solution.status;
  if (!solution.goals.empty() && solution.status != Status::infeasible) {
    found.bound = solution.goals.front().bound.to_double();
    if (solution.mapping) found.value = solution.goals.front().value.to_double();
  }
  if (solution.metrics) found.metrics = &*solution.metrics;
}

using Visit = std::function<void(const Found&)>;

void visit_comparisons(const NetworkStudy& of, const Visit& visit) {
  for (const study::Comparison& each : of.comparisons) {
    for (std::size_t v = 0; v < study::kVariants.size(); ++v) {
      const Solution& solution = each.solutions[v];
      if (v > 0 && solution.status == Status::unknown && solution.goals.empty()) continue;
      Found found{.part = "spaces",
                  .network = &of.network,
                  .layer = each.layer,
                  .goal = std::string(name(each.goal)),
                  .variant = std::string(study::kVariants[v])};
      add_solution(found, solution);
      if (const auto ratio = each.ratio(v)) found.ratio = ratio->to_double();
      visit(found);
    }
  }
  for (std::size_t i = 0; i < of.table3.size(); ++i) {
    Found found{.part = "accuracy",
                .network = &of.network,
                .layer = i,
                .goal = "latency",
                .variant = "table3"};
    add_solution(found, of.table3[i]);
    visit(found);
  }
}

void visit_contended(const NetworkStudy& of, const Visit& visit) {
  for (const study::Contended& each : of.contended) {
    for (std::size_t c = 0; c < kContentionNames.size(); ++c) {
      Found found{.part = "contention",
                  .network = &of.network,
                  .layer = each.layer,
                  .goal = "latency",
                  .variant = std::string(kContentionNames[c])};
      add_solution(found, each.aware[c]);
      if (found.value) found.ratio = each.unaware[c].to_double() / *found.value;
      visit(found);
    }
  }
}

void visit_sweep(const Study& study, const NetworkStudy& of, const Visit& visit) {
  for (const study::SweepPoint& point : of.sweep) {
    for (std::size_t i = 0; i < point.layers.size(); ++i) {
      Found found{.part = "sweeps",
                  .network = &of.network,
                  .layer = i,
                  .goal = std::string(name(study.sweep_goal)),
                  .variant = point.setting.text()};
      add_solution(found, point.layers[i]);
      const Solution& original = of.sweep.front().layers[i];
      if (found.value && original.mapping && original.goals.front().value.sign() > 0) {
        found.ratio = *found.value / original.goals.front().value.to_double();
      }
      visit(found);
    }
  }
}

void visit_random(const NetworkStudy& of, const Visit& visit) {
  for (std::size_t i = 0; i < of.random.size(); ++i) {
    for (const Metrics& metrics : of.random[i]) {
      visit({.part = "accuracy",
             .network = &of.network,
             .layer = i,
             .variant = "random",
             .metrics = &metrics});
    }
  }
}

void visit_searched(const Study& study, const Visit& visit) {
  for (const NetworkStudy& of : study.networks) {
    visit_comparisons(of, visit);
    visit_contended(of, visit);
    visit_sweep(study, of, visit);
  }
}

files::Json found_json(const Found& found) {
  files::Json json = {{"part", found.part},
                      {"network", found.network->name},
                      {"layer", found.network->layers[found.layer].workload.name},
                      {"goal", found.goal},
                      {"variant", found.variant}};
  if (found.status) json["status"] = name(*found.status);
  if (found.value) json["value"] = *found.value;
  if (found.bound) json["bound"] = *found.bound;
  if (found.ratio) json["ratio"] = *found.ratio;
  if (found.metrics == nullptr) return json;
  for (std::size_t s = 0; s < kSemantics; ++s) {
    json[std::string(kSemanticsNames[s])] = found.metrics->latencies[s].to_double();
  }
  json["energy"] = found.metrics->energy.to_double();
  return json;
}

files::Json settings_json(const CorpusBench& settings) {
  files::Json json = {{"samples", settings.study.samples}, {"seed", settings.study.seed}};
  if (settings.limits.time_limit) json["time_limit"] = *settings.limits.time_limit;
  if (settings.limits.node_limit) json["node_limit"] = *settings.limits.node_limit;
  json["memory_limit"] = settings.limits.memory_limit;
  return json;
}

}  // namespace

std::string study_json(const CorpusBench& settings, const Study& study, bool complete) {
  files::Json json = files::Json::object();
  json["format"] = std::string(io::kStudyFormat);
  json["settings"] = settings_json(settings);
  json["complete"] = complete;
  json["searches"] = study.searches;
  json["limit"] = study.at_limit;
  json["tables"] = tables_json(study_sections(study));
  json["mappings"] = files::Json::array();
  visit_searched(study, [&](const Found& found) { json["mappings"].push_back(found_json(found)); });
  json["networks"] = files::Json::array();
  for (const NetworkStudy& of : study.networks) {
    files::Json layers = files::Json::array();
    for (const NetworkLayer& layer : of.network.layers) {
      files::Json workload = layers::workload_json(layer.workload);
      workload["repetitions"] = layer.repetitions;
      layers.push_back(std::move(workload));
    }
    json["networks"].push_back({{"name", of.network.name}, {"layers", std::move(layers)}});
  }
  json["architecture"] = io::architecture_json(study.architecture);
  return files::to_text(json);
}

std::string study_csv(const Study& study) {
  std::string text = files::csv_header(
      joined({{"part", "architecture", "network", "layer", "repetitions", "weight"},
              shape_names(),
              {"goal", "variant", "status", "value", "bound", "ratio"},
              {kSemanticsNames.begin(), kSemanticsNames.end()},
              {"energy"}}));
  const Visit add = [&](const Found& found) {
    const NetworkLayer& layer = found.network->layers[found.layer];
    files::CsvRow row;
    row.add(found.part).add(study.architecture_name).add(found.network->name);
    row.add(layer.workload.name).add(layer.repetitions).add(layer.workload.weight);
    add_shape(row, layer.workload);
    row.add(found.goal).add(found.variant).add(found.status ? name(*found.status) : "");
    row.add(found.value).add(found.bound).add(found.ratio);
    const Metrics* metrics = found.metrics;
    for (std::size_t s = 0; s < kSemantics; ++s) {
      row.add(metrics != nullptr ? std::optional(metrics->latencies[s].to_double()) : std::nullopt);
    }
    row.add(metrics != nullptr ? std::optional(metrics->energy.to_double()) : std::nullopt);
    text += row.text();
  };
  visit_searched(study, add);
  for (const NetworkStudy& of : study.networks) visit_random(of, add);
  return text;
}

}  // namespace pimbb::cim::cli
