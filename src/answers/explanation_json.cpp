// Numbers are exact, as everywhere in documents.
#include "answers/explanation_json.hpp"

namespace pimbb::answers {
namespace {

files::Json constraint_json(const ProblemConstraint& constraint) {
  files::Json json = files::Json::object();
  json["kind"] = name(constraint.kind);
  json["words"] = constraint.words;
  if (constraint.today) {
    json["parameter"] = constraint.parameter;
    json["unit"] = constraint.unit;
    json["today"] = files::exact_number(*constraint.today);
  }
  return json;
}

files::Json change_json(const LeastChange& change) {
  files::Json json = files::Json::object();
  json["status"] = name(change.reason);
  if (change.value) json["value"] = files::exact_number(*change.value);
  if (change.not_enough) json["not_enough"] = files::exact_number(*change.not_enough);
  return json;
}

}  // namespace

void add_explanation(files::Json& json, const std::vector<ProblemConstraint>& constraints,
                     const Conflict& conflict) {
  json["constraints"] = files::Json::array();
  for (const ProblemConstraint& each : constraints) {
    json["constraints"].push_back(constraint_json(each));
  }
  if (conflict.parts.empty()) return;
  json["minimal"] = conflict.minimal;
  json["conflict"] = files::Json::array();
  for (const ConflictPart& part : conflict.parts) {
    files::Json own = files::Json::object();
    own["constraint"] = part.number;
    if (part.need) own["need"] = change_json(*part.need);
    json["conflict"].push_back(std::move(own));
  }
  json["repairs"] = files::Json::array();
  for (const Repair& repair : conflict.repairs) {
    files::Json own = files::Json::object();
    own["constraint"] = repair.number;
    own["change"] = change_json(repair.change);
    json["repairs"].push_back(std::move(own));
  }
}

}  // namespace pimbb::answers
