// Numbers, sizes, weights and names, as options take them.
#include "terminal/option_values.hpp"

#include <array>
#include <cmath>
#include <stdexcept>
#include <utility>

#include "files/nearest.hpp"
#include "pimbb/error.hpp"

namespace pimbb::terminal {

void refuse(std::string_view option, std::string_view found, std::string_view allowed) {
  throw InputError(fmt::format("{}: found '{}', allowed are {}", option, found, allowed));
}

std::size_t place_among(std::string_view option, std::string_view text,
                        std::span<const std::string_view> names) {
  const auto at = std::ranges::find(names, text);
  if (at == names.end()) {
    throw InputError(fmt::format("{}: found '{}'{}, allowed are {}", option, text,
                                 files::did_you_mean(text, names), fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(at - names.begin());
}

double duration_seconds(std::string_view option, const std::string& text) {
  constexpr std::array<std::pair<std::string_view, double>, 6> kUnits{
      {{"", 1}, {"s", 1}, {"ms", 0.001}, {"m", 60}, {"min", 60}, {"h", 3600}}};
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  const std::string_view found(stop, static_cast<std::size_t>(end - stop));
  const auto unit = std::ranges::find(kUnits, found, &std::pair<std::string_view, double>::first);
  if (error != std::errc() || unit == kUnits.end() || !std::isfinite(value) || value <= 0) {
    refuse(option, text, "durations > 0, such as 10 or 0.5 (seconds), 500ms, 10m, 2h");
  }
  return value * unit->second;
}

std::uint64_t memory_size(std::string_view option, const std::string& text) {
  constexpr std::string_view kUnits = "KMGT";
  constexpr const char* kAllowed = "bytes >= 1, or with a unit: 512M, 4GiB (K, M, G, T)";
  std::uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  std::string_view unit(stop, static_cast<std::size_t>(end - stop));
  if (error != std::errc() || value == 0) refuse(option, text, kAllowed);
  if (unit.empty()) return value;
  const std::size_t power = kUnits.find(unit.front());
  unit.remove_prefix(1);
  if (power == std::string_view::npos || !(unit.empty() || unit == "iB")) {
    refuse(option, text, kAllowed);
  }
  const auto shift = static_cast<unsigned>(10 * (power + 1));
  if (value > (~std::uint64_t{0} >> shift)) refuse(option, text, kAllowed);
  return value << shift;
}

Rational weight(std::string_view option, const std::string& text) {
  try {
    Rational value = Rational::parse(text);
    if (value.sign() >= 0) return value;
  } catch (const std::invalid_argument&) {  // said below, with the option's name
  }
  refuse(option, text, "numbers >= 0, such as 1, 0.25 or 7/3");
}

Rational parse_share(std::string_view option, const std::string& text) {
  if (!text.ends_with('%')) return weight(option, text);
  return weight(option, text.substr(0, text.size() - 1)) / Rational(100);
}

std::string not_empty(std::string_view option, const std::string& text) {
  if (text.empty()) refuse(option, text, "a file or a name");
  return text;
}

std::string file(std::string_view option, const std::string& text) {
  if (text.empty() || text == "-") refuse(option, text, "files");
  return text;
}

}  // namespace pimbb::terminal
