// A linear program from a file, with what lp::LinearProgram does not hold: its name, its sense, a
// constant in its objective, and how many columns were declared integer (they are read as
// continuous: the program is the LP relaxation).
//
// Numbers keep the exact value of their decimal text. Two formats, told apart by the file's ending:
// MPS (mps.hpp) and the LP format (lp_format.hpp). Messages start "file:line: ".
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "lp/linear_program.hpp"

namespace pimbb::lp {

struct LpFile {
  std::string name;
  bool maximise = false;
  Rational constant;          ///< objective of the file = constant +- objective of the program
  lp::LinearProgram program;  ///< always to be minimised: costs are negated if `maximise`
  int integers = 0;           ///< columns declared integer, and relaxed

  /// The value of the file's objective for a value of the program's.
  [[nodiscard]] Rational objective(const Rational& minimised) const {
    return maximise ? constant - minimised : constant + minimised;
  }
};

/// Throws InputError if the file is missing, has another ending or is not understood.
LpFile read_lp_file(const std::string& path);

// For the readers of the formats.

/// Throws InputError "label:line: what".
[[noreturn]] void refuse_line(const std::string& label, int line, const std::string& what);

/// The exact value of a decimal number; also with a Fortran exponent ("1.5D+3").
Rational lp_number(const std::string& label, int line, std::string_view text);

enum class Side { lower, upper };

/// As lp_number, but -infinity as a lower bound and infinity as an upper one are no bound
/// (nothing). Infinite are "inf", "infinity" and sizes from 1e20.
lp::Bound lp_bound(const std::string& label, int line, std::string_view text, Side side);

/// Lower case.
std::string lower_case(std::string_view text);

template <class Index>
using NameTable = std::map<std::string, Index, std::less<>>;

}  // namespace pimbb::lp
