// Reading the LP format by recursive descent.
#include "lp/format/lp_format_reader.hpp"

#include <fmt/format.h>

#include "lp/format/lp_format_lexer.hpp"
#include "lp/format/reader_tools.hpp"

namespace pimbb::lp {
namespace {

Rational negated(const Rational& value) { return Rational() - value; }

/// A sum of terms.
struct Expression {
  std::map<int, Rational> terms;  // by column
  Rational constant;
};

LpWord mirrored(LpWord relation) {
  if (relation == LpWord::at_most) return LpWord::at_least;
  return relation == LpWord::at_least ? LpWord::at_most : relation;
}

class LpReader {
 public:
  LpReader(std::string_view text, const std::string& label)
      : label_(label), tokens_(lp_tokens(text, label)) {}

  MixedIntegerProgram read();

 private:
  [[noreturn]] void refuse(const std::string& allowed) const {
    refuse_line(label_, here().line,
                "found '" + std::string(here().text) + "', allowed is " + allowed);
  }
  [[nodiscard]] const LpToken& here() const { return tokens_[at_]; }
  [[nodiscard]] bool is_at(LpWord word) const { return here().word == word; }
  [[nodiscard]] bool is_at_relation() const {
    return is_at(LpWord::at_most) || is_at(LpWord::at_least) || is_at(LpWord::equal);
  }
  [[nodiscard]] bool is_at_section() const {
    return here().word < LpWord::number || is_at(LpWord::end_of_file);
  }
  bool take(LpWord word) {
    if (!is_at(word)) return false;
    ++at_;
    return true;
  }
  std::string take_label();
  ColIndex column(std::string_view name);
  [[nodiscard]] ColIndex known_column() const;
  [[nodiscard]] bool is_at_left_bound() const;
  Expression expression();
  void objective();
  void constraint();
  void bound();
  void declared(bool binary);
  bool take_sign(bool& negative);
  std::string signed_number();
  LpWord relation();
  void relate(LpWord relation, const std::string& number, Range& range) const;

