// The pimbb-cim-sensitivity/1 document: how the optimum of a layer depends on the accelerator's
// figures.
#include "answers/sensitivity_json.hpp"
#include "cim/io/formats.hpp"
#include "cim/io/mapping_json.hpp"
#include "cim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/cim/io.hpp"

namespace pimbb::cim {

std::string sensitivity_json(const Architecture& architecture, const Workload& layer,
                             const Question& question, const SensitivityOptions& options,
                             const RunLimits& limits, const Sensitivity& sensitivity) {
  files::Json json = files::Json::object();
  json["format"] = std::string(io::kSensitivityFormat);
  json["layer"] = layer.name;
  io::add_question(json, question);
  json["status"] = std::string(name(sensitivity.status));
  if (!sensitivity.reason.empty()) json["reason"] = sensitivity.reason;
  json["objective"] = question.objective.to_string();
  json.update(answers::span_json(options));
  if (sensitivity.metrics) json["value"] = files::exact_number(sensitivity.value);
  json["parameters"] = answers::figures_json(sensitivity.figures);
  json["mappings"] = files::Json::array();
  for (const Mapping& mapping : sensitivity.mappings) {
    json["mappings"].push_back({{"mapping", io::mapping_json(architecture, mapping)}});
  }
  io::add_warnings(json, architecture);
  json["workload"] = layers::workload_json(layer);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] =
      io::stats_json(sensitivity, sensitivity.seconds, sensitivity.threads, limits.timeless);
  json["stats"]["solves"] = sensitivity.solves;
  return files::to_text(json);
}

}  // namespace pimbb::cim
