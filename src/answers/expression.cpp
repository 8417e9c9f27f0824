// A parser by recursive descent; the depth of its recursion is bounded.
#include "answers/expression.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <utility>

namespace pimbb::answers {

struct Expression::Term {
  enum class Kind { number, path, minus, operation, comparison };
  Kind kind = Kind::number;
  Rational number;   ///< of a number
  std::string text;  ///< of a path; the sign of an operation or a comparison
  std::shared_ptr<const Term> left, right;
};

namespace {

using Term = Expression::Term;
using TermPointer = std::shared_ptr<const Term>;

constexpr std::size_t kDeepest = 200;  // parentheses and signs inside each other
constexpr std::size_t kLongest = 10'000;

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool begins_name(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_in_path(char c) { return begins_name(c) || is_digit(c) || c == '.'; }

class ExpressionParser {
 public:
  explicit ExpressionParser(std::string_view text) : text_(text) {
    if (text.size() > kLongest) {
      throw ExpressionError{std::to_string(text.size()) + " characters",
                            "expressions of at most " + std::to_string(kLongest)};
    }
  }

  TermPointer whole() {
    TermPointer term = expression();
    if (!rest().empty()) refuse("operators + - * / and one comparison");
    return term;
  }

 private:
  TermPointer expression() {
    TermPointer left = sum();
    const auto sign = accept({"<=", ">=", "==", "!=", "<", ">"});
    if (!sign) return left;
    require_number(left);
    TermPointer right = sum();
    require_number(right);
    if (accept({"<=", ">=", "==", "!=", "<", ">"})) {
      throw ExpressionError{"a second comparison", "one comparison"};
    }
    return joined(Term::Kind::comparison, *sign, left, right);
  }

  TermPointer sum() {
    TermPointer left = product();
    while (const auto sign = accept({"+", "-"})) {
      require_number(left);
      TermPointer right = product();
      require_number(right);
      left = joined(Term::Kind::operation, *sign, left, right);
    }
    return left;
  }

  TermPointer product() {
    TermPointer left = factor();
    while (const auto sign = accept({"*", "/"})) {
      require_number(left);
      TermPointer right = factor();
      require_number(right);
      left = joined(Term::Kind::operation, *sign, left, right);
    }
    return left;
  }

  TermPointer factor() {
    if (++depth_ > kDeepest) {
      throw ExpressionError{"parentheses too deep inside each other",
                            "at most " + std::to_string(kDeepest)};
    }
    TermPointer term = accept({"-"}) ? negated() : primary();
    --depth_;
    return term;
  }

  TermPointer negated() {
    TermPointer inner = factor();
    require_number(inner);
    return joined(Term::Kind::minus, "-", inner, nullptr);
  }

  TermPointer primary() {
    if (accept({"("})) {
      TermPointer inner = expression();
      if (!accept({")"})) refuse("a closing parenthesis");
      return inner;
    }
    const std::string_view rest = this->rest();
    if (!rest.empty() && begins_name(rest.front())) return path();
    if (!rest.empty() && (is_digit(rest.front()) || rest.front() == '.')) return number();
    refuse("a number, a path of keys or a parenthesis");
  }

  TermPointer path() {
    auto term = std::make_shared<Term>();
    term->kind = Term::Kind::path;
    term->text = take_while(is_in_path);
    if (term->text.back() == '.' || term->text.find("..") != std::string::npos) {
      throw ExpressionError{"the path '" + term->text + "'", "names with one dot between them"};
    }
    return term;
  }

  TermPointer number() {
    auto term = std::make_shared<Term>();
    std::string digits = take_while([](char c) { return is_digit(c) || c == '.'; });
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      digits += text_[at_++];
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) digits += text_[at_++];
      digits += take_while(is_in_path);
    } else if (at_ < text_.size() && is_in_path(text_[at_])) {
      digits += take_while(is_in_path);
    }
    try {
      term->number = Rational::parse(digits);
    } catch (const std::invalid_argument&) {
      throw ExpressionError{"'" + digits + "'", "numbers such as 12, 0.5 and 1e-3"};
    }
    return term;
  }

  static TermPointer joined(Term::Kind kind, std::string_view sign, TermPointer left,
                            TermPointer right) {
    auto term = std::make_shared<Term>();
    term->kind = kind;
    term->text = sign;
    term->left = std::move(left);
    term->right = std::move(right);
    return term;
  }

  static void require_number(const TermPointer& term) {
    if (term->kind == Term::Kind::comparison) {
      throw ExpressionError{"a comparison as an operand", "numbers there"};
    }
  }

  /// What is left, without the spaces before it.
  std::string_view rest() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n')) ++at_;
    return text_.substr(at_);
  }

  /// The first of the signs that is next, which is then behind us.
  std::optional<std::string_view> accept(std::initializer_list<std::string_view> signs) {
    const std::string_view rest = this->rest();
    for (const std::string_view sign : signs) {
      if (!rest.starts_with(sign)) continue;
      at_ += sign.size();
      return sign;
    }
    return std::nullopt;
  }

  template <class Test>
  std::string take_while(Test test) {
    const std::size_t begin = at_;
    while (at_ < text_.size() && test(text_[at_])) ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  [[noreturn]] void refuse(std::string_view allowed) {
    const std::string_view rest = this->rest();
    throw ExpressionError{rest.empty() ? "its end" : "'" + std::string(rest.substr(0, 20)) + "'",
                          std::string(allowed)};
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
};

void collect_paths(const Term& term, std::vector<std::string>& paths) {
  if (term.kind == Term::Kind::path && std::ranges::count(paths, term.text) == 0) {
    paths.push_back(term.text);
  }
  if (term.left) collect_paths(*term.left, paths);
  if (term.right) collect_paths(*term.right, paths);
}

bool holds(std::string_view sign, const Rational& a, const Rational& b) {
  if (sign == "<") return a < b;
  if (sign == "<=") return a <= b;
  if (sign == ">") return a > b;
  if (sign == ">=") return a >= b;
  return (a == b) == (sign == "==");
}

Rational value_of(const Term& term,
                  const std::function<Rational(const std::string& path)>& figure) {
  switch (term.kind) {
    case Term::Kind::number: return term.number;
    case Term::Kind::path: return figure(term.text);
    case Term::Kind::minus: return Rational() - value_of(*term.left, figure);
    default: break;
  }
  const Rational left = value_of(*term.left, figure);
  const Rational right = value_of(*term.right, figure);
  if (term.kind == Term::Kind::comparison) return holds(term.text, left, right) ? 1 : 0;
  switch (term.text.front()) {
    case '+': return left + right;
    case '-': return left - right;
    case '*': return left * right;
    default: break;
  }
  if (right.sign() == 0) throw ExpressionError{"a division by zero", "other divisors"};
  return left / right;
}

}  // namespace

Expression::Expression(std::string_view text) : root_(ExpressionParser(text).whole()) {
  collect_paths(*root_, paths_);
}

bool Expression::is_truth() const { return root_->kind == Term::Kind::comparison; }

Rational Expression::value(const std::function<Rational(const std::string& path)>& figure) const {
  return value_of(*root_, figure);
}

}  // namespace pimbb::answers
