// Expressions over the figures of an architecture: "pe_array.dim_h * pe_array.dim_w <= 128".
//
//     expression = sum [ ("<" | "<=" | ">" | ">=" | "==" | "!=") sum ]
//     sum        = product { ("+" | "-") product }
//     product    = factor { ("*" | "/") factor }
//     factor     = { "-" } ( number | path | "(" expression ")" )
//
// A path is names with dots between them. Values are exact rationals, or truth values, which a
// comparison makes and nothing computes with. There is nothing else: no functions, no assignments.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "pimbb/rational.hpp"

namespace pimbb::answers {

/// What is wrong with an expression: what was found, and what is allowed there.
struct ExpressionError {
  std::string found;
  std::string allowed;
};

class Expression {
 public:
  /// Throws ExpressionError.
  explicit Expression(std::string_view text);

  /// Whether it is a comparison, which is true or false, and no number.
  [[nodiscard]] bool is_truth() const;
  /// The paths in it, each once, in order of appearance.
  [[nodiscard]] const std::vector<std::string>& paths() const { return paths_; }
  /// The value; of a comparison 1 or 0. `figure` gives the value of a path. Throws ExpressionError
  /// for a division by zero.
  [[nodiscard]] Rational value(
      const std::function<Rational(const std::string& path)>& figure) const;

  struct Term;  ///< an operator and its operands

 private:
  std::shared_ptr<const Term> root_;
  std::vector<std::string> paths_;
};

}  // namespace pimbb::answers
