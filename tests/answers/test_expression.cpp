// Expressions against an evaluator of its own: random trees, written as text with as few or as many
// parentheses as one may, and evaluated as trees.
#include <doctest/doctest.h>

#include <boost/multiprecision/cpp_int.hpp>
#include <map>
#include <string>

#include "answers/expression.hpp"
#include "exact/rational_impl.hpp"
#include "exact/splitmix64.hpp"
#include "support/cases.hpp"

using boost::multiprecision::cpp_rational;
using pimbb::Rational;
using pimbb::answers::Expression;
using pimbb::answers::ExpressionError;

namespace {

/// Text and value of a random expression, and how tightly its last operator binds: 0 comparison,
/// 1 sum, 2 product, 3 nothing to separate.
struct Written {
  std::string text;
  cpp_rational value;
  int binds = 3;
  bool divides_by_zero = false;
};

const std::map<std::string, cpp_rational>& figures() {
  static const std::map<std::string, cpp_rational> all{{"a", 3},
                                                       {"pe_array.dim_h", 8},
                                                       {"levels.Buffer_1.entries", 128},
                                                       {"zero", 0},
                                                       {"x.y", cpp_rational(7, 1000)}};
  return all;
}

class RandomExpressions {
 public:
  explicit RandomExpressions(std::uint64_t seed) : random_(seed) {}

  Written of_depth(int depth) {
    if (depth == 0 || below(4) == 0) return leaf();
    if (below(8) == 0) {
      Written inner = of_depth(depth - 1);
      return {"-" + space() + within(inner, 3), -inner.value, 3, inner.divides_by_zero};
    }
    const Written left = of_depth(depth - 1);
    const Written right = of_depth(depth - 1);
    const char sign = "+-*/"[below(4)];
    const int binds = sign == '+' || sign == '-' ? 1 : 2;
    Written all{within(left, binds) + space() + sign + space() + within(right, binds + 1), 0, binds,
                left.divides_by_zero || right.divides_by_zero};
    if (sign == '+') all.value = left.value + right.value;
    if (sign == '-') all.value = left.value - right.value;
    if (sign == '*') all.value = left.value * right.value;
    if (sign == '/' && right.value == 0) all.divides_by_zero = true;
    if (sign == '/' && right.value != 0) all.value = left.value / right.value;
    return all;
  }

  Written comparison(int depth) {
    const Written left = of_depth(depth);
    const Written right = below(4) == 0 ? left : of_depth(depth);
    static constexpr const char* kSigns[] = {"<", "<=", ">", ">=", "==", "!="};
    const std::size_t sign = below(6);
    const cpp_rational& a = left.value;
    const cpp_rational& b = right.value;
    const bool truths[] = {a<b, a <= b, a> b, a >= b, a == b, a != b};
    return {left.text + space() + kSigns[sign] + space() + right.text, truths[sign] ? 1 : 0, 0,
            left.divides_by_zero || right.divides_by_zero};
  }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  std::string space() { return below(2) == 0 ? "" : " "; }

  Written leaf() {
    if (below(2) == 0) {
      auto figure = figures().begin();
      std::advance(figure, below(figures().size()));
      return {figure->first, figure->second, 3, false};
    }
    const std::size_t digits = below(1000);
    if (below(2) == 0) return {std::to_string(digits), cpp_rational(digits), 3, false};
    if (below(2) == 0) {
      return {std::to_string(digits) + "e-2", cpp_rational(digits, 100), 3, false};
    }
    return {std::to_string(digits) + ".25", cpp_rational(digits) + cpp_rational(1, 4), 3, false};
  }

  std::string within(const Written& inner, int binds) {
    if (inner.binds >= binds && below(3) > 0) return inner.text;
    return "(" + space() + inner.text + space() + ")";
  }

  pimbb::SplitMix64 random_;
};

Rational figure_of(const std::string& path) { return Rational(Rational::Impl{figures().at(path)}); }

std::string syntax_error(const std::string& text) {
  try {
    const Expression expression(text);
    return "";
  } catch (const ExpressionError& error) {
    return error.found + " | " + error.allowed;
  }
}

}  // namespace

TEST_CASE("random expressions have the values of their trees") {
  std::size_t zeros = 0;
  std::size_t truths = 0;
  for (std::size_t i = 0; i < testkit::cases(4000); ++i) {
    RandomExpressions random(testkit::first_seed(1) + i);
    const bool truth = i % 3 == 0;
    const Written written = truth ? random.comparison(3) : random.of_depth(5);
    CAPTURE(written.text);
    const Expression expression(written.text);
    CHECK(expression.is_truth() == truth);
    if (written.divides_by_zero) {
      ++zeros;
      CHECK_THROWS_AS(static_cast<void>(expression.value(figure_of)), ExpressionError);
    } else {
      truths += truth && written.value == 1 ? 1U : 0U;
      CHECK(expression.value(figure_of) == Rational(Rational::Impl{written.value}));
    }
  }
  CHECK(zeros > 0);
  CHECK(truths > 0);
}

TEST_CASE("operators of equal rank group from the left, products before sums") {
  const auto value = [](const char* text) {
    return Expression(text).value([](const std::string&) { return Rational(); }).to_string();
  };
  CHECK(value("10 - 4 - 3") == "3");
  CHECK(value("12 / 2 / 3") == "2");
  CHECK(value("1 + 2 * 3") == "7");
  CHECK(value("-2 * 3") == "-6");
  CHECK(value("2 - -3") == "5");
  CHECK(value("0.1 + 0.2 == 0.3") == "1");  // exact
  CHECK(value("(1 < 2)") == "1");
}

TEST_CASE("paths are listed once each, in order") {
  const Expression expression("pe.h * pe.w + pe.h * b");
  CHECK(expression.paths() == std::vector<std::string>{"pe.h", "pe.w", "b"});
}

TEST_CASE("what is no expression is refused with what was found") {
  CHECK(syntax_error("") == "its end | a number, a path of keys or a parenthesis");
  CHECK(syntax_error("1 +") == "its end | a number, a path of keys or a parenthesis");
  CHECK(syntax_error("(1 + 2").starts_with("its end | a closing"));
  CHECK(syntax_error("1 2").starts_with("'2' | "));
  CHECK(syntax_error("sqrt(2)").starts_with("'(2)' | "));
  CHECK(syntax_error("a = 2").starts_with("'= 2' | "));
  CHECK(syntax_error("1 < 2 < 3") == "a second comparison | one comparison");
  CHECK(syntax_error("(1 < 2) + 1") == "a comparison as an operand | numbers there");
  CHECK(syntax_error("1 + (1 < 2)") == "a comparison as an operand | numbers there");
  CHECK(syntax_error("-(1 < 2)") == "a comparison as an operand | numbers there");
  CHECK(syntax_error("12abc").starts_with("'12abc' | "));
  CHECK(syntax_error("1e").starts_with("'1e' | "));
  CHECK(syntax_error("a..b").starts_with("the path 'a..b' | "));
  CHECK(syntax_error("a.").starts_with("the path 'a.' | "));
  CHECK(
      syntax_error(std::string(300, '(') + "1" + std::string(300, ')')).starts_with("parentheses"));
  CHECK(syntax_error(std::string(300, '-') + "1").starts_with("parentheses"));
  CHECK(syntax_error(std::string(20000, '1')).starts_with("20000 characters"));
}
