// A mixed-integer linear program as a file states it: what the readers of this folder return, what
// its writers write, and what other rooms build in order to export a problem.
//
//     minimise or maximise   constant + c x
//     subject to             row_lower <= A x <= row_upper,    lower <= x <= upper,
//                            x_j integer for the marked columns
//
// All numbers are exact. Everything but the marks, the sense and the constant is held as an
// lp::LinearProgram, the relaxation, which the simplex solves as it is: the program of a file needs
// neither a conversion nor a second copy. A LinearProgram is always minimised and has no constant;
// so the costs of a program to be maximised are negated there, and objective() translates back.
#pragma once

#include <string>
#include <vector>

#include "lp/linear_program.hpp"

namespace pimbb::lp {

class MixedIntegerProgram {
 public:
  std::string name;                  ///< may be empty
  std::vector<std::string> remarks;  ///< comments for the head of a written file; never read
  std::string objective_name;        ///< may be empty
  bool maximise = false;
  Rational constant;         ///< of the objective
  LinearProgram relaxation;  ///< to be minimised: costs are negated if `maximise`

  void mark_integer(ColIndex column);
  [[nodiscard]] bool is_integer(ColIndex column) const;
  /// An integer column with the range 0 .. 1.
  [[nodiscard]] bool is_binary(ColIndex column) const;
  /// The number of integer columns.
  [[nodiscard]] int integers() const;

  /// The value of the program's objective for an objective value of the relaxation.
  [[nodiscard]] Rational objective(const Rational& minimised) const {
    return maximise ? constant - minimised : constant + minimised;
  }
  /// The coefficient of a column in the program's objective.
  [[nodiscard]] Rational cost(ColIndex column) const {
    return maximise ? Rational() - relaxation.cost(column) : relaxation.cost(column);
  }

 private:
  std::vector<bool> is_integer_;  // by column; columns beyond its end are not integer
};

}  // namespace pimbb::lp
