// Sections as text and as JSON.
#include "terminal/section.hpp"

#include <utility>

namespace pimbb::terminal {

std::string section_text(const Style& style, const Section& section) {
  return "\n" + style.heading(section.title) + "\n" +
         whole_table(style, section.columns, section.rows);
}

files::Json tables_json(const std::vector<Section>& sections) {
  files::Json tables = files::Json::array();
  for (const Section& section : sections) {
    files::Json rows = files::Json::array();
    for (const auto& cells : section.rows) {
      files::Json row = files::Json::object();
      for (std::size_t k = 0; k < cells.size(); ++k) row[section.columns[k].header] = cells[k];
      rows.push_back(std::move(row));
    }
    tables.push_back({{"title", section.title}, {"rows", std::move(rows)}});
  }
  return tables;
}

}  // namespace pimbb::terminal
