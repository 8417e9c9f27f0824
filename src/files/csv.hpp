// Tables as comma-separated values (RFC 4180): a line of names, then a line for each row. Cells
// with commas, quotes or line ends are quoted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/rational.hpp"

namespace pimbb::files {

/// A row, cell by cell. Numbers are those of the JSON documents: the shortest decimals that read
/// back to the nearest double.
class CsvRow {
 public:
  CsvRow& add(std::string_view text);
  CsvRow& add(const char* text) { return add(std::string_view(text)); }
  CsvRow& add(std::int64_t value);
  CsvRow& add(double value);
  CsvRow& add(const Rational& value);
  CsvRow& add(const std::optional<double>& value);  ///< an empty cell if there is no value

  [[nodiscard]] std::string text() const { return line_ + '\n'; }

 private:
  std::string line_;
  bool empty_ = true;
};

/// The first line.
std::string csv_header(const std::vector<std::string>& names);

}  // namespace pimbb::files
