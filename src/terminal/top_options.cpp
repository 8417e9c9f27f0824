// The range of a list: k classes, or a percentage.
#include "terminal/top_options.hpp"

#include <fmt/format.h>

#include "pimbb/error.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::terminal {
namespace {

constexpr std::uint64_t kDefaultClasses = 20;
constexpr std::uint64_t kMostWithin = 1000;  // by default
constexpr std::uint64_t kMostClasses = 100'000;

}  // namespace

std::uint64_t TopSettings::most() const {
  if (k && within) {
    throw InputError(
        "--k: found beside --within; allowed is one of them (--most bounds what "
        "--within lists)");
  }
  if (listed && !within) {
    throw InputError(
        "--most: found without --within; allowed is --k, which says how many classes "
        "are listed");
  }
  return within ? listed.value_or(kMostWithin) : k.value_or(kDefaultClasses);
}

OptionRows top_rows(TopSettings& s) {
  return {{"--k", "N", groups::kGoal, "20", "List the N classes of least cost",
           [&](auto option, auto& text) {
             s.k = integer<std::uint64_t>(option, text, 1, kMostClasses);
           }},
          {"--within", "SHARE", groups::kGoal, "",
           "Instead of --k: count all classes within this share of the optimum, such as 1% or 0.01",
           [&](auto option, auto& text) { s.within = parse_share(option, text); }},
          {"--most", "N", groups::kGoal, "1000",
           "With --within: list the best N of them; all are counted", [&](auto option, auto& text) {
             s.listed = integer<std::uint64_t>(option, text, 1, kMostClasses);
           }}};
}

std::string share_text(const Rational& share) {
  return fmt::format("{:.6g} %", (share * Rational(100)).to_double());
}

std::string excess_text(const Rational& percent) {
  return percent.sign() == 0 ? "" : fmt::format("+{:.3g} %", percent.to_double());
}

}  // namespace pimbb::terminal
