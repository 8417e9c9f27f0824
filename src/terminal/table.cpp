// Padding and joining cells.
#include "terminal/table.hpp"

#include <algorithm>

#include "terminal/format.hpp"

namespace pimbb::terminal {

Table::Table(std::vector<Column> columns) : columns_(std::move(columns)) {
  for (Column& column : columns_)
    column.width = std::max(column.width, terminal::columns(column.header));
}

std::string Table::row(const std::vector<std::string>& cells) const {
  std::string line;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Column& column = columns_.at(i);
    if (i > 0) line += "  ";
    line += column.right ? pad_left(cells[i], column.width) : pad_right(cells[i], column.width);
  }
  line.erase(line.find_last_not_of(' ') + 1);
  return line += '\n';
}

std::string Table::header(const Style& style) const {
  std::vector<std::string> names;
  for (const Column& column : columns_) names.push_back(column.header);
  std::string line = row(names);
  line.pop_back();
  return style.heading(line) + '\n';
}

std::string Table::rule(const Style& style) const {
  std::string line;
  for (const Column& column : columns_) {
    if (!line.empty()) line += style.unicode ? "──" : "--";
    for (std::size_t i = 0; i < column.width; ++i) line += style.unicode ? "─" : "-";
  }
  return style.faint(line) + '\n';
}

std::string whole_table(const Style& style, std::vector<Column> columns,
                        const std::vector<std::vector<std::string>>& rows) {
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      columns.at(i).width = std::max(columns[i].width, terminal::columns(row[i]));
    }
  }
  const Table table(std::move(columns));
  std::string text = table.header(style);
  for (const auto& row : rows) text += table.row(row);
  return text;
}

}  // namespace pimbb::terminal
