// Sections of a report.
#include "terminal/bars.hpp"

#include <algorithm>

#include "terminal/format.hpp"
#include "terminal/table.hpp"

namespace pimbb::terminal {

std::string bar(const Style& style, const Rational& share) {
  return style.bar(share.to_double(), kBarWidth);
}

Rational share_of(const Rational& part, const Rational& whole) {
  return whole.sign() == 0 ? Rational() : part / whole;
}

std::string section(const Style& style, std::string_view heading, const std::string& aside) {
  return "\n" + style.heading(heading) + (aside.empty() ? "" : "  " + style.faint(aside)) + "\n";
}

std::string bars(const Style& style, const std::vector<Term>& terms, const Rational& whole) {
  std::size_t name_width = 0;
  std::size_t value_width = 0;
  for (const Term& term : terms) {
    name_width = std::max(name_width, columns(term.name));
    value_width = std::max(value_width, number(term.value).size());
  }
  std::string text;
  for (const Term& term : terms) {
    const Rational share = share_of(term.value, whole);
    text += "  " + pad_right(term.name, name_width) + "  " + bar(style, share) + "  " +
            pad_left(number(term.value), value_width) + "  " + pad_left(percent(share), 7) + "\n";
  }
  return text;
}

std::string compared(const Style& style, std::string_view heading, const std::string& aside,
                     const std::vector<Term>& given, const std::vector<Term>& best) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < given.size(); ++k) {
    if (given[k].value.sign() == 0 && best[k].value.sign() == 0) continue;
    const Rational more = given[k].value - best[k].value;
    rows.push_back({"  " + given[k].name, number(given[k].value), number(best[k].value),
                    (more.sign() > 0 ? "+" : "") + number(more)});
  }
  return section(style, heading, aside) +
         whole_table(style, {{"  term", 0, false}, {"given"}, {"best"}, {"difference"}}, rows);
}

}  // namespace pimbb::terminal
