// How the optimum of a layer depends on every figure of the accelerator.
//
//   const auto answer = sensitivity(architecture, layer, {.objective = Objective::parse("edp")});
//   for (const FigureSensitivity& figure : answer.figures) ...
//
// pimbb/sensitivity.hpp explains the answers about one figure. All of them are about the first
// goal; the goals after it only decide which mapping is the one of today.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/solver.hpp"
#include "pimbb/sensitivity.hpp"

namespace pimbb::dram_pim {

struct Sensitivity : SolveStatistics {
  SensitivityStatus status = SensitivityStatus::partial;
  /// Solutions by number; number 0 is the optimum of today. Empty if that is not proven.
  std::vector<Mapping> mappings;
  std::vector<std::string> texts;  ///< of each (docs/answers.md, "The best k")
  std::optional<Metrics> metrics;  ///< of number 0
  Rational value;                  ///< of the first goal today
  std::vector<FigureSensitivity> figures;
  std::string reason;             ///< infeasible: why
  std::uint64_t first_nodes = 0;  ///< of the solve of today
  std::uint64_t solves = 0;       ///< searches, that one included
  double seconds = 0;
  int threads = 1;
};

/// The paths of all figures of an accelerator, in the order of the answers.
std::vector<std::string> figure_paths(const Architecture& architecture);

/// Requires Method::exact, a layer that may not be padded, and no limits on goals. Throws what
/// solve() does, and InputError if the options or the question are none of these. A limit of nodes
/// or time is one of the whole computation. The answer does not depend on the number of threads,
/// nor on timing unless a limit of time or an interruption ends it.
Sensitivity sensitivity(const Architecture& architecture, const Workload& workload,
                        const Question& question = {}, const SensitivityOptions& options = {},
                        const RunLimits& limits = {});

}  // namespace pimbb::dram_pim
