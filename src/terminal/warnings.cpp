// One line each.
#include "terminal/warnings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>

#include "pimbb/error.hpp"

namespace pimbb::terminal {

OptionRow strict_row(bool& strict) {
  return {"--strict",
          nullptr,
          groups::kProblem,
          "",
          "Refuse an architecture file with keys that enter no formula, contradictions or missing "
          "timings, instead of warning of them",
          [&strict](auto, auto&) { strict = true; }};
}

void warn(const std::vector<std::string>& warnings, bool strict, bool quiet) {
  if (strict && !warnings.empty()) {
    throw InputError(fmt::format("{}", fmt::join(warnings, "\npimbb: ")));
  }
  if (quiet) return;
  for (const std::string& warning : warnings) {
    std::fprintf(stderr, "pimbb: warning: %s\n", warning.c_str());
  }
}

}  // namespace pimbb::terminal
