// The pimbb-top/1 document: the best classes of mappings of a layer, with their counts.
#include "answers/limits_json.hpp"
#include "answers/top_json.hpp"
#include "dram_pim/io/formats.hpp"
#include "dram_pim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/dram_pim/io.hpp"

namespace pimbb::dram_pim {
namespace {

files::Json asked_goals_json(const Question& question) {
  const Objective& objective = question.objective;
  files::Json json = files::Json::object();
  json["goals"] = files::Json::array();
  for (const Goal goal : objective.goals) json["goals"].push_back(name(goal));
  json["row_model"] = name(question.row_model);
  if (objective.is_weighted()) {
    json["alpha"] = files::exact_number(objective.alpha);
    json["beta"] = files::exact_number(objective.beta);
  }
  answers::add_limits(json, question.caps);
  return json;
}

files::Json listed_json(const Architecture& architecture, const Workload& workload,
                        const Question& question, const TopClasses& top, std::size_t k) {
  const MappingClass& listed = top.classes[k];
  std::vector<std::string> goals;
  for (const Goal goal : question.objective.goals) goals.emplace_back(name(goal));
  files::Json json =
      pimbb::answers::class_json(k, goals, listed.values, listed.mappings, top.texts[k]);
  json["mapping"] = io::mapping_json(architecture, listed.mapping);
  json["metrics"] = io::metrics_json(architecture, workload, listed.mapping, listed.metrics);
  return json;
}

}  // namespace

std::string top_json(const Architecture& architecture, const Workload& workload,
                     const Question& question, const TopRange& range, const RunLimits& limits,
                     const TopClasses& top) {
  files::Json json = files::Json::object();
  json["format"] = io::kTopFormat;
  json["layer"] = workload.name;
  json["status"] = name(top.status);
  if (!top.reason.empty()) json["reason"] = top.reason;
  json["objective"] = asked_goals_json(question);
  if (question.constraints.any()) {
    json["constraints"] = io::constraints_json(architecture, question.constraints);
  }
  json["range"] = pimbb::answers::top_range_json(range);
  if (top.bound) pimbb::answers::add_top_bound(json, *top.bound);
  if (top.status != TopStatus::infeasible) {
    pimbb::answers::add_class_counts(json, top.optimal, top.tied, top.within);
  }
  json["classes"] = files::Json::array();
  for (std::size_t k = 0; k < top.classes.size(); ++k) {
    json["classes"].push_back(listed_json(architecture, workload, question, top, k));
  }
  io::add_warnings(json, architecture);
  json["workload"] = layers::workload_json(workload);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = io::stats_json(top, top.seconds, top.threads, limits.timeless);
  return files::to_text(json);
}

}  // namespace pimbb::dram_pim
