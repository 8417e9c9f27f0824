// The pimbb-cim-mapping/1 document: a layer's mapping, what it costs and how good it is proven to
// be.
#include <cmath>

#include "answers/limits_json.hpp"
#include "cim/io/formats.hpp"
#include "cim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/cim/io.hpp"

namespace pimbb::cim::io {

using files::Json;

namespace {

std::string text(std::string_view view) { return std::string(view); }

}  // namespace

Json mapping_json(const Architecture& a, const Mapping& mapping) {
  Json spatial = Json::object();
  for (std::size_t u = 0; u < a.axes.size(); ++u) {
    Json factors = Json::object();
    for (const Dim d : kAllDims) {
      if (mapping.spatial[u][index(d)] > 1) factors[text(name(d))] = mapping.spatial[u][index(d)];
    }
    if (!factors.empty()) spatial[a.axes[u].name] = std::move(factors);
  }
  Json loops = Json::array();
  for (const Loop& loop : mapping.loops) {
    Json row = Json::array({text(name(loop.dim)), loop.factor});
    for (const std::uint8_t level : loop.level) row.push_back(a.levels[level].name);
    loops.push_back(std::move(row));
  }
  Json doubled = Json::object();
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    Json tensors = Json::array();
    for (const Tensor t : kAllTensors) {
      if (mapping.doubled[m][index(t)]) tensors.push_back(text(name(t)));
    }
    if (!tensors.empty()) doubled[a.levels[m].name] = std::move(tensors);
  }
  Json json = Json::object();
  json["spatial"] = std::move(spatial);
  json["loops"] = std::move(loops);
  json["double"] = std::move(doubled);
  return json;
}

namespace {

/// What is not 0, as {LEVEL: {TENSOR: value}} inside `json`.
template <class Table, class Value>
void add_levels(Json& json, const Architecture& a, const Table& table, const Value& value) {
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    Json tensors = Json::object();
    for (const Tensor t : kAllTensors) {
      const Rational number = value(table[m][index(t)]);
      if (number.sign() != 0) tensors[text(name(t))] = number.to_double();
    }
    if (!tensors.empty()) json[a.levels[m].name] = std::move(tensors);
  }
}

