// The pimbb-sensitivity/1 document: how the optimum of a layer depends on the accelerator's
// figures.
#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/dram_pim/io.hpp"

namespace pimbb::dram_pim {
namespace {

files::Json end_json(const StayEnd& end) {
  files::Json json = files::Json::object();
  json["reason"] = name(end.reason);
  json["proven"] = files::exact_number(end.proven);
  if (end.beyond) json["beyond"] = files::exact_number(*end.beyond);
  if (end.next) json["next"] = *end.next;
  return json;
}

files::Json next_json(const NextStep& step) {
  files::Json json = files::Json::object();
  json["reason"] = name(step.reason);
  json["at"] = step.at;
  if (step.value) json["value"] = files::exact_number(*step.value);
  if (step.solution) json["mapping"] = *step.solution;
  return json;
}

files::Json piece_json(const RangePiece& piece) {
  files::Json json = files::Json::object();
  json["from"] = files::exact_number(piece.from);
  json["to"] = files::exact_number(piece.to);
  json["value_from"] = files::exact_number(piece.value_from);
  json["value_to"] = files::exact_number(piece.value_to);
  json["mapping"] = piece.solution;
  json["proven"] = piece.proven;
  return json;
}

files::Json size_step_json(const SizeStep& step) {
  files::Json json = files::Json::object();
  json["from"] = step.from;
  json["to"] = step.to;
  if (step.value) json["value"] = files::exact_number(*step.value);
  if (step.solution) json["mapping"] = *step.solution;
  return json;
}

files::Json figure_json(const FigureSensitivity& figure) {
  files::Json json = files::Json::object();
  json["parameter"] = figure.path;
  json["kind"] = name(figure.kind);
  json["unit"] = figure.unit;
  json["today"] = files::exact_number(figure.today);
  json["status"] = figure.complete ? "complete" : "partial";
  json["matters"] = figure.matters;
  if (figure.kind != FigureKind::size && figure.kind != FigureKind::shape) {
    json["elasticity"] = files::exact_number(figure.elasticity);
  }
  if (figure.down) json["down"] = end_json(*figure.down);
  if (figure.up) json["up"] = end_json(*figure.up);
  if (figure.smaller) json["smaller"] = next_json(*figure.smaller);
  if (figure.larger) json["larger"] = next_json(*figure.larger);
  for (const RangePiece& piece : figure.pieces) json["pieces"].push_back(piece_json(piece));
  for (const SizeStep& step : figure.steps) json["steps"].push_back(size_step_json(step));
  return json;
}

files::Json sensitivity_goal_json(const Question& question) {
  const Objective& objective = question.objective;
  files::Json json = files::Json::object();
  json["goals"] = files::Json::array();
  for (const Goal goal : objective.goals) json["goals"].push_back(name(goal));
  json["row_model"] = name(question.row_model);
  if (objective.is_weighted()) {
    json["alpha"] = files::exact_number(objective.alpha);
    json["beta"] = files::exact_number(objective.beta);
  }
  return json;
}

}  // namespace

std::string sensitivity_json(const Architecture& architecture, const Workload& workload,
                             const Question& question, const SensitivityOptions& options,
                             const RunLimits& limits, const Sensitivity& sensitivity) {
  files::Json json = files::Json::object();
  json["format"] = io::kSensitivityFormat;
  json["layer"] = workload.name;
  json["status"] = name(sensitivity.status);
  if (!sensitivity.reason.empty()) json["reason"] = sensitivity.reason;
  json["objective"] = sensitivity_goal_json(question);
  if (question.constraints.any()) {
    json["constraints"] = io::constraints_json(architecture, question.constraints);
  }
  if (options.range) {
    json["range"]["from"] = files::exact_number(options.range->from);
    json["range"]["to"] = files::exact_number(options.range->to);
  } else {
    json["reach"] = files::exact_number(options.reach);
  }
  if (sensitivity.metrics) json["value"] = files::exact_number(sensitivity.value);
  json["parameters"] = files::Json::array();
  for (const FigureSensitivity& figure : sensitivity.figures) {
    json["parameters"].push_back(figure_json(figure));
  }
  json["mappings"] = files::Json::array();
  for (std::size_t k = 0; k < sensitivity.mappings.size(); ++k) {
    files::Json mapping = files::Json::object();
    mapping["text"] = sensitivity.texts[k];
    mapping["mapping"] = io::mapping_json(architecture, sensitivity.mappings[k]);
    json["mappings"].push_back(std::move(mapping));
  }
  io::add_warnings(json, architecture);
  json["workload"] = layers::workload_json(workload);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] =
      io::stats_json(sensitivity, sensitivity.seconds, sensitivity.threads, limits.timeless);
  json["stats"]["first_nodes"] = sensitivity.first_nodes;
  json["stats"]["solves"] = sensitivity.solves;
  return files::to_text(json);
}

}  // namespace pimbb::dram_pim
