// Numbers for people: thousands separators, units, percentages.
//
// These functions round; the JSON output has the exact values.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "pimbb/rational.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::terminal {

/// "1806336" -> "1,806,336"; a sign and a fractional part are not changed.
std::string thousands(std::string_view digits);

/// Integers exactly; others with one decimal from 1,000 upwards, else with about four digits.
std::string number(const Rational& value);
std::string number(double value);
std::string number(std::int64_t value);

/// A share of one: "100 %", "83.2 %", "< 0.1 %". Only what is exactly one prints as 100.
std::string percent(const Rational& share);

/// A change by a share: "+2.1 %", "-14 %"; "0" for none.
std::string signed_percent(const Rational& share);

/// "gap 0" if the proof is complete, "gap 100 %" if nothing is proven, otherwise "gap 3.2 %" or
/// "gap < 0.01 %".
std::string gap(const Rational& gap);

/// "64 KiB" if `value` is a multiple of the unit, else "1,000 B".
std::string bytes(std::int64_t value);

/// "0.013 s", "12.3 s", "2 min 05 s", "1 h 02 min".
std::string duration(double seconds);

/// Loop bounds above 1, and stride and dilation if not 1: "R3 S3 P56 Q56 C64 K64 /2".
std::string shape(const Workload& workload);

/// Replaces control characters by '?', for names from files that are printed to a terminal.
std::string printable(std::string_view text);

/// Columns that UTF-8 `text` takes on the screen: one for each code point, none for colour codes.
std::size_t columns(std::string_view text);
std::string pad_right(std::string text, std::size_t width);
std::string pad_left(const std::string& text, std::size_t width);

}  // namespace pimbb::terminal
