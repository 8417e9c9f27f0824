// The answer about one figure of an accelerator, for every wing: the interval of an energy, time or
// rate by stay.hpp, the steps of a size by size_steps.hpp, the optimum for several shapes.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "answers/size_steps.hpp"
#include "answers/stay.hpp"
#include "pimbb/sensitivity.hpp"

namespace pimbb::answers {

/// A figure, and the problem of which it varies. Solution 0 is the optimum of today.
struct AskedFigure {
  std::string path;  ///< as in --set
  FigureKind kind = FigureKind::energy;
  std::string unit;
  Rational today;
  bool matters = true;      ///< whether the goal may depend on it
  bool may_be_zero = true;  ///< of energies, times and rates

  // Of sizes:
  std::int64_t least = 1;
  std::int64_t useful = 1;  ///< >= least: as far as larger ones are looked at
  std::int64_t need = 1;    ///< >= least: of solution 0

  /// Of shapes: whether the optimum does not rise as the value grows.
  bool never_hurts = false;

  std::function<std::unique_ptr<VariedProblem>()> varied = {};  ///< of energies, times, rates
  std::function<std::unique_ptr<SizedProblem>()> sized = {};    ///< of sizes and shapes
};

/// `value` is today's optimum. Throws InputError if the range has values that the figure cannot
/// take.
FigureSensitivity answer(const AskedFigure& figure, const SensitivityOptions& options,
                         const Rational& value);

/// The places in `paths` of the figures that the options ask for: all, if they name none. Throws
/// InputError for a path that is not there.
std::vector<std::size_t> chosen_figures(const std::vector<std::string>& paths,
                                        const SensitivityOptions& options);

/// Throws InputError if the reach or the range is not one.
void check(const SensitivityOptions& options);

}  // namespace pimbb::answers
