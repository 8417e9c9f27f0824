// The pimbb-cim-explanation/1 document: why a layer has no mapping, and what would help.
#include "answers/explanation_json.hpp"
#include "cim/io/formats.hpp"
#include "cim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/cim/io.hpp"

namespace pimbb::cim {

std::string explanation_json(const Architecture& architecture, const Workload& layer,
                             const Question& question, const RunLimits& limits,
                             const Explanation& explanation) {
  files::Json json = files::Json::object();
  json["format"] = std::string(io::kExplanationFormat);
  json["layer"] = layer.name;
  json["status"] = std::string(name(explanation.status));
  io::add_question(json, question);
  answers::add_explanation(json, explanation.constraints, explanation.conflict);
  io::add_warnings(json, architecture);
  json["workload"] = layers::workload_json(layer);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] =
      io::stats_json(explanation, explanation.seconds, explanation.threads, limits.timeless);
  json["stats"]["solves"] = explanation.solves;
  return files::to_text(json);
}

}  // namespace pimbb::cim
