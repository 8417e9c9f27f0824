// The report on a sensitivity, for any kind of accelerator: tables of figures, and the claim.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "pimbb/sensitivity.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/log.hpp"
#include "terminal/terminal.hpp"

namespace pimbb::terminal {

/// What reports need to know of a sensitivity.
struct SensitivitySummary {
  SensitivityStatus status = SensitivityStatus::partial;
  std::string reason;  ///< infeasible: why
  std::string today;   ///< "edp 1,829 nJ*cycles"; empty: the optimum of today is not proven
  std::string goal;    ///< "edp"
  std::string suffix;  ///< of its values: " nJ*cycles"
  Rational value;      ///< today
  std::vector<FigureSensitivity> figures;
  bool range = false;  ///< of one figure: pieces or steps
  /// What distinguishes a solution from that of today, in a few words.
  std::function<std::string(std::size_t solution)> difference;
  bool interrupted = false;
  bool limited = false;  ///< by time or nodes
};

/// Tables of energies, times and rates; of sizes; of shapes; or of the range. Then "complete,
/// proven: ...", or what is not.
std::string sensitivity_text(const Style& style, const SensitivitySummary& summary);

struct SensitivityEffort {
  std::uint64_t solves = 0;
  std::uint64_t nodes = 0;
  double seconds = 0;
  int threads = 1;
};

/// The end of the log.
void log_sensitivity(Log& log, const SensitivitySummary& summary, const SensitivityEffort& effort);

/// Complete: proven.
ExitCode exit_code(SensitivityStatus status);

/// A row for each end, step and piece.
std::string sensitivity_csv(const SensitivitySummary& summary, const std::string& layer);

}  // namespace pimbb::terminal
