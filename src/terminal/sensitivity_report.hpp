// The report on a sensitivity, for any kind of accelerator: tables of figures, and the claim.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pimbb/sensitivity.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::terminal {

/// What reports need to know of a sensitivity.
struct SensitivitySummary {
  std::string goal;    ///< "edp"
  std::string suffix;  ///< of its values: " nJ*cycles"
  Rational value;      ///< today
  std::vector<FigureSensitivity> figures;
  bool range = false;  ///< of one figure: pieces or steps
  /// What distinguishes a solution from that of today, in a few words.
  std::function<std::string(std::size_t solution)> difference;
  std::string stopped;  ///< why something is open: "limit hit"
};

/// Tables of energies, times and rates; of sizes; of shapes; or of the range.
std::string sensitivity_tables(const Style& style, const SensitivitySummary& summary);

/// "complete, proven: ...", or what is not.
std::string sensitivity_verdict(const Style& style, const SensitivitySummary& summary);

/// Complete: proven.
ExitCode exit_code(SensitivityStatus status);

/// A row for each end, step and piece.
std::string sensitivity_csv(const SensitivitySummary& summary, const std::string& layer);

}  // namespace pimbb::terminal
