// How the optimum of a layer on SRAM compute-in-memory depends on every figure of the accelerator.
//
//     const auto answer = sensitivity(architecture, layer, {.objective = Objective::parse("edp")});
//     for (const FigureSensitivity& figure : answer.figures) ...
//
// pimbb/sensitivity.hpp explains the answers about one figure. Energies and leakage are `energy`;
// sizes of levels (bits) and of axes (lanes) are `size`; bandwidths and the macro's input bits per
// cycle, which are integers, are `shape`: the optimum for some halvings and doublings of today's,
// or for all values of a range. All answers are about the first goal; the goals after it only
// decide which mapping is the one of today.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/cim/mapping.hpp"
#include "pimbb/cim/solver.hpp"
#include "pimbb/sensitivity.hpp"

namespace pimbb::cim {

struct Sensitivity : SolveStatistics {
  SensitivityStatus status = SensitivityStatus::partial;
  /// Solutions by number; number 0 is the optimum of today. Empty if that is not proven.
  std::vector<Mapping> mappings;
  std::optional<Metrics> metrics;  ///< of number 0
  Rational value;                  ///< of the first goal today
  std::vector<FigureSensitivity> figures;
  std::string reason;        ///< infeasible: why
  std::uint64_t solves = 0;  ///< searches, that of today included
  double seconds = 0;
  int threads = 1;
};

/// The paths of all figures of an accelerator, in the order of the answers.
std::vector<std::string> figure_paths(const Architecture& architecture);

/// Sizes of axes are looked at as far as `options.reach` times today's, unless a range is given.
/// Requires a question about all mappings, without limits on goals, under the semantics `recursion`
/// or `table3` and without padding (Padding::exact). Throws what solve() does, and InputError if
/// the options or the question are none of these. A limit of nodes or time is one of the whole
/// computation. The answer does not depend on the number of threads, nor on timing unless a limit
/// of time or an interruption ends it.
Sensitivity sensitivity(const Architecture& architecture, const Workload& workload,
                        const Question& question = {}, const SensitivityOptions& options = {},
                        const RunLimits& limits = {});

}  // namespace pimbb::cim
