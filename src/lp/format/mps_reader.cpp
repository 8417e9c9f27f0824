// Reading MPS, section by section, line by line.
#include "lp/format/mps_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "files/nearest.hpp"
#include "lp/format/mps_fields.hpp"
#include "lp/format/reader_tools.hpp"
#include "pimbb/error.hpp"

namespace pimbb::lp {
namespace {

using Fields = MpsFields;

enum class LineLayout { free, fixed };

std::string in_quotes(std::string_view text) { return fmt::format("'{}'", text); }

class MpsReader {
 public:
  MpsReader(const std::string& label, LineLayout layout) : label_(label), layout_(layout) {}

  MixedIntegerProgram read(std::string_view text);
  /// The line that it has come to.
  [[nodiscard]] int line() const { return line_; }

 private:
  enum class Section { none, name, sense, rows, columns, rhs, ranges, bounds, end };

  struct Row {
    char type = 'n';
    std::optional<RowIndex> index;  // nothing: the objective
    Rational rhs;
    std::optional<Rational> range;
    bool has_rhs = false;
    std::optional<ColIndex> last_column;  // the last one that has an entry here
  };
  struct Column {
    ColIndex index;
    Range range{Rational(0), std::nullopt};
    bool has_lower = false;  // of its own
    bool has_bounds = false;
    bool is_integer = false;
  };

  [[noreturn]] void refuse(const std::string& what) const {
    refuse_line(label_, std::max(line_, 1), what);
  }
  void take_line(std::string_view line);
  [[nodiscard]] Fields fixed_fields(std::string_view line) const;
  void start_section(const Fields& fields);
  void take_sense(std::string_view word);
  void take_row(const Fields& fields);
  void take_column(const Fields& fields);
  bool take_marker(const Fields& fields);
  void take_entry(Column& column, std::string_view row, std::string_view number);
  void take_rhs(const Fields& fields);
  void take_range(const Fields& fields);
  void take_bound(const Fields& fields);
  void set_bound(Column& column, std::string_view type, std::string_view number);
  void take_set_name(std::optional<std::string>& known, std::string_view name);
  std::size_t pairs_begin(const Fields& fields, std::optional<std::string>& set);
  Row& row(std::string_view name);
  void finish();

