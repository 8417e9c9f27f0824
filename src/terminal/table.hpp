// A table that is printed row by row while its rows are still being computed.
//
// The minimum width of each column is given beforehand. A wider cell shifts the rest of its row.
// Where the columns take more room than there is, those of high rank are left out; if that is not
// enough, the names in the widest column are cut. Cells may be coloured.
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
  int rank = 0;           ///< 0: always shown; otherwise the higher, the sooner left out
};

class Table {
 public:
  /// At most `room` columns of the screen.
  explicit Table(std::vector<Column> columns, std::size_t room = Style::kAnyWidth);

  /// Each is one line with its newline and without trailing spaces.
  [[nodiscard]] std::string header(const Style& style) const;
  [[nodiscard]] std::string rule(const Style& style) const;
  /// At most as many cells as columns; missing cells are empty.
  [[nodiscard]] std::string row(const std::vector<std::string>& cells) const;
  /// "--wide also shows nodes, time": the columns that are left out; empty if there are none.
  [[nodiscard]] std::string note(const Style& style) const;

 private:
  void select(std::size_t room);
  void narrow(std::size_t room);
  [[nodiscard]] std::size_t taken() const;

  std::vector<Column> columns_;
  std::vector<bool> shown_;
  std::size_t
      cut_;  ///< the column whose cells are cut to its width; none if there is no such column
};

/// A whole table, of the style's width, whose column widths are taken from its rows.
std::string whole_table(const Style& style, std::vector<Column> columns,
                        const std::vector<std::vector<std::string>>& rows);

}  // namespace pimbb::terminal
