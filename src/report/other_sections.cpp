// Audits, benchmarks, logs, two results compared, and formats without pictures of their own.
#include <fmt/format.h>

#include <algorithm>

#include "pimbb/error.hpp"
#include "report/facts.hpp"
#include "report/sections.hpp"

namespace pimbb::report {
namespace {

constexpr std::size_t kMostRows = 2000;  // of a table that is made from any list

/// Shares of the proven cases against time, one line for each architecture.
Part proven_over_time(const std::vector<Value>& cases) {
  Part part = steps("Proven within a given time", "seconds", "share of the cases");
  std::map<std::string, std::pair<std::vector<double>, double>> by_architecture;
  for (const Value& one : cases) {
    auto& [seconds, count] = by_architecture[one.text_or("architecture", "all")];
    ++count;
    const std::string status = one.text_or("status", "");
    const bool settled = status == "optimal" || status == "infeasible";
    if (settled && one.has("seconds")) seconds.push_back(one.at("seconds").number());
  }
  for (auto& [name, settled] : by_architecture) {
    std::ranges::sort(settled.first);
    for (std::size_t i = 0; i < settled.first.size(); ++i) {
      part.rows.push_back({name, settled.first[i], static_cast<double>(i + 1) / settled.second});
    }
  }
  part.more["log_x"] = true;
  return part;
}

Json cell_of(const Value& value) {
  if (value.is_number() || value.json().is_string()) return value.json();
  if (value.json().is_null()) return nullptr;
  return value.json().dump();
}

/// A list of objects as a table with a column for each plain member of the first of them.
Part table_of(const std::string& title, const std::vector<Value>& rows) {
  std::vector<std::string> columns;
  for (const auto& [key, value] : rows.front().members()) {
    if (!value.json().is_structured()) columns.push_back(key);
  }
  Part part = table(title, columns);
  for (const Value& row : rows) {
    if (part.rows.size() == kMostRows) {
      part.note = fmt::format("The first {} of {} rows.", kMostRows, rows.size());
      break;
    }
    std::vector<Json> cells;
    for (const std::string& column : columns) {
      cells.push_back(row.has(column) ? cell_of(row.at(column)) : Json());
    }
    part.rows.push_back(std::move(cells));
  }
  return part;
}

Part log_part(const std::string& file, const std::vector<Json>& lines) {
  Part part = steps("Best value and proven bound", "seconds", "cost");
  for (const Json& line : lines) {
    const Value event(line, file);
    if (event.text_or("event", "") != "progress" || !event.has("seconds")) continue;
    const std::string goal = event.text_or("goal", "goal");
    const Json seconds = event.at("seconds").json();
    if (event.has("incumbent")) {
      part.rows.push_back({goal + ", best", seconds, event.at("incumbent").json()});
    }
    if (event.has("bound")) {
      part.rows.push_back({goal + ", bound", seconds, event.at("bound").json()});
    }
  }
  return part;
}

void compare_terms(Part& part, const Value& metrics, const std::string& key,
                   const std::string& name) {
  if (!metrics.has(key)) return;
  Part terms = bars("", "");
  add_nested(terms, metrics.at(key), "all");
  for (const std::vector<Json>& row : terms.rows) {
    const std::string part_name = row[1].get<std::string>();
    const std::string group = part_name == "all"
                                  ? row[0].get<std::string>()
                                  : fmt::format("{} {}", row[0].get<std::string>(), part_name);
    part.rows.push_back({group, name, row[2]});
  }
}

/// A name for a result among two.
std::string short_name(const Value& document, int place) {
  return fmt::format("{}: {}", place, document.file());
}

void compare_layers(Section& section, const Value& first, const Value& second) {
  for (const auto& [key, unit] : {std::pair{"latency", "cycles"}, std::pair{"energy", "nJ"}}) {
    Part part = grouped(fmt::format("{} by layer", key), unit);
    int place = 0;
    for (const Value& document : {first, second}) {
      const std::string name = short_name(document, ++place);
      for (const Value& layer : document.at("layers").elements()) {
        if (!layer.has("metrics") || !layer.at("metrics").has(key)) continue;
        const Value figure = layer.at("metrics").at(key);
        if (figure.is_number())
          part.rows.push_back({layer.at("layer").json(), name, figure.json()});
      }
    }
    add_part(section.parts, std::move(part));
  }
}

void compare_facts(Section& section, const Section& a, const Section& b) {
  Part part = table("Figures", {"figure", "first", "second", "second / first"});
  for (const Fact& fact : a.facts) {
    if (!fact.value.is_number()) continue;
    const auto other = std::ranges::find(b.facts, fact.name, &Fact::name);
    if (other == b.facts.end() || !other->value.is_number()) continue;
    const double x = fact.value.get<double>();
    part.rows.push_back({fact.unit.empty() ? fact.name : fact.name + ", " + fact.unit, fact.value,
                         other->value, x == 0 ? Json() : Json(other->value.get<double>() / x)});
  }
  add_part(section.parts, std::move(part));
}

}  // namespace

Section audit_section(const Value& document) {
  Section section;
  section.title = fmt::format("Audit of {}", document.text_or("layer", "a mapping"));
  section.note = document.text_or("command", "");
  section.facts.push_back({"standing", document.text_or("standing", "")});
  for (const Value& goal : document.at("goals").elements()) {
    const std::string name = goal.at("name").text();
    section.facts.push_back({name + ", given", goal.at("value").json()});
    if (goal.has("best")) section.facts.push_back({name + ", best", goal.at("best").json()});
    if (goal.has("ratio")) section.facts.push_back({name + ", ratio", goal.at("ratio").json()});
  }
  if (document.has("terms")) {
    for (const auto& [kind, terms] : document.at("terms").members()) {
      Part part = grouped(fmt::format("Given and best: {}", kind), kind);
      for (const Value& term : terms.elements()) {
        for (const char* which : {"given", "best"}) {
          if (term.has(which)) {
            part.rows.push_back({term.at("term").json(), which, term.at(which).json()});
          }
        }
      }
      add_part(section.parts, std::move(part));
    }
  }
  for (const char* which : {"given", "best"}) {
    if (!document.has(which) || !document.has("architecture")) continue;
    Part part = fold(fmt::format("The {} mapping", which));
    part.parts = dram_mapping_parts(document.at(which), document.at("architecture"));
    add_part(section.parts, std::move(part));
  }
  return section;
}

Section bench_section(const Value& document) {
  Section section;
  section.title = "Benchmark";
  section.note = document.text_or("command", "");
  for (const auto& [key, value] : document.at("summary").members()) {
    if (!value.json().is_structured()) section.facts.push_back({key, value.json()});
  }
  const std::vector<Value> cases = document.at("cases").elements();
  if (cases.empty()) return section;
  add_part(section.parts, proven_over_time(cases));
  std::vector<Value> slowest = cases;
  std::ranges::stable_sort(slowest, [](const Value& a, const Value& b) {
    return (a.has("seconds") ? a.at("seconds").number() : 0) >
           (b.has("seconds") ? b.at("seconds").number() : 0);
  });
  add_part(section.parts, table_of("Cases, slowest first", slowest));
  return section;
}

Section plain_section(const Value& document) {
  Section section;
  section.title = document.text_or("format", "Result");
  section.note = document.text_or("command", "");
  for (const auto& [key, value] : document.members()) {
    if (key == "format" || key == "version" || key == "command" || key == "architecture") continue;
    if (key == "status") {
      section.facts.push_back(status_fact(value.text()));
    } else if (!value.json().is_structured()) {
      section.facts.push_back(
          {key, value.json().is_boolean() ? Json(value.json().dump()) : value.json()});
    } else if (value.json().is_array() && !value.json().empty() && value.at(0).is_object()) {
      add_part(section.parts, table_of(key, value.elements()));
    }
  }
  return section;
}

Section log_section(const std::string& file, const std::vector<Json>& lines) {
  Section section;
  section.title = fmt::format("Search over time: {}", file);
  const Value start(lines.front(), file);
  for (const auto& [key, value] : start.members()) {
    if (key != "event" && key != "format" && !value.json().is_structured()) {
      section.facts.push_back({key, value.json()});
    }
  }
  Part part = log_part(file, lines);
  part.note = "The search ends where both lines meet: the value is proven.";
  add_part(section.parts, std::move(part));
  const Value end(lines.back(), file);
  if (end.has("status")) section.facts.push_back(status_fact(end.at("status").text()));
  return section;
}

Section comparison_section(const Value& first, const Value& second) {
  Section section;
  section.title = "Comparison";
  section.note = fmt::format("First: {}. Second: {}.", first.file(), second.file());
  const SectionMaker maker = section_makers().find(first.at("format").text())->second;
  compare_facts(section, maker(first), maker(second));
  if (first.has("layers") && second.has("layers")) compare_layers(section, first, second);
  if (!first.has("metrics") || !second.has("metrics")) return section;
  for (const auto& [key, unit] :
       {std::pair{"cycles_by_level", "cycles"}, std::pair{"energy_by_level", "nJ"},
        std::pair{"reads", "elements"}}) {
    Part part = grouped(fmt::format("Side by side: {}", key), unit);
    compare_terms(part, first.at("metrics"), key, short_name(first, 1));
    compare_terms(part, second.at("metrics"), key, short_name(second, 2));
    add_part(section.parts, std::move(part));
  }
  return section;
}

const std::map<std::string, SectionMaker, std::less<>>& section_makers() {
  static const std::map<std::string, SectionMaker, std::less<>> makers{
      {"pimbb-audit/1", audit_section},
      {"pimbb-bench/1", bench_section},
      {"pimbb-cim-explanation/1", explanation_section},
      {"pimbb-cim-front/1", front_section},
      {"pimbb-cim-mapping/1", cim_mapping_section},
      {"pimbb-cim-network-front/1", front_section},
      {"pimbb-cim-network/1", network_section},
      {"pimbb-cim-sensitivity/1", sensitivity_section},
      {"pimbb-cim-study/1", plain_section},
      {"pimbb-cim-top/1", top_section},
      {"pimbb-crossbar-front/1", front_section},
      {"pimbb-crossbar-explanation/1", explanation_section},
      {"pimbb-crossbar-sensitivity/1", sensitivity_section},
      {"pimbb-crossbar-top/1", top_section},
      {"pimbb-crossbar/1", crossbar_section},
      {"pimbb-device-audit/1", plain_section},
      {"pimbb-device/1", device_section},
      {"pimbb-explanation/1", explanation_section},
      {"pimbb-explore/1", explore_section},
      {"pimbb-front/1", front_section},
      {"pimbb-mapping/1", dram_mapping_section},
      {"pimbb-network-front/1", front_section},
      {"pimbb-network/1", network_section},
      {"pimbb-plan/1", plan_section},
      {"pimbb-sensitivity/1", sensitivity_section},
      {"pimbb-top/1", top_section},
  };
  return makers;
}

}  // namespace pimbb::report
