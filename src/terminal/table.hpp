// A table that is printed row by row while its rows are still being computed.
//
// Columns have a least width, known beforehand; a cell that is wider pushes its row, never cuts
// the figure. Cells may be coloured.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "terminal/terminal.hpp"

namespace pimbb::terminal {

struct Column {
  std::string header;
  std::size_t width = 0;  ///< at least this, and at least the header's
  bool right = true;      ///< figures to the right, names to the left
};

class Table {
 public:
  explicit Table(std::vector<Column> columns);

  /// Each is one line with its newline; spaces at the end are left out.
  [[nodiscard]] std::string header(const Style& style) const;
  [[nodiscard]] std::string rule(const Style& style) const;
  /// No more cells than columns; missing ones stay empty.
  [[nodiscard]] std::string row(const std::vector<std::string>& cells) const;

 private:
  std::vector<Column> columns_;
};

/// A whole table whose column widths are taken from its rows.
std::string whole_table(const Style& style, std::vector<Column> columns,
                        const std::vector<std::vector<std::string>>& rows);

}  // namespace pimbb::terminal
