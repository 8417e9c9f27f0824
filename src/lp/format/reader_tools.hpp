// What the readers of both formats share: numbers, bounds, messages.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "lp/linear_program.hpp"

namespace pimbb::lp {

/// Throws InputError "label:line: what".
[[noreturn]] void refuse_line(const std::string& label, int line, const std::string& what);

/// Whether a number is 0 or of a size from 1e-100 to 1e100; the readers refuse others.
bool is_readable(const Rational& value);
/// Whether a bound of this value stands for no bound at all: sizes from 1e20.
bool reads_as_infinite(const Rational& value);

/// The exact value of a decimal number; also with a Fortran exponent ("1.5D+3").
Rational lp_number(const std::string& label, int line, std::string_view text);

enum class Side { lower, upper };

/// As lp_number, but -infinity as a lower bound and infinity as an upper one are no bound
/// (nothing). Infinite are "inf", "infinity" and what reads_as_infinite().
Bound lp_bound(const std::string& label, int line, std::string_view text, Side side);

/// Lower case.
std::string lower_case(std::string_view text);

template <class Index>
using NameTable = std::map<std::string, Index, std::less<>>;

}  // namespace pimbb::lp
