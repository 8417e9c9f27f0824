// The pimbb-sensitivity/1 document: how the optimum of a layer depends on the accelerator's
// figures.
#include "answers/sensitivity_json.hpp"
#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/dram_pim/io.hpp"

namespace pimbb::dram_pim {
namespace {

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
  json.update(pimbb::answers::span_json(options));
  if (sensitivity.metrics) json["value"] = files::exact_number(sensitivity.value);
  json["parameters"] = pimbb::answers::figures_json(sensitivity.figures);
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
