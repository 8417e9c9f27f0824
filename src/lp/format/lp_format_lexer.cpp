// Cutting a text in LP format into words.
#include "lp/format/lp_format_lexer.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>

#include "lp/format/reader_tools.hpp"

namespace pimbb::lp {
namespace {

struct Keyword {
  std::string_view text;
  LpWord word;
};

// Two-word keywords before their first words.
constexpr std::array<Keyword, 24> kKeywords{
    {{"minimize", LpWord::minimise},     {"minimise", LpWord::minimise},
     {"minimum", LpWord::minimise},      {"min", LpWord::minimise},
     {"maximize", LpWord::maximise},     {"maximise", LpWord::maximise},
     {"maximum", LpWord::maximise},      {"max", LpWord::maximise},
     {"subject to", LpWord::subject_to}, {"such that", LpWord::subject_to},
     {"s.t.", LpWord::subject_to},       {"st.", LpWord::subject_to},
     {"st", LpWord::subject_to},         {"bounds", LpWord::bounds},
     {"bound", LpWord::bounds},          {"generals", LpWord::integers},
     {"general", LpWord::integers},      {"gen", LpWord::integers},
     {"integers", LpWord::integers},     {"integer", LpWord::integers},
     {"binaries", LpWord::binaries},     {"binary", LpWord::binaries},
     {"bin", LpWord::binaries},          {"end", LpWord::end}}};

constexpr std::array<std::string_view, 9> kRefused{
    "semi-continuous", "semis", "semi", "sos", "sos1", "sos2", "pwlobj", "lazy", "user"};

bool starts_name(char c) {
  return std::isalpha(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("!\"#$%&(),;?@_'`{}~").find(c) != std::string_view::npos;
}
bool continues_name(char c) {
  return starts_name(c) || c == '.' || std::isdigit(static_cast<unsigned char>(c)) != 0;
}
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& label) : text_(text), label_(label) {}

  std::vector<LpToken> run();

 private:
  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  void push(LpWord word, std::size_t size) {
    tokens_.push_back({word, text_.substr(at_, size), line_});
    at_ += size;
    first_on_line_ = false;
  }
  bool skip_space();
  bool take_keyword();
  void take_number();
  void take_name();
  void take_sign();

  std::string_view text_;
  const std::string& label_;
  std::size_t at_ = 0;
  int line_ = 1;
  bool first_on_line_ = true;
  std::vector<LpToken> tokens_;
};

/// Blanks, line ends and comments.
bool Lexer::skip_space() {
  const char c = peek();
  if (c == '\\') {
    at_ = std::min(text_.find('\n', at_), text_.size());
    return true;
  }
  if (std::isspace(static_cast<unsigned char>(c)) == 0) return false;
  if (c == '\n') {
    ++line_;
    first_on_line_ = true;
  }
  ++at_;
  return true;
}

/// First on its line, followed by a blank or the end of the line, and not by a colon: a constraint
/// may be called "st".
bool Lexer::take_keyword() {
  if (!first_on_line_) return false;
  const std::size_t line_end = std::min(text_.find_first_of("\n\\", at_), text_.size());
  const std::string line = lower_case(text_.substr(at_, line_end - at_));
  const auto stands = [&](std::string_view keyword) {
    if (!line.starts_with(keyword)) return false;
    const std::string_view rest = std::string_view(line).substr(keyword.size());
    const std::size_t next = rest.find_first_not_of(" \t\r");
    return next != 0 && (next == std::string_view::npos || rest[next] != ':');
  };
  for (const std::string_view refused : kRefused) {
    if (!stands(refused)) continue;
    refuse_line(label_, line_,
                "found the section '" + std::string(refused) +
                    "', which is not linear programming; allowed are Bounds, "
                    "General, Binary, End");
  }
  for (const auto& [keyword, word] : kKeywords) {
    if (!stands(keyword)) continue;
    push(word, keyword.size());
    return true;
  }
  return false;
}

/// Digits, a point, an exponent if digits follow it ("3 e" is 3 times e).
void Lexer::take_number() {
  std::size_t size = 0;
  while (is_digit(peek(size)) || peek(size) == '.') ++size;
  if (peek(size) == 'e' || peek(size) == 'E') {
    const std::size_t sign = peek(size + 1) == '+' || peek(size + 1) == '-' ? 1 : 0;
    if (is_digit(peek(size + 1 + sign))) {
      size += 1 + sign;
      while (is_digit(peek(size))) ++size;
    }
  }
  push(LpWord::number, size);
}

void Lexer::take_name() {
  std::size_t size = 0;
  while (continues_name(peek(size))) ++size;
  const std::string text = lower_case(text_.substr(at_, size));
  push(text == "inf" || text == "infinity" ? LpWord::number : LpWord::name, size);
}

void Lexer::take_sign() {
  const char c = peek();
  const char next = peek(1);
  if (c == '+') return push(LpWord::plus, 1);
  if (c == '-') return push(LpWord::minus, 1);
  if (c == ':') return push(LpWord::colon, 1);
  if (c == '<') return push(LpWord::at_most, next == '=' ? 2 : 1);
  if (c == '>') return push(LpWord::at_least, next == '=' ? 2 : 1);
  if (c == '=' && next == '<') return push(LpWord::at_most, 2);
  if (c == '=' && next == '>') return push(LpWord::at_least, 2);
  if (c == '=') return push(LpWord::equal, 1);
  const bool quadratic = c == '[' || c == ']' || c == '*' || c == '^';
  refuse_line(label_, line_,
              std::string("found the character '") + (std::isprint(c) != 0 ? c : '?') + "'" +
                  (quadratic ? ": products of variables are not linear programming" : "") +
                  ", allowed are numbers, names, + - : < <= = >= >");
}

std::vector<LpToken> Lexer::run() {
  while (at_ < text_.size()) {
    if (skip_space() || take_keyword()) continue;
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) {
      take_number();
    } else if (starts_name(peek())) {
      take_name();
    } else {
      take_sign();
    }
  }
  tokens_.push_back({LpWord::end_of_file, "the end of the file", line_});
  return std::move(tokens_);
}

}  // namespace

std::vector<LpToken> lp_tokens(std::string_view text, const std::string& label) {
  return Lexer(text, label).run();
}

bool is_lp_name(std::string_view text) {
  if (text.empty() || !starts_name(text.front()) || !std::ranges::all_of(text, continues_name)) {
    return false;
  }
  const std::string word = lower_case(text);
  return word != "inf" && word != "infinity" && std::ranges::count(kRefused, word) == 0 &&
         std::ranges::count(kKeywords, word, &Keyword::text) == 0;
}

}  // namespace pimbb::lp
