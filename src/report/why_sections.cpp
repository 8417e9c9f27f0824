// Results about constraints and figures of an accelerator: why there is no mapping, and what each
// figure does to the optimum.
#include <fmt/format.h>

#include "report/facts.hpp"
#include "report/sections.hpp"

namespace pimbb::report {
namespace {

Json given_or_null(const Value& object, const char* key) {
  return object.has(key) ? object.at(key).json() : Json();
}

constexpr std::int64_t kMostConstraints = 1'000'000;

/// "128 -> 144", or in a word why there is none.
Json changed(const Value& constraint, const Value& change) {
  const std::string status = change.at("status").text();
  if (status != "enough") return status == "none" ? "no value is enough" : "not settled";
  if (!change.has("value")) return "without it";
  return fmt::format("{} -> {}", given_or_null(constraint, "today").dump(),
                     change.at("value").json().dump());
}

Part constraints_of(const Value& document, const char* list, const char* key, std::string title) {
  Part part = table(std::move(title), {"constraint", "kind", "parameter", "unit", key});
  if (!document.has(list)) return part;
  const Value constraints = document.at("constraints");
  for (const Value& one : document.at(list).elements()) {
    const Value constraint =
        constraints.at(static_cast<std::size_t>(one.at("constraint").integer(0, kMostConstraints)));
    part.rows.push_back({constraint.at("words").json(), constraint.at("kind").json(),
                         given_or_null(constraint, "parameter"), given_or_null(constraint, "unit"),
                         one.has(key) ? changed(constraint, one.at(key)) : Json("without it")});
  }
  return part;
}

/// Where the next step of a size is, and the optimum there.
Json next_step(const Value& figure, const char* direction) {
  if (!figure.has(direction)) return {};
  const Value next = figure.at(direction);
  const std::string at = next.at("at").json().dump();
  const std::string reason = next.at("reason").text();
  if (reason == "none") return fmt::format("none to {}", at);
  if (reason == "open") return fmt::format("not settled beyond {}", at);
  if (!next.has("value")) return fmt::format("{}: no mapping", at);
  return fmt::format("{}: {}", at, next.at("value").json().dump());
}

/// How far today's mapping is proven to stay the best.
Json proven_end(const Value& figure, const char* direction) {
  return figure.has(direction) ? figure.at(direction).at("proven").json() : Json();
}

std::string problem_of(const Value& document) {
  if (document.has("accelerator")) {
    return fmt::format("{} on {}", document.at("network").text(),
                       document.at("accelerator").text());
  }
  return fmt::format("{} on {}", document.at("layer").text(),
                     document.at("architecture").at("name").text());
}

}  // namespace

Section explanation_section(const Value& document) {
  Section section;
  section.title = "Why not: " + problem_of(document);
  section.note = document.text_or("command", "");
  section.facts.push_back(status_fact(document.at("status").text()));
  if (document.has("minimal")) {
    section.facts.push_back(
        {"conflict", document.at("minimal").json() == Json(true) ? "minimal" : "not minimal"});
  }
  add_part(section.parts, constraints_of(document, "conflict", "need", "Conflict"));
  add_part(section.parts, constraints_of(document, "repairs", "change", "Repairs, each alone"));
  return section;
}

Section sensitivity_section(const Value& document) {
  Section section;
  section.title = "Sensitivity: " + problem_of(document);
  section.note = document.text_or("command", "");
  section.facts.push_back(status_fact(document.at("status").text()));
  if (document.has("value")) section.facts.push_back({"optimum", document.at("value").json()});
  Part chart = bars("Elasticity: change of the optimum for a change of a figure by 1 %", "%");
  Part all = table("Figures", {"figure", "today", "unit", "matters", "elasticity", "best down to",
                               "best up to", "next step down", "next step up"});
  for (const Value& figure : document.at("parameters").elements()) {
    if (figure.has("elasticity")) {
      const double elasticity = figure.at("elasticity").number_or_fraction();
      if (elasticity != 0) {
        chart.rows.push_back({figure.at("parameter").json(), "elasticity", elasticity});
      }
    }
    all.rows.push_back(
        {figure.at("parameter").json(), figure.at("today").json(), figure.at("unit").json(),
         figure.at("matters").json() == Json(true) ? "yes" : "no",
         given_or_null(figure, "elasticity"), proven_end(figure, "down"), proven_end(figure, "up"),
         next_step(figure, "smaller"), next_step(figure, "larger")});
  }
  add_part(section.parts, std::move(chart));
  add_part(section.parts, std::move(all));
  return section;
}

}  // namespace pimbb::report
