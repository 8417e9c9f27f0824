#include "report/parts.hpp"

#include <fmt/format.h>

#include <cctype>
#include <functional>
#include <set>
#include <utility>

#include "files/csv.hpp"

namespace pimbb::report {
namespace {

Part chart(std::string kind, std::string title, std::vector<std::string> columns, Json more) {
  Part part;
  part.kind = std::move(kind);
  part.title = std::move(title);
  part.columns = std::move(columns);
  part.more = std::move(more);
  return part;
}

/// Letters and digits of a text, others as single hyphens.
std::string slug(std::string_view text) {
  std::string name;
  for (const char c : text) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (!name.empty() && name.back() == '-') name.pop_back();
  return name.empty() ? "part" : name.substr(0, 80);
}

void name_all(std::vector<Part>& parts, const std::string& place, std::set<std::string>& taken) {
  for (Part& part : parts) {
    const std::string wanted = place + "-" + slug(part.title);
    part.id = wanted;
    for (int n = 2; !taken.insert(part.id).second; ++n) part.id = fmt::format("{}-{}", wanted, n);
    name_all(part.parts, part.id, taken);
  }
}

std::string section_id(std::size_t i) { return fmt::format("result-{}", i + 1); }

void collect_tables(const std::vector<Part>& parts, std::vector<const Part*>& all) {
  for (const Part& part : parts) {
    if (part.has_table()) all.push_back(&part);
    collect_tables(part.parts, all);
  }
}

Json facts_json(const std::vector<Fact>& facts) {
  Json all = Json::array();
  for (const Fact& fact : facts) {
    Json json{{"name", fact.name}, {"value", fact.value}};
    if (!fact.unit.empty()) json["unit"] = fact.unit;
    if (!fact.exact.empty()) json["exact"] = fact.exact;
    if (!fact.tone.empty()) json["tone"] = fact.tone;
    all.push_back(std::move(json));
  }
  return all;
}

Json parts_json(const std::vector<Part>& parts) {
  Json all = Json::array();
  for (const Part& part : parts) {
    Json json{{"kind", part.kind}, {"id", part.id}, {"title", part.title}};
    if (!part.note.empty()) json["note"] = part.note;
    if (part.has_table()) {
      json["columns"] = part.columns;
      json["rows"] = part.rows;
    }
    json.update(part.more);
    if (!part.facts.empty()) json["facts"] = facts_json(part.facts);
    if (part.kind == "fold") json["parts"] = parts_json(part.parts);
    all.push_back(std::move(json));
  }
  return all;
}

}  // namespace

Part bars(std::string title, std::string unit) {
  return chart("bars", std::move(title), {"group", "part", "value"}, {{"unit", std::move(unit)}});
}

Part grouped(std::string title, std::string unit) {
  return chart("grouped", std::move(title), {"group", "part", "value"},
               {{"unit", std::move(unit)}});
}

Part blocks(std::string title, std::string unit, std::string lanes) {
  return chart("blocks", std::move(title), {"panel", "lane", "from", "to", "category", "label"},
               {{"unit", std::move(unit)}, {"lanes", std::move(lanes)}});
}

Part steps(std::string title, std::string x, std::string y) {
  return chart("steps", std::move(title), {"series", "x", "y"},
               {{"x", std::move(x)}, {"y", std::move(y)}});
}

Part scatter(std::string title, std::string x, std::string y) {
  return chart("scatter", std::move(title), {"label", "x", "y", "series", "front", "detail"},
               {{"x", std::move(x)}, {"y", std::move(y)}});
}

Part table(std::string title, std::vector<std::string> columns) {
  return chart("table", std::move(title), std::move(columns), Json::object());
}

Part fold(std::string title) { return chart("fold", std::move(title), {}, Json::object()); }

void add_part(std::vector<Part>& parts, Part part) {
  const bool shows = part.kind == "nest" || !part.rows.empty() || !part.parts.empty();
  if (shows) parts.push_back(std::move(part));
}

void name_parts(Report& report) {
  std::set<std::string> taken;
  for (std::size_t i = 0; i < report.sections.size(); ++i) {
    name_all(report.sections[i].parts, section_id(i), taken);
  }
}

std::vector<const Part*> tables_of(const Report& report) {
  std::vector<const Part*> all;
  for (const Section& section : report.sections) collect_tables(section.parts, all);
  return all;
}

std::string csv_of(const Part& part) {
  std::string text = files::csv_header(part.columns);
  for (const std::vector<Json>& row : part.rows) {
    files::CsvRow line;
    for (const Json& cell : row) {
      if (cell.is_null()) {
        line.add("");
      } else if (cell.is_string()) {
        line.add(cell.get<std::string>());
      } else {
        line.add(cell.dump());
      }
    }
    text += line.text();
  }
  return text;
}

Json report_json(const Report& report) {
  Json sections = Json::array();
  for (std::size_t i = 0; i < report.sections.size(); ++i) {
    const Section& section = report.sections[i];
    Json json{{"id", section_id(i)}, {"title", section.title}};
    if (!section.note.empty()) json["note"] = section.note;
    json["facts"] = facts_json(section.facts);
    json["parts"] = parts_json(section.parts);
    sections.push_back(std::move(json));
  }
  return {{"title", report.title}, {"made", report.made}, {"sections", std::move(sections)}};
}

}  // namespace pimbb::report
