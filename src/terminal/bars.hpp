// The sections of a report: a heading, and terms of a sum or a maximum with bars.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "pimbb/rational.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::terminal {

inline constexpr std::size_t kBarWidth = 28;

struct Term {
  std::string name;
  Rational value;
};

std::string bar(const Style& style, const Rational& share);

/// `part / whole`, 0 where there is no whole.
Rational share_of(const Rational& part, const Rational& whole);

/// An empty line and a heading with what stands beside it.
std::string section(const Style& style, std::string_view heading, const std::string& aside);

/// One line a term: name, bar, value, share of `whole`.
std::string bars(const Style& style, const std::vector<Term>& terms, const Rational& whole);

/// A table of the same terms of two mappings, the one given and the best: name, both, difference.
/// Terms that neither has are left out.
std::string compared(const Style& style, std::string_view heading, const std::string& aside,
                     const std::vector<Term>& given, const std::vector<Term>& best);

}  // namespace pimbb::terminal
