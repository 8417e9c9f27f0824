// The pimbb-cim-top/1 document: the best classes of mappings of a layer, with their counts.
#include <algorithm>

#include "answers/limits_json.hpp"
#include "answers/top_json.hpp"
#include "cim/io/formats.hpp"
#include "cim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/cim/io.hpp"

namespace pimbb::cim {
namespace {

std::vector<std::string> goal_names(const Objective& objective) {
  std::vector<std::string> names;
  for (const Goal goal : objective.goals) names.emplace_back(name(goal));
  return names;
}

files::Json asked_goals_json(const Question& question) {
  const Objective& objective = question.objective;
  files::Json json = files::Json::object();
  json["goals"] = goal_names(objective);
  if (std::ranges::count(objective.goals, Goal::blended) > 0) {
    json["alpha"] = files::exact_number(objective.alpha);
    json["beta"] = files::exact_number(objective.beta);
  }
  answers::add_limits(json, question.caps);
  return json;
}

}  // namespace

std::string top_json(const Architecture& architecture, const Workload& layer,
                     const Question& question, const TopRange& range, const RunLimits& limits,
                     const TopClasses& top) {
  files::Json json = files::Json::object();
  json["format"] = std::string(io::kTopFormat);
  json["layer"] = layer.name;
  io::add_question(json, question);
  json["status"] = std::string(name(top.status));
  if (!top.reason.empty()) json["reason"] = top.reason;
  json["objective"] = asked_goals_json(question);
  json["range"] = answers::top_range_json(range);
  if (top.bound) answers::add_top_bound(json, *top.bound);
  if (top.status != TopStatus::infeasible) {
    answers::add_class_counts(json, top.optimal, top.tied, top.within);
  }
  json["classes"] = files::Json::array();
  for (std::size_t k = 0; k < top.classes.size(); ++k) {
    const MappingClass& listed = top.classes[k];
    files::Json one = answers::class_json(k, goal_names(question.objective), listed.values,
                                          listed.mappings, top.texts[k]);
    one["mapping"] = io::mapping_json(architecture, listed.mapping);
    one["metrics"] = io::metrics_json(architecture, listed.metrics);
    json["classes"].push_back(std::move(one));
  }
  io::add_warnings(json, architecture);
  json["workload"] = layers::workload_json(layer);
  json["architecture"] = io::architecture_json(architecture);
  json["stats"] = io::stats_json(top, top.seconds, top.threads, limits.timeless);
  return files::to_text(json);
}

}  // namespace pimbb::cim
