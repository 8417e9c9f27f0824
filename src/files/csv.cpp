// Quoting, and numbers as text.
#include "files/csv.hpp"

#include <fmt/format.h>

namespace pimbb::files {

CsvRow& CsvRow::add(std::string_view text) {
  if (!empty_) line_ += ',';
  empty_ = false;
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) {
    line_ += text;
    return *this;
  }
  line_ += '"';
  for (const char c : text) line_ += c == '"' ? std::string("\"\"") : std::string(1, c);
  line_ += '"';
  return *this;
}

CsvRow& CsvRow::add(std::int64_t value) { return add(std::to_string(value)); }
CsvRow& CsvRow::add(double value) { return add(fmt::format("{}", value)); }
CsvRow& CsvRow::add(const Rational& value) { return add(value.to_double()); }
CsvRow& CsvRow::add(const std::optional<double>& value) {
  return value ? add(*value) : add(std::string_view());
}

std::string csv_header(const std::vector<std::string>& names) {
  CsvRow row;
  for (const std::string& name : names) row.add(name);
  return row.text();
}

}  // namespace pimbb::files
