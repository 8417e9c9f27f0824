// The pimbb-explanation/1 document: why a layer has no mapping, and what would help.
#include "answers/explanation_json.hpp"
#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/dram_pim/io.hpp"

namespace pimbb::dram_pim {

std::string explanation_json(const Architecture& architecture, const Workload& workload,
                             const Question& question, const RunLimits& limits,
                             const Explanation& explanation) {
  files::Json json = files::Json::object();
  json["format"] = io::kExplanationFormat;
  json["layer"] = workload.name;
  json["status"] = name(explanation.status);
  json["method"] = name(question.method);
  json["row_model"] = name(question.row_model);
  pimbb::answers::add_explanation(json, explanation.constraints, explanation.conflict);
  io::add_warnings(json, architecture);
  json["workload"] = layers::workload_json(workload);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] =
      io::stats_json(explanation, explanation.seconds, explanation.threads, limits.timeless);
  json["stats"]["solves"] = explanation.solves;
  return files::to_text(json);
}

}  // namespace pimbb::dram_pim