Json transfers_json(const Architecture& a, const Metrics& metrics) {
  Json list = Json::array();
  for (const Transfer& t : metrics.transfers) {
    Json json = Json::object();
    json["operand"] = text(name(t.tensor));
    json["from"] = a.levels[t.from].name;
    json["to"] = t.to ? a.levels[*t.to].name : std::string("MAC");
    json["loop"] = t.loop;
    json["tile"] = t.tile;
    json["bits"] = t.bits;
    json["fires"] = t.fires;
    json["cycles"] = t.cycles.to_string();
    json["hidden"] = t.hidden;
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

Json metrics_json(const Architecture& a, const Metrics& metrics) {
  Json json = Json::object();
  json["exact"] = {{"latency", metrics.latency.to_string()},
                   {"energy", metrics.energy.to_string()},
                   {"edp", metrics.edp().to_string()}};
  json["products"] = metrics.products;
  Json latency = Json::object();
  for (std::size_t s = 0; s < kSemantics; ++s) {
    latency[text(kSemanticsNames[s])] = metrics.latencies[s].to_double();
  }
  json["latency"] = std::move(latency);
  Json energy = Json::object();
  energy["activation"] = metrics.activation_energy.to_double();
  energy["leakage"] = metrics.leakage_energy.to_double();
  add_levels(energy, a, metrics.levels, [](const LevelEnergy& e) { return e.total(); });
  json["energy"] = std::move(energy);
  Json busy = Json::object();
  add_levels(busy, a, metrics.busy, [](const Rational& cycles) { return cycles; });
  json["busy"] = std::move(busy);
  json["transfers"] = transfers_json(a, metrics);
  Json utilization = Json::object();
  for (std::size_t u = 0; u < a.axes.size(); ++u) {
    utilization[a.axes[u].name] = metrics.utilization[u].to_double();
  }
  json["utilization"] = std::move(utilization);
  return json;
}

Json goal_json(const Objective& objective, const GoalResult& result, bool has_value) {
  Json json = Json::object();
  json["name"] = text(name(result.goal));
  if (has_value) json["value"] = result.value.to_double();
  json["bound"] = result.bound.to_double();
  if (has_value) json["gap"] = result.gap().to_double();
  if (result.goal == Goal::blended) {
    json["alpha"] = objective.alpha.to_double();
    json["beta"] = objective.beta.to_double();
  }
  json["exact"] = Json::object();
  if (has_value) json["exact"]["value"] = result.value.to_string();
  json["exact"]["bound"] = result.bound.to_string();
  return json;
}

void add_question(Json& json, const Question& question) {
  const auto word = [](const auto& names, auto value) {
    return text(names[static_cast<std::size_t>(value)]);
  };
  json["method"] = word(kMethodNames, question.method);
  json["semantics"] = text(name(question.pricing.semantics));
  json["contention"] = text(name(question.pricing.contention));
  json["pad"] = text(name(question.pricing.padding));
  json["space"] = {{"factors", word(kFactorRuleNames, question.factors)},
                   {"schemes", word(kSchemeRuleNames, question.schemes)},
                   {"double", word(kDoubleRuleNames, question.doubling)}};
}

void add_warnings(Json& json, const Architecture& architecture) {
  if (!architecture.warnings.empty()) json["warnings"] = architecture.warnings;
}

Json stats_json(const SolveStatistics& statistics, double seconds, int threads, bool timeless) {
  Json stats = Json::object();
  stats["schemes"] = statistics.schemes;
  stats["solved"] = statistics.solved;
  stats["states"] = statistics.states;
  stats["labels"] = statistics.labels;
  stats["candidates"] = statistics.candidates;
  stats["memory"] = statistics.memory;
  if (!timeless) {
    stats["seconds"] = std::round(seconds * 1e6) / 1e6;
    stats["threads"] = threads;
  }
  return stats;
}

namespace {

Json objective_json(const Question& question, const Solution& solution) {
  Json first = Json::object();
  Json then = Json::array();
  for (std::size_t g = 0; g < solution.goals.size(); ++g) {
    Json json = goal_json(question.objective, solution.goals[g], solution.mapping.has_value());
    if (g == 0) {
      first = std::move(json);
    } else {
      then.push_back(std::move(json));
    }
  }
  if (solution.goals.empty()) first["name"] = question.objective.to_string();
  first["then"] = std::move(then);
  answers::add_limits(first, question.caps);
  return first;
}

}  // namespace

Json solution_document(const Architecture& architecture, const Question& question,
                       const Workload& workload, const RunLimits& limits,
                       const Solution& solution) {
  Json json = Json::object();
  json["format"] = text(kMappingFormat);
  json["layer"] = workload.name;
  add_question(json, question);
  json["status"] = text(name(solution.status));
  json["objective"] = objective_json(question, solution);
  if (!solution.reason.empty()) json["reason"] = solution.reason;
  if (solution.mapping) json["mapping"] = mapping_json(architecture, *solution.mapping);
  if (solution.metrics) json["metrics"] = metrics_json(architecture, *solution.metrics);
  json["stats"] = stats_json(solution, solution.seconds, solution.threads, limits.timeless);
  return json;
}

}  // namespace pimbb::cim::io

namespace pimbb::cim {

std::string solution_json(const Architecture& architecture, const Workload& workload,
                          const Question& question, const RunLimits& limits,
                          const Solution& solution) {
  files::Json json = io::solution_document(architecture, question, workload, limits, solution);
  io::add_warnings(json, architecture);
  json["workload"] = layers::workload_json(workload);
  json["architecture"] = io::architecture_json(architecture);
  return files::to_text(json);
}

std::string evaluation_json(const Architecture& architecture, const Workload& workload,
                            const Mapping& mapping, const Metrics& metrics) {
  files::Json json = files::Json::object();
  json["format"] = std::string(io::kMappingFormat);
  json["layer"] = workload.name;
  json["semantics"] = std::string(name(metrics.pricing.semantics));
  json["contention"] = std::string(name(metrics.pricing.contention));
  json["pad"] = std::string(name(metrics.pricing.padding));
  json["mapping"] = io::mapping_json(architecture, mapping);
  json["metrics"] = io::metrics_json(architecture, metrics);
  io::add_warnings(json, architecture);
  json["workload"] = layers::workload_json(workload);
  json["architecture"] = io::architecture_json(architecture);
  return files::to_text(json);
}

}  // namespace pimbb::cim
