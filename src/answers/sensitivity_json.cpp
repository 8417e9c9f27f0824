// The keys of ends, steps and pieces.
#include "answers/sensitivity_json.hpp"

namespace pimbb::answers {
namespace {

using files::Json;

Json end_json(const StayEnd& end) {
  Json json = Json::object();
  json["reason"] = name(end.reason);
  json["proven"] = files::exact_number(end.proven);
  if (end.beyond) json["beyond"] = files::exact_number(*end.beyond);
  if (end.next) json["next"] = *end.next;
  return json;
}

Json next_json(const NextStep& step) {
  Json json = Json::object();
  json["reason"] = name(step.reason);
  json["at"] = step.at;
  if (step.value) json["value"] = files::exact_number(*step.value);
  if (step.solution) json["mapping"] = *step.solution;
  return json;
}

Json piece_json(const RangePiece& piece) {
  Json json = Json::object();
  json["from"] = files::exact_number(piece.from);
  json["to"] = files::exact_number(piece.to);
  json["value_from"] = files::exact_number(piece.value_from);
  json["value_to"] = files::exact_number(piece.value_to);
  json["mapping"] = piece.solution;
  json["proven"] = piece.proven;
  return json;
}

Json size_step_json(const SizeStep& step) {
  Json json = Json::object();
  json["from"] = step.from;
  json["to"] = step.to;
  if (step.value) json["value"] = files::exact_number(*step.value);
  if (step.bound) json["bound"] = files::exact_number(*step.bound);
  if (step.solution) json["mapping"] = *step.solution;
  return json;
}

Json figure_json(const FigureSensitivity& figure) {
  Json json = Json::object();
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
  files::add_list(json, "pieces", figure.pieces, piece_json);
  files::add_list(json, "steps", figure.steps, size_step_json);
  return json;
}

}  // namespace

Json figures_json(const std::vector<FigureSensitivity>& figures) {
  Json json = Json::array();
  for (const FigureSensitivity& figure : figures) json.push_back(figure_json(figure));
  return json;
}

Json span_json(const SensitivityOptions& options) {
  Json json = Json::object();
  if (options.range) {
    json["range"] = Json::object();
    json["range"]["from"] = files::exact_number(options.range->from);
    json["range"]["to"] = files::exact_number(options.range->to);
  } else {
    json["reach"] = files::exact_number(options.reach);
  }
  return json;
}

}  // namespace pimbb::answers
