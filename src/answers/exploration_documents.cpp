// Explorations as JSON and CSV.
#include <stdexcept>

#include "files/csv.hpp"
#include "files/json_text.hpp"
#include "pimbb/explore.hpp"

namespace pimbb {
namespace {

using files::exact_number;
using files::Json;

/// The costs by goal, then the objective with its bound.
template <class Result>
void add_costs(Json& json, const Exploration& exploration, const Result& result) {
  if (result.costs.empty()) return;
  for (std::size_t g = 0; g < result.costs.size(); ++g) {
    json[exploration.goals[g]] = exact_number(result.costs[g]);
  }
  json["objective"] = exact_number(result.value);
  json["bound"] = exact_number(result.bound);
}

Json network_json(const Exploration& exploration, const ExploredNetwork& network,
                  const std::string& name) {
  Json json = Json::object();
  json["network"] = name;
  json["status"] = pimbb::name(network.status);
  add_costs(json, exploration, network);
  json["nodes"] = network.nodes;
  return json;
}

/// A number if it is one.
Json value_json(const std::string& text) {
  try {
    return exact_number(Rational::parse(text));
  } catch (const std::invalid_argument&) {
    return text;
  }
}

Json point_json(const Space& space, const Exploration& exploration, const ExploredPoint& point) {
  Json json = Json::object();
  json["number"] = point.number;
  json["values"] = Json::object();
  for (std::size_t axis = 0; axis < space.vary.size(); ++axis) {
    json["values"][space.vary[axis].path] = value_json(point.values[axis]);
  }
  if (point.cost) json["cost"] = exact_number(*point.cost);
  json["status"] = point.skipped ? "skipped" : pimbb::name(point.status);
  add_costs(json, exploration, point);
  if (!point.has_value()) json["bound"] = exact_number(point.bound);
  json["on_front"] = point.on_front;
  json["best"] = point.best;
  json["networks"] = Json::array();
  for (std::size_t n = 0; n < point.networks.size(); ++n) {
    json["networks"].push_back(
        network_json(exploration, point.networks[n], exploration.networks[n]));
  }
  return json;
}

std::vector<std::string> csv_names(const Space& space, const Exploration& exploration,
                                   bool several) {
  std::vector<std::string> names{"number"};
  for (const Space::Axis& axis : space.vary) names.push_back(axis.path);
  names.insert(names.end(), {"cost", "status"});
  names.insert(names.end(), exploration.goals.begin(), exploration.goals.end());
  names.insert(names.end(), {"objective", "bound", "on_front", "best"});
  if (!several) return names;
  for (const std::string& network : exploration.networks) names.push_back(network + ".objective");
  return names;
}

/// The number, or an empty cell.
void add_cell(files::CsvRow& row, const Rational* value) {
  if (value == nullptr) {
    row.add("");
  } else {
    row.add(*value);
  }
}

std::string csv_row_of(const Exploration& exploration, const ExploredPoint& point, bool several) {
  files::CsvRow row;
  row.add(static_cast<std::int64_t>(point.number));
  for (const std::string& value : point.values) row.add(value);
  add_cell(row, point.cost ? &*point.cost : nullptr);
  row.add(point.skipped ? "skipped" : name(point.status));
  const bool there = point.has_value();
  for (std::size_t g = 0; g < exploration.goals.size(); ++g) {
    add_cell(row, there ? &point.costs[g] : nullptr);
  }
  add_cell(row, there ? &point.value : nullptr);
  row.add(point.bound);
  row.add(point.on_front ? "yes" : "no").add(point.best ? "yes" : "no");
  for (std::size_t n = 0; several && n < exploration.networks.size(); ++n) {
    const bool known = n < point.networks.size() && !point.networks[n].costs.empty();
    add_cell(row, known ? &point.networks[n].value : nullptr);
  }
  return row.text();
}

}  // namespace

std::string exploration_json(const Space& space, const Exploration& exploration, bool timeless) {
  Json json = Json::object();
  json["format"] = "pimbb-explore/1";
  json["kind"] = name(exploration.kind);
  json["architecture"] = exploration.architecture;
  json["networks"] = exploration.networks;
  json["objective"] = space.objective;
  json["goals"] = exploration.goals;
  json["vary"] = Json::array();
  for (const Space::Axis& axis : space.vary) json["vary"].push_back(axis.path);
  if (!space.only.empty()) json["only"] = space.only;
  if (!space.cost.empty()) json["cost"] = space.cost;
  json["grid"] = exploration.grid;
  json["status"] = name(exploration.status);
  json["stopped"] = exploration.stopped;
  json["points"] = Json::array();
  Json front = Json::array();
  for (const ExploredPoint& point : exploration.points) {
    json["points"].push_back(point_json(space, exploration, point));
    if (point.on_front) front.push_back(point.number);
    if (point.best) json["best"] = point.number;
  }
  json["front"] = std::move(front);
  Json& stats = json["stats"] = Json::object();
  stats["searches"] = exploration.searches;
  stats["nodes"] = exploration.nodes;
  if (!timeless) {
    stats["searched"] = exploration.searched;
    stats["seconds"] = exploration.seconds;
    stats["threads"] = exploration.threads;
    stats["processes"] = exploration.processes;
  }
  return files::to_text(json);
}

std::string exploration_csv(const Space& space, const Exploration& exploration) {
  const bool several = exploration.networks.size() > 1;
  std::string text = files::csv_header(csv_names(space, exploration, several));
  for (const ExploredPoint& point : exploration.points) {
    text += csv_row_of(exploration, point, several);
  }
  return text;
}

}  // namespace pimbb
