// The pimbb-mapping/1 document: a layer's mapping, what it costs and how good it is proven to be.
#include <algorithm>
#include <cmath>
#include <functional>

#include "answers/limits_json.hpp"
#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/padded.hpp"

namespace pimbb::dram_pim::io {
namespace {

files::Json spatial_json(const Mapping& mapping) {
  files::Json spatial = files::Json::object();
  for (const Direction d : kAllDirections) {
    files::Json factors = files::Json::object();
    for (const Dim j : kAllDims) {
      const std::int64_t factor = mapping.spatial_in(d)[index(j)];
      if (factor != 1) factors[std::string(name(j))] = factor;
    }
    spatial[std::string(name(d))] = std::move(factors);
  }
  return spatial;
}

files::Json stores_json(const TensorFlags& stores) {
  files::Json list = files::Json::array();
  for (const Tensor t : kAllTensors) {
    if (stores[index(t)]) list.push_back(name(t));
  }
  return list;
}

/// Value, bound and gap of a goal; `name` comes first in the object already.
void add_goal(files::Json& object, Goal goal, const Objective& objective, const GoalResult* result,
              bool has_value) {
  Figures figures;
  if (result != nullptr && has_value) figures.add("value", result->value);
  if (result != nullptr) figures.add("bound", result->bound);
  if (result != nullptr && has_value) figures.add("gap", result->gap());
  if (traits(goal).weighted) {
    figures.add("alpha", objective.alpha);
    figures.add("beta", objective.beta);
  }
  object.update(figures.numbers);
  if (!figures.exact.empty()) object["exact"] = std::move(figures.exact);
}

}  // namespace

files::Json objective_json(const Question& question, const Solution& solution) {
  const Objective& objective = question.objective;
  const bool has_value = solution.mapping.has_value();
  files::Json first = files::Json::object();
  files::Json then = files::Json::array();
  for (std::size_t i = 0; i < objective.goals.size(); ++i) {
    const Goal goal = objective.goals[i];
    // An infeasible problem has no bound: nothing is bounded.
    const bool known = i < solution.goals.size() && solution.status != Status::infeasible;
    files::Json object = files::Json::object();
    object["name"] = name(goal);
    if (i == 0) object["row_model"] = name(question.row_model);
    add_goal(object, goal, objective, known ? &solution.goals[i] : nullptr, has_value);
    if (i == 0) {
      first = std::move(object);
    } else {
      then.push_back(std::move(object));
    }
  }
  first["then"] = std::move(then);
  answers::add_limits(first, question.caps);
  return first;
}

namespace {

/// Only a feasible mapping has a dataflow.
void add_dataflow(files::Json& json, const Architecture& architecture, const Workload& workload,
                  const Mapping& mapping) {
  if (find_violation(architecture, workload, mapping)) return;
  json["dataflow"] = dataflow_json(architecture, analyse_dataflow(architecture, workload, mapping));
}

}  // namespace

std::string reason_of(const Solution& solution) {
  if (!solution.reason.empty()) return solution.reason;
  return solution.status == Status::infeasible ? "no mapping is feasible"
                                               : "a limit was hit before any mapping was found";
}

namespace {

/// The bounds that differ from the layer's.
files::Json grown_json(const Workload& workload, const Factors& bounds) {
  files::Json grown = files::Json::object();
  for (const Dim d : kAllDims) {
    if (bounds[index(d)] != workload.bound(d)) grown[std::string(name(d))] = bounds[index(d)];
  }
  return grown;
}

files::Json hint_json(const Workload& workload, const PaddingHint& hint) {
  Figures figures;
  figures.add("value", hint.value);
  files::Json json = files::Json::object();
  json["bounds"] = grown_json(workload, hint.bounds);
  json.update(figures.numbers);
  json["exact"] = std::move(figures.exact);
  return json;
}

}  // namespace

void add_padded(files::Json& json, const Workload& workload, const Factors& bounds) {
  if (bounds == workload.bounds && !workload.padding) return;
  json["padded"] = grown_json(workload, bounds);
}

files::Json loops_json(const std::vector<Loop>& loops) {
  files::Json list = files::Json::array();
  for (const Loop& loop : loops) list.push_back(files::Json::array({name(loop.dim), loop.factor}));
  return list;
}

files::Json mapping_json(const Architecture& architecture, const Mapping& mapping) {
  files::Json temporal = files::Json::array();
  files::Json stores = files::Json::object();
  for (std::size_t m = 0; m < architecture.levels.size(); ++m) {
    const std::string& level = architecture.levels[m].name;
    files::Json loops = files::Json::object();
    loops["level"] = level;
    loops["loops"] = loops_json(mapping.levels[m].loops);
    temporal.push_back(std::move(loops));
    stores[level] = stores_json(mapping.levels[m].stores);
  }
  files::Json layout = files::Json::object();
  for (const Tensor t : kAllTensors) {
    layout[std::string(name(t))] = kLayoutNames[static_cast<std::size_t>(mapping.layout[index(t)])];
  }
  files::Json json = files::Json::object();
  json["spatial"] = spatial_json(mapping);
  json["temporal"] = std::move(temporal);
  json["stores"] = std::move(stores);
  json["layout"] = std::move(layout);
  if (mapping.layout[index(Tensor::input)] == Layout::row_aligned) {
    json["input_block"] = files::Json::object();
    json["input_block"]["h"] = mapping.input_block.h;
    json["input_block"]["w"] = mapping.input_block.w;
  } else if (architecture.has_free_input_order()) {
    json["input_order"] = name(mapping.input_order);
  }
  return json;
}

files::Json statistics_json(const SolveStatistics& statistics) {
  files::Json json = files::Json::object();
  json["nodes"] = statistics.nodes;
  json["leaves"] = statistics.leaves;
  json["choices"] = statistics.choices;
  json["lp_solves"] = statistics.lp_solves;
  json["lp_iterations"] = statistics.lp_iterations;
  json["seam_tables"] = statistics.seam_tables;
  json["known_seam_tables"] = statistics.known_seam_tables;
  if (statistics.bounds > 0) {
    json["bounds"] = statistics.bounds;
    json["bounds_searched"] = statistics.bounds_searched;
  }
  json["memory"] = statistics.memory;
  return json;
}

files::Json stats_json(const SolveStatistics& statistics, double seconds, int threads,
                       bool timeless) {
  files::Json json = statistics_json(statistics);
  if (timeless) return json;
  json["seconds"] = std::round(seconds * 1e6) / 1e6;
  json["threads"] = threads;
  return json;
}

namespace {

files::Json goal_distances_json(const Distance& distance) {
  files::Json list = files::Json::array();
  for (std::size_t k = 0; k < distance.goals.size(); ++k) {
    const GoalDistance& g = distance.goals[k];
    Figures figures;
    figures.add("value", g.value);
    if (g.best) figures.add("best", *g.best);
    figures.add("bound", g.bound);
    if (!distance.decided_by || k <= *distance.decided_by) {  // a distance at all
      if (const auto ratio = g.ratio()) figures.add("ratio", *ratio);
      figures.add("gap", g.gap());
    }
    files::Json json = {{"name", name(g.goal)}};
    json.update(figures.numbers);
    json["exact"] = std::move(figures.exact);
    list.push_back(std::move(json));
  }
  return list;
}

}  // namespace

void add_distance(files::Json& json, const Distance& distance) {
  json["standing"] = kStandingNames[static_cast<std::size_t>(distance.standing)];
  json["certified"] = distance.certified();
  json["decided_by"] = nullptr;
  if (distance.decided_by) json["decided_by"] = name(distance.goals[*distance.decided_by].goal);
  json["goals"] = goal_distances_json(distance);
}

void add_warnings(files::Json& json, const Architecture& architecture) {
  if (!architecture.warnings.empty()) json["warnings"] = architecture.warnings;
}

files::Json solution_document(const Architecture& architecture, const Workload& workload,
                              const Question& question, const RunLimits& limits,
                              const Solution& solution) {
  files::Json json = files::Json::object();
  json["format"] = kMappingFormat;
  json["layer"] = workload.name;
  json["method"] = name(question.method);
  if (question.method == Method::random) {
    json["seed"] = question.seed;
    json["samples"] = question.samples;
  }
  json["status"] = name(solution.status);
  json["objective"] = objective_json(question, solution);
  if (question.constraints.any()) {
    json["constraints"] = constraints_json(architecture, question.constraints);
  }
  if (!solution.mapping) json["reason"] = reason_of(solution);
  if (solution.mapping) {
    const Workload mapped = mapped_layer(workload, solution);
    add_padded(json, workload, mapped.bounds);
    json["mapping"] = mapping_json(architecture, *solution.mapping);
    json["metrics"] = metrics_json(architecture, mapped, *solution.mapping, *solution.metrics);
    add_dataflow(json, architecture, mapped, *solution.mapping);
  }
  if (solution.padding_hint) json["padding_hint"] = hint_json(workload, *solution.padding_hint);
  json["workload"] = layers::workload_json(workload);
  json["stats"] = stats_json(solution, solution.seconds, solution.threads, limits.timeless);
  return json;
}

namespace {

/// The bounds that a mapping is of: its factors' products if they pad the layer's bounds.
Factors bounds_of(const Architecture& architecture, const Workload& workload,
                  const Mapping& mapping) {
  const Factors tile = mapping.tile(architecture.dram());
  const bool pads = std::ranges::equal(tile, workload.bounds, std::ranges::greater_equal{});
  return pads ? tile : workload.bounds;
}

}  // namespace

files::Json evaluation_document(const Architecture& architecture, const Workload& workload,
                                RowModel row_model, const Mapping& mapping,
                                const Metrics& metrics) {
  const Workload mapped = with_bounds(workload, bounds_of(architecture, workload, mapping));
  files::Json json = files::Json::object();
  json["format"] = kMappingFormat;
  json["layer"] = workload.name;
  json["row_model"] = name(row_model);
  add_padded(json, workload, mapped.bounds);
  json["mapping"] = mapping_json(architecture, mapping);
  json["metrics"] = metrics_json(architecture, mapped, mapping, metrics);
  add_dataflow(json, architecture, mapped, mapping);
  add_warnings(json, architecture);
  json["workload"] = layers::workload_json(workload);
  json["architecture"] = architecture_json(architecture);
  return json;
}

}  // namespace pimbb::dram_pim::io

namespace pimbb::dram_pim {

std::string solution_json(const Architecture& architecture, const Workload& workload,
                          const Question& question, const RunLimits& limits,
                          const Solution& solution) {
  files::Json json = io::solution_document(architecture, workload, question, limits, solution);
  io::add_warnings(json, architecture);
  files::Json stats = std::move(json["stats"]);
  json.erase("stats");
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = std::move(stats);
  return files::to_text(json);
}

std::string evaluation_json(const Architecture& architecture, const Workload& workload,
                            RowModel row_model, const Mapping& mapping, const Metrics& metrics) {
  return files::to_text(
      io::evaluation_document(architecture, workload, row_model, mapping, metrics));
}

}  // namespace pimbb::dram_pim