  const std::string& label_;
  std::vector<LpToken> tokens_;  // never empty: the last one is the end of the file
  std::size_t at_ = 0;
  MixedIntegerProgram program_;
  NameTable<ColIndex> columns_;
};

ColIndex LpReader::column(std::string_view name) {
  const auto known = columns_.find(name);
  if (known != columns_.end()) return known->second;
  const ColIndex added =
      program_.relaxation.add_column(Rational(), {Rational(0), std::nullopt}, std::string(name));
  columns_.emplace(std::string(name), added);
  return added;
}

std::string LpReader::take_label() {
  if (!is_at(LpWord::name) || tokens_[at_ + 1].word != LpWord::colon) return {};
  at_ += 2;
  return std::string(tokens_[at_ - 2].text);
}

/// Any number of signs; false if there is none.
bool LpReader::take_sign(bool& negative) {
  const std::size_t before = at_;
  for (; is_at(LpWord::plus) || is_at(LpWord::minus); ++at_) negative ^= is_at(LpWord::minus);
  return at_ > before;
}

std::string LpReader::signed_number() {
  bool negative = false;
  take_sign(negative);
  if (!is_at(LpWord::number)) refuse("a number");
  return fmt::format("{}{}", negative ? "-" : "", tokens_[at_++].text);
}

LpWord LpReader::relation() {
  if (!is_at_relation()) refuse("a relation: <=, >= or =");
  return tokens_[at_++].word;
}

/// [sign] term {sign term}, a term being a number, a name, or a number and a name.
Expression LpReader::expression() {
  Expression sum;
  for (bool first = true;; first = false) {
    bool negative = false;
    if (!take_sign(negative) && !first) return sum;
    const bool has_factor = is_at(LpWord::number);
    Rational factor = has_factor ? lp_number(label_, here().line, here().text) : Rational(1);
    if (has_factor) ++at_;
    if (negative) factor = negated(factor);
    if (is_at(LpWord::name)) {
      sum.terms[column(here().text).value()] += factor;
      ++at_;
    } else if (has_factor) {
      sum.constant += factor;
    } else {
      refuse("a number or a name");
    }
  }
}

void LpReader::objective() {
  if (!is_at(LpWord::minimise) && !is_at(LpWord::maximise)) refuse("Minimize or Maximize");
  program_.maximise = is_at(LpWord::maximise);
  ++at_;
  program_.objective_name = take_label();
  if (is_at_section()) return;  // no objective: all solutions are optimal
  const Expression sum = expression();
  program_.constant = sum.constant;
  for (const auto& [index, factor] : sum.terms) {
    program_.relaxation.set_cost(ColIndex(index), program_.maximise ? negated(factor) : factor);
  }
}

/// Narrows a range by "RELATION number".
void LpReader::relate(LpWord relation, const std::string& number, Range& range) const {
  const int line = tokens_[at_ - 1].line;
  if (relation == LpWord::equal) range.lower = range.upper = lp_number(label_, line, number);
  if (relation == LpWord::at_most) range.upper = lp_bound(label_, line, number, Side::upper);
  if (relation == LpWord::at_least) range.lower = lp_bound(label_, line, number, Side::lower);
}

/// Whether a signed number and a relation come next: "2 <= ...".
bool LpReader::is_at_left_bound() const {
  std::size_t at = at_;
  while (tokens_[at].word == LpWord::plus || tokens_[at].word == LpWord::minus) ++at;
  if (tokens_[at].word != LpWord::number) return false;
  const LpWord next = tokens_[at + 1].word;
  return next == LpWord::at_most || next == LpWord::at_least || next == LpWord::equal;
}

/// [number RELATION] expression RELATION number; one of the two relations may be missing.
void LpReader::constraint() {
  const std::string name = take_label();
  Range range;
  const bool has_left = is_at_left_bound();
  if (has_left) {
    const std::string number = signed_number();
    relate(mirrored(relation()), number, range);
  }
  const Expression sum = expression();
  if (!has_left || is_at_relation()) {
    const LpWord word = relation();
    relate(word, signed_number(), range);
  }
  if (range.lower) *range.lower -= sum.constant;
  if (range.upper) *range.upper -= sum.constant;
  const RowIndex row = program_.relaxation.add_row(range, name);
  for (const auto& [index, factor] : sum.terms) {
    program_.relaxation.add_entry(row, ColIndex(index), factor);
  }
}

/// [number RELATION] name [RELATION number], or: name free.
void LpReader::bound() {
  std::string left;
  LpWord left_relation{};
  if (!is_at(LpWord::name)) {
    left = signed_number();
    left_relation = mirrored(relation());
  }
  const ColIndex index = known_column();
  ++at_;
  Range range = program_.relaxation.range(index);
  if (!left.empty()) relate(left_relation, left, range);
  if (is_at_relation()) {
    const LpWord word = relation();
    relate(word, signed_number(), range);
  } else if (left.empty()) {
    if (!is_at(LpWord::name) || lower_case(here().text) != "free") refuse("a relation or 'free'");
    ++at_;
    range = {};
  }
  program_.relaxation.set_range(index, range);
}

ColIndex LpReader::known_column() const {
  if (!is_at(LpWord::name)) refuse("the name of a variable");
  const auto found = columns_.find(here().text);
  if (found == columns_.end()) refuse("a variable of the objective or the constraints");
  return found->second;
}

void LpReader::declared(bool binary) {
  const ColIndex index = known_column();
  ++at_;
  program_.mark_integer(index);
  if (binary) program_.relaxation.set_range(index, {Rational(0), Rational(1)});
}

MixedIntegerProgram LpReader::read() {
  objective();
  if (!take(LpWord::subject_to)) refuse("Subject To");
  while (!is_at_section()) constraint();
  while (!is_at(LpWord::end) && !is_at(LpWord::end_of_file)) {
    const LpWord section = here().word;
    if (section < LpWord::bounds) refuse("Bounds, General, Binary or End");
    ++at_;
    while (!is_at_section()) {
      section == LpWord::bounds ? bound() : declared(section == LpWord::binaries);
    }
  }
  return std::move(program_);
}

}  // namespace

MixedIntegerProgram parse_lp_format(std::string_view text, const std::string& label) {
  return LpReader(text, label).read();
}

}  // namespace pimbb::lp
