// A table of a study, in its report and in its JSON document.
#pragma once

#include <string>
#include <vector>

#include "files/json_text.hpp"
#include "terminal/table.hpp"

namespace pimbb::terminal {

struct Section {
  std::string title;
  std::vector<Column> columns;
  std::vector<std::vector<std::string>> rows;
};

/// An empty line, the title, the table.
std::string section_text(const Style& style, const Section& section);

/// The tables as they are printed: of each its title and an array of objects.
files::Json tables_json(const std::vector<Section>& sections);

}  // namespace pimbb::terminal
