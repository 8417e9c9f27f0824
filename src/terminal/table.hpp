// A table that is printed row by row while its rows are still being computed.
//
// The minimum width of each column is given beforehand. A wider cell shifts the rest of its row and
// is never truncated. Cells may be coloured.
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

  /// Each is one line with its newline and without trailing spaces.
  [[nodiscard]] std::string header(const Style& style) const;
  [[nodiscard]] std::string rule(const Style& style) const;
  /// At most as many cells as columns; missing cells are empty.
  [[nodiscard]] std::string row(const std::vector<std::string>& cells) const;

 private:
  std::vector<Column> columns_;
};

/// A whole table whose column widths are taken from its rows.
std::string whole_table(const Style& style, std::vector<Column> columns,
                        const std::vector<std::vector<std::string>>& rows);

}  // namespace pimbb::terminal
