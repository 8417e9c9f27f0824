// The pimbb-crossbar-explanation/1 document: why a network has no mapping, and what would help.
#include "answers/explanation_json.hpp"
#include "crossbar/io/answer_json.hpp"
#include "crossbar/io/architecture_json.hpp"
#include "crossbar/io/formats.hpp"
#include "pimbb/crossbar/io.hpp"

namespace pimbb::crossbar {

std::string explanation_json(const Architecture& architecture, const NodeGraph& graph,
                             const ExplainQuestion& question, const RunLimits& limits,
                             const Explanation& explanation) {
  files::Json json = files::Json::object();
  json["format"] = std::string(io::kExplanationFormat);
  json["network"] = graph.name;
  json["accelerator"] = architecture.name;
  json["status"] = std::string(name(explanation.status));
  json["at_most"] = files::Json::object();
  for (const GoalCap& cap : question.caps) {
    json["at_most"][std::string(name(cap.goal))] = files::exact_number(cap.most);
  }
  json["seed"] = question.seed;
  answers::add_explanation(json, explanation.constraints, explanation.conflict);
  io::add_warnings(json, architecture);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = io::stats_json(explanation, explanation.solves, explanation.seconds,
                                 explanation.threads, limits.timeless);
  return files::to_text(json);
}

}  // namespace pimbb::crossbar
