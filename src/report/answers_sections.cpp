// Results with more than one answer: fronts, the best k, explorations.
#include <fmt/format.h>

#include <set>

#include "report/facts.hpp"
#include "report/sections.hpp"

namespace pimbb::report {
namespace {

std::string machine_of(const Value& document) {
  if (document.has("accelerator")) return document.at("accelerator").text();  // of crossbars
  return document.at("architecture").at("name").text();
}

/// The loops and unrolling of a mapping in a line, for what stands below the pointer.
std::string in_words(const Value& mapping) {
  std::string text;
  for (const auto& [direction, factors] : mapping.at("spatial").members()) {
    for (const auto& [dim, factor] : factors.members()) {
      text += fmt::format("{}{} over {}; ", dim, factor.json().dump(), direction);
    }
  }
  if (mapping.has("loops")) {  // of SRAM compute-in-memory
    for (const Value& loop : mapping.at("loops").elements()) {
      text += fmt::format(" {}{}", loop.at(0).text(), loop.at(1).json().dump());
    }
    return text;
  }
  for (const Value& level : mapping.at("temporal").elements()) {
    text += level.at("level").text() + ":";
    for (const Value& loop : level.at("loops").elements()) {
      text += fmt::format(" {}{}", loop.at(0).text(), loop.at(1).json().dump());
    }
    text += "; ";
  }
  return text;
}

Part mapping_fold(const std::string& title, const Value& point, const Value& architecture) {
  Part part = fold(title);
  part.parts = point.at("mapping").has("loops") ? cim_mapping_parts(point, architecture)
                                                : dram_mapping_parts(point, architecture);
  return part;
}

/// Of a network on crossbars: how often the first classes replicate each node.
Part replicas_part(const Value& document) {
  constexpr std::size_t kClasses = 8;
  Part part = table("Replicas of the first classes", {"node"});
  const std::vector<Value> classes = document.at("classes").elements();
  if (classes.empty()) return part;
  const auto replication_of = [](const Value& one) {
    return one.at("mapping").at("replication").members();
  };
  for (const auto& [node, replicas] : replication_of(classes.front()))
    part.rows.push_back(std::vector<Json>{Json(node)});
  for (const Value& one : classes) {
    if (part.columns.size() > kClasses) break;
    part.columns.push_back(fmt::format("rank {}", one.at("rank").json().dump()));
    std::size_t row = 0;
    for (const auto& [node, replicas] : replication_of(one)) {
      part.rows[row++].push_back(replicas.json());
    }
  }
  return part;
}

}  // namespace

Section front_section(const Value& document) {
  Section section;
  const bool network = document.has("network");  // its points have no mapping of their own
  section.title = fmt::format(
      "Front of {} on {}", document.at(network ? "network" : "layer").text(), machine_of(document));
  section.note = document.text_or("command", "");
  section.facts.push_back(status_fact(document.at("status").text()));
  section.facts.push_back({"points", document.at("found").json()});
  section.facts.push_back({"covered", document.at("covered").json()});
  std::vector<std::string> axes;
  for (const Value& axis : document.at("axes").elements()) axes.push_back(axis.text());
  Part all = table("Points", axes);
  std::vector<Part> plots;
  for (std::size_t y = 1; y < axes.size(); ++y) {
    plots.push_back(scatter(fmt::format("Front: {} and {}", axes[0], axes[y]), axes[0], axes[y]));
  }
  std::vector<Part> folds;
  const bool flat = axes.size() == 2;
  for (const Value& point : document.at("points").elements()) {
    std::vector<Json> costs;
    for (const std::string& axis : axes) costs.push_back(point.at(axis).json());
    const std::string label = fmt::format("point {}", all.rows.size() + 1);
    for (std::size_t y = 1; y < axes.size(); ++y) {
      plots[y - 1].rows.push_back(
          {label, costs[0], costs[y], "front", flat, network ? "" : in_words(point.at("mapping"))});
    }
    if (!network) folds.push_back(mapping_fold(label, point, document.at("architecture")));
    all.rows.push_back(std::move(costs));
  }
  for (Part& plot : plots) add_part(section.parts, std::move(plot));
  add_part(section.parts, std::move(all));
  for (Part& part : folds) add_part(section.parts, std::move(part));
  return section;
}

Section top_section(const Value& document) {
  Section section;
  const bool network = document.has("network");  // on crossbars
  section.title =
      fmt::format("Best mappings of {} on {}", document.at(network ? "network" : "layer").text(),
                  machine_of(document));
  section.note = document.text_or("command", "");
  section.facts.push_back(status_fact(document.at("status").text()));
  Part all = table("Classes", {"rank", "mappings", "class"});
  std::vector<Part> folds;
  for (const Value& one : document.at("classes").elements()) {
    std::vector<Json> row{one.at("rank").json(),
                          one.has("mappings") ? one.at("mappings").json() : Json(),
                          one.at("text").json()};
    for (const auto& [goal, value] : one.at("values").members()) {
      if (all.rows.empty()) all.columns.push_back(goal);
      row.push_back(value.json());
    }
    if (!network) {
      folds.push_back(mapping_fold(fmt::format("Rank {}", one.at("rank").json().dump()), one,
                                   document.at("architecture")));
    }
    all.rows.push_back(std::move(row));
  }
  add_part(section.parts, std::move(all));
  if (network) add_part(section.parts, replicas_part(document));
  for (Part& part : folds) add_part(section.parts, std::move(part));
  return section;
}

Section explore_section(const Value& document) {
  Section section;
  const Value base = document.at("architecture");
  section.title = fmt::format("Accelerators around {}",
                              base.is_object() ? base.at("name").text() : base.text());
  section.note = document.text_or("command", "");
  section.facts.push_back(status_fact(document.at("status").text()));
  const bool has_cost = document.has("cost");
  if (has_cost) section.facts.push_back({"cost", document.at("cost").json()});
  std::vector<std::string> columns{"point"};
  const std::vector<Value> points = document.at("points").elements();
  if (points.empty()) return section;
  for (const auto& [path, value] : points.front().at("values").members()) columns.push_back(path);
  const std::vector<std::string> figures{"cost", "latency", "energy", "activations", "status"};
  columns.insert(columns.end(), figures.begin(), figures.end());
  Part all = table("Points", columns);
  Part plot = scatter("Cost and objective", "cost", "objective");
  Json marked = Json::array();
  for (const Value& point : points) {
    std::vector<Json> row{point.at("number").json()};
    std::string label;
    for (const auto& [path, value] : point.at("values").members()) {
      row.push_back(value.json());
      label += fmt::format("{}{} {}", label.empty() ? "" : ", ", path, value.json().dump());
    }
    for (const std::string& figure : figures) {
      row.push_back(point.has(figure) ? point.at(figure).json() : Json());
    }
    const bool on_front = point.has("on_front") && point.at("on_front").json() == Json(true);
    if (on_front) marked.push_back(all.rows.size());
    all.rows.push_back(std::move(row));
    if (!has_cost || !point.has("objective")) continue;
    const Value objective = point.at("objective");  // a number, or a fraction as text
    const double value = objective.number_or_fraction();
    plot.rows.push_back(
        {label, point.at("cost").json(), value, on_front ? "front" : "other points", on_front, ""});
  }
  all.more["marked"] = std::move(marked);
  add_part(section.parts, std::move(plot));
  add_part(section.parts, std::move(all));
  return section;
}

}  // namespace pimbb::report
