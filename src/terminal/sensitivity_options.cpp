// Figures, and how far to look.
#include "terminal/sensitivity_options.hpp"

#include "pimbb/error.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::terminal {
namespace {

FigureRange parse_range(std::string_view option, const std::string& text) {
  const std::size_t dots = text.find("..");
  if (dots == std::string::npos) refuse(option, text, "ranges, such as 64..256 or 0.001..0.1");
  const FigureRange range{weight(option, text.substr(0, dots)),
                          weight(option, text.substr(dots + 2))};
  if (range.to <= range.from) refuse(option, text, "a greater number after a smaller one");
  return range;
}

}  // namespace

SensitivityOptions sensitivity_options(const SensitivitySettings& s) {
  SensitivityOptions options{s.figures, s.range};
  if (s.reach) options.reach = *s.reach;
  if (options.range && options.figures.size() != 1) {
    throw InputError("--range: found beside " + std::to_string(options.figures.size()) +
                     " figures, allowed is one (--parameter KEY)");
  }
  return options;
}

OptionRows sensitivity_rows(SensitivitySettings& s, std::function<Choices()> paths) {
  OptionRow parameter{
      "--parameter",
      "KEY",
      groups::kGoal,
      "",
      "Only this figure of the accelerator, by its key as in --set, such as "
      "levels.GlobalBuffer.entries; once for each",
      [&](auto option, auto& text) { s.figures.push_back(not_empty(option, text)); },
      std::move(paths)};
  parameter.repeats = true;
  return {std::move(parameter),
          {"--range", "FROM..TO", groups::kGoal, "",
           "With one --parameter: the optimum for all its values in this range, with every "
           "breakpoint",
           [&](auto option, auto& text) { s.range = parse_range(option, text); }},
          {"--reach", "N", groups::kGoal, "16",
           "Look at energies, times and bandwidths as far as N times today's value, and down to "
           "the Nth part (energies: to 0)",
           [&](auto option, auto& text) {
             s.reach = weight(option, text);
             if (*s.reach <= Rational(1)) refuse(option, text, "numbers above 1");
           }}};
}

}  // namespace pimbb::terminal
