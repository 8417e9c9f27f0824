// What `pimbb sensitivity` looks at, of any kind of accelerator.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "pimbb/sensitivity.hpp"
#include "terminal/option_row.hpp"

namespace pimbb::terminal {

struct SensitivitySettings {
  std::vector<std::string> figures;  ///< --parameter
  std::optional<FigureRange> range;
  std::optional<Rational> reach;
};

/// What they ask for. Throws InputError for a range of other than one figure.
SensitivityOptions sensitivity_options(const SensitivitySettings& settings);

/// --parameter, --range, --reach; `paths` are those to choose from.
OptionRows sensitivity_rows(SensitivitySettings& settings, std::function<Choices()> paths);

}  // namespace pimbb::terminal