  const std::string& label_;
  LineLayout layout_;
  int line_ = 0;
  Section section_ = Section::none;
  std::vector<Section> seen_;
  MixedIntegerProgram program_;
  std::unordered_map<std::string_view, Row> rows_;  // names are those of the text that is read
  std::unordered_map<std::string_view, Column> columns_;
  std::optional<std::string> objective_;
  std::string_view current_column_;
  bool in_integers_ = false;
  std::optional<std::string> rhs_set_;
  std::optional<std::string> range_set_;
  std::optional<std::string> bound_set_;
};

MixedIntegerProgram MpsReader::read(std::string_view text) {
  while (!text.empty() && section_ != Section::end) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    ++line_;
    take_line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (section_ != Section::end) refuse("the file ends without ENDATA");
  if (!objective_) refuse("found no N row in ROWS, which would be the objective");
  finish();
  return std::move(program_);
}

void MpsReader::take_line(std::string_view line) {
  if (line.starts_with('*')) return;
  const Fields words = mps_free_fields(line);
  if (words.empty()) return;
  if (!is_mps_blank(line.front())) return start_section(words);
  if (section_ == Section::sense) return take_sense(words.front());  // no card has it
  const Fields fields = layout_ == LineLayout::free ? words : fixed_fields(line);
  switch (section_) {
    case Section::rows: return take_row(fields);
    case Section::columns: return take_column(fields);
    case Section::rhs: return take_rhs(fields);
    case Section::ranges: return take_range(fields);
    case Section::bounds: return take_bound(fields);
    default: refuse("found " + in_quotes(words.front()) + " outside of a section with data");
  }
}

Fields MpsReader::fixed_fields(std::string_view line) const {
  const std::string_view beside = mps_beside_fixed_fields(line);
  if (!beside.empty()) {
    refuse("found " + in_quotes(beside) +
           " beside the fields, allowed are the columns 2-3, 5-12, 15-22, 25-36, 40-47, 50-61");
  }
  return mps_fixed_fields(line);
}

void MpsReader::start_section(const Fields& fields) {
  static constexpr std::array<std::pair<std::string_view, Section>, 8> kSections{
      {{"NAME", Section::name},
       {"OBJSENSE", Section::sense},
       {"ROWS", Section::rows},
       {"COLUMNS", Section::columns},
       {"RHS", Section::rhs},
       {"RANGES", Section::ranges},
       {"BOUNDS", Section::bounds},
       {"ENDATA", Section::end}}};
  const auto* known =
      std::ranges::find(kSections, fields.front(), &std::pair<std::string_view, Section>::first);
  if (known == kSections.end()) {
    std::vector<std::string_view> names;
    for (const auto& [name, section] : kSections) names.push_back(name);
    refuse("found the section " + in_quotes(fields.front()) +
           files::did_you_mean(fields.front(), names) + ", allowed are " + files::join(names) +
           " (quadratic, ordered-set and indicator sections are not linear programs)");
  }
  section_ = known->second;
  if (std::ranges::count(seen_, section_) > 0) {
    refuse("found a second section " + in_quotes(fields.front()) + ", allowed is one");
  }
  seen_.push_back(section_);
  if (section_ == Section::name && fields.size() > 1) program_.name = std::string(fields[1]);
  if (section_ == Section::sense && fields.size() > 1) take_sense(fields[1]);
}

void MpsReader::take_sense(std::string_view word) {
  const std::string sense = lower_case(word);
  if (sense != "min" && sense != "max" && sense != "minimize" && sense != "maximize") {
    refuse("OBJSENSE: found " + in_quotes(word) + ", allowed are MIN, MAX, MINIMIZE, MAXIMIZE");
  }
  program_.maximise = sense.starts_with("max");
}

void MpsReader::take_row(const Fields& fields) {
  if (fields.size() != 2) {
    refuse("found " + std::to_string(fields.size()) + " fields, allowed are 2: type and row name");
  }
  const std::string type = lower_case(fields[0]);
  if (type.size() != 1 || std::string_view("nlge").find(type) == std::string_view::npos) {
    refuse("found the row type " + in_quotes(fields[0]) + ", allowed are N, L, G, E");
  }
  Row row;
  row.type = type.front();
  if (type == "n" && !objective_) {
    objective_ = std::string(fields[1]);
  } else {
    row.index = program_.relaxation.add_row({}, std::string(fields[1]));
  }
  if (!rows_.emplace(fields[1], row).second) {
    refuse("found the row " + in_quotes(fields[1]) + " a second time, allowed is once");
  }
}

MpsReader::Row& MpsReader::row(std::string_view name) {
  const auto found = rows_.find(name);
  if (found == rows_.end()) {
    refuse("found the row " + in_quotes(name) + ", allowed are those of the section ROWS");
  }
  return found->second;
}

bool MpsReader::take_marker(const Fields& fields) {
  if (fields.size() != 3 || fields[1] != "'MARKER'") return false;
  if (fields[2] != "'INTORG'" && fields[2] != "'INTEND'") {
    refuse("found the marker " + std::string(fields[2]) + ", allowed are 'INTORG' and 'INTEND'");
  }
  in_integers_ = fields[2] == "'INTORG'";
  return true;
}

void MpsReader::take_column(const Fields& fields) {
  if (take_marker(fields)) return;
  if (fields.size() != 3 && fields.size() != 5) {
    refuse("found " + std::to_string(fields.size()) +
           " fields, allowed are column, row, number and perhaps row, number");
  }
  const std::string_view name = fields[0];
  if (name != current_column_ || columns_.empty()) {
    Column column;
    column.is_integer = in_integers_;
    column.index = program_.relaxation.add_column(Rational(), {}, std::string(name));
    if (!columns_.emplace(name, column).second) {
      refuse("found the column " + in_quotes(name) +
             " again after others, allowed is to give all its entries together");
    }
    current_column_ = name;
  }
  Column& column = columns_.find(name)->second;
  for (std::size_t k = 1; k < fields.size(); k += 2) {
    take_entry(column, fields[k], fields[k + 1]);
  }
}

void MpsReader::take_entry(Column& column, std::string_view name, std::string_view number) {
  Row& to = row(name);
  Rational value = lp_number(label_, line_, number);
  if (std::exchange(to.last_column, column.index) == column.index) {
    refuse("found a second coefficient of column " + in_quotes(current_column_) + " in row " +
           in_quotes(name) + ", allowed is one");
  }
  if (to.index) {
    program_.relaxation.add_entry(*to.index, column.index, std::move(value));
  } else {
    program_.relaxation.set_cost(column.index, std::move(value));
  }
}

void MpsReader::take_set_name(std::optional<std::string>& known, std::string_view name) {
  if (!known) known = std::string(name);
  if (*known != name) {
    refuse("found a second set " + in_quotes(name) + " after " + in_quotes(*known) +
           ", allowed is one set of a kind");
  }
}

/// Lines of RHS and RANGES may leave their set's name out: then the number of fields is even.
std::size_t MpsReader::pairs_begin(const Fields& fields, std::optional<std::string>& set) {
  if (fields.size() < 2 || fields.size() > 5) {
    refuse("found " + std::to_string(fields.size()) +
           " fields, allowed are a set name, row, number and perhaps row, number");
  }
  const std::size_t begin = fields.size() % 2;
  take_set_name(set, begin == 1 ? fields[0] : std::string_view());
  return begin;
}

void MpsReader::take_rhs(const Fields& fields) {
  for (std::size_t k = pairs_begin(fields, rhs_set_); k < fields.size(); k += 2) {
    Row& of = row(fields[k]);
    of.rhs = lp_number(label_, line_, fields[k + 1]);
    if (std::exchange(of.has_rhs, true)) {
      refuse("found a second right hand side of row " + in_quotes(fields[k]) + ", allowed is one");
    }
  }
}

void MpsReader::take_range(const Fields& fields) {
  for (std::size_t k = pairs_begin(fields, range_set_); k < fields.size(); k += 2) {
    Row& ranged = row(fields[k]);
    if (ranged.type == 'n') {
      refuse("found a range of the N row " + in_quotes(fields[k]) + ", allowed are rows L, G, E");
    }
    if (ranged.range) {
      refuse("found a second range of row " + in_quotes(fields[k]) + ", allowed is one");
    }
    ranged.range = lp_number(label_, line_, fields[k + 1]);
  }
}

/// TYPE [SET] COLUMN [NUMBER]
void MpsReader::take_bound(const Fields& fields) {
  if (fields.empty()) refuse("found no field, allowed are bound type, set name, column and number");
  const std::string_view type = fields[0];
  const bool takes_number = type != "FR" && type != "MI" && type != "PL" && type != "BV";
  if (type == "SC") {
    refuse("found the bound type 'SC': semi-continuous columns are not linear programming");
  }
  static constexpr std::array<std::string_view, 9> kTypes{"LO", "UP", "FX", "FR", "MI",
                                                          "PL", "BV", "LI", "UI"};
  if (std::ranges::count(kTypes, type) == 0) {
    refuse("found the bound type " + in_quotes(type) + ", allowed are " + files::join(kTypes));
  }
  const std::size_t least = takes_number ? 3 : 2;
  if (fields.size() < least || fields.size() > 4) {
    refuse("found " + std::to_string(fields.size()) +
           " fields, allowed are bound type, set name, column" +
           (takes_number ? " and number" : ""));
  }
  // Without a set name all is one to the left; a number where none is needed is let pass.
  const bool has_set =
      takes_number ? fields.size() == 4
                   : fields.size() == 4 || (fields.size() == 3 && columns_.contains(fields[2]));
  take_set_name(bound_set_, has_set ? fields[1] : std::string_view());
  const std::string_view name = fields[has_set ? 2 : 1];
  const auto found = columns_.find(name);
  if (found == columns_.end()) {
    refuse("found the column " + in_quotes(name) + ", allowed are those of the section COLUMNS");
  }
  set_bound(found->second, type, takes_number ? fields.back() : std::string_view());
}

void MpsReader::set_bound(Column& column, std::string_view type, std::string_view number) {
  Range& range = column.range;
  column.has_bounds = true;
  if (type == "BV" || type == "LI" || type == "UI") column.is_integer = true;
  if (type == "LO" || type == "LI") range.lower = lp_bound(label_, line_, number, Side::lower);
  if (type == "UP" || type == "UI") range.upper = lp_bound(label_, line_, number, Side::upper);
  if (type == "FX") range.lower = range.upper = lp_number(label_, line_, number);
  if (type == "MI" || type == "FR") range.lower.reset();
  if (type == "PL" || type == "FR") range.upper.reset();
  if (type == "BV") range = {Rational(0), Rational(1)};
  const bool sets_upper_only = type == "UP" || type == "UI" || type == "PL";
  if (!sets_upper_only) column.has_lower = true;
  if (sets_upper_only && !column.has_lower && range.upper && range.upper->sign() < 0) {
    range.lower.reset();
  }
}

Range range_of(char type, const Rational& rhs, const std::optional<Rational>& range) {
  const Rational width = !range ? Rational() : range->sign() < 0 ? Rational() - *range : *range;
  switch (type) {
    case 'l': return {range ? Bound(rhs - width) : std::nullopt, rhs};
    case 'g': return {rhs, range ? Bound(rhs + width) : std::nullopt};
    case 'e':
      if (range && range->sign() < 0) return {rhs - width, rhs};
      return {rhs, rhs + width};
    default: return {};
  }
}

void MpsReader::finish() {
  for (const auto& [name, row] : rows_) {
    if (row.index)
      program_.relaxation.set_range(*row.index, range_of(row.type, row.rhs, row.range));
  }
  program_.objective_name = *objective_;
  program_.constant = Rational() - rows_.at(*objective_).rhs;
  for (auto& [name, column] : columns_) {
    // The customary reading of a column between markers without bounds: it is 0 or 1.
    if (column.is_integer && !column.has_bounds) column.range.upper = Rational(1);
    program_.relaxation.set_range(column.index, column.range);
    if (column.is_integer) program_.mark_integer(column.index);
    if (program_.maximise) {
      program_.relaxation.set_cost(column.index,
                                   Rational() - program_.relaxation.cost(column.index));
    }
  }
}

}  // namespace

MixedIntegerProgram parse_mps(std::string_view text, const std::string& label) {
  MpsReader free(label, LineLayout::free);
  try {
    return free.read(text);
  } catch (const InputError& free_error) {
    MpsReader fixed(label, LineLayout::fixed);
    try {
      return fixed.read(text);
    } catch (const InputError& fixed_error) {  // the message of the one that came further
      throw fixed.line() > free.line() ? fixed_error : free_error;
    }
  }
}

}  // namespace pimbb::lp
