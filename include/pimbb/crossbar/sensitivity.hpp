// How the optimum of a network on a crossbar accelerator depends on every figure of the
// accelerator.
//
//     const auto answer = sensitivity(architecture, graph, {Goal::ht});
//     for (const FigureSensitivity& figure : answer.figures) ...
//
// pimbb/sensitivity.hpp explains the answers about one figure. The time of a multiplication and the
// interval of two are `time`; files hold whole ns, and so the answers about times are claims about
// whole ns, though the end of an interval may be the point between two of them at which both
// mappings take as long. Chips, cores, crossbars, rows, columns and nodes in a core are `size`,
// slices are `shape`: the optimum for some halvings and doublings. If local memory is enforced its
// bytes are a `size`, and crossbars, rows, columns and bits of an activation are `shape`: more of
// them may need more memory. No other figure enters `ht` or `ll`.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/crossbar/solver.hpp"
#include "pimbb/sensitivity.hpp"

namespace pimbb::crossbar {

/// A mapping onto an accelerator of which one figure may differ from today's: more cores, other
/// array groups.
struct NamedMapping {
  std::vector<std::string> nodes;  ///< names of the array nodes, parts included
  Mapping mapping;
  friend bool operator==(const NamedMapping&, const NamedMapping&) = default;
};

struct Sensitivity : SolveStatistics {
  SensitivityStatus status = SensitivityStatus::partial;
  /// Solutions by number; number 0 is the best one of today. Empty if none is known.
  std::vector<NamedMapping> mappings;
  Rational value;      ///< of number 0
  Rational bound;      ///< of today, proven; equal to the value if number 0 is the optimum
  bool known = false;  ///< whether there is a number 0
  std::vector<FigureSensitivity> figures;
  std::string reason;        ///< infeasible: why
  std::uint64_t solves = 0;  ///< questions that a search answered, that of today included
  double seconds = 0;
  int threads = 1;
  [[nodiscard]] bool is_proven() const { return known && value == bound; }
};

/// The paths of all figures, in the order of the answers.
std::vector<std::string> figure_paths(const Architecture& architecture);

/// Sizes are looked at as far as `options.reach` times today's, unless a range is given; a range of
/// times is one of whole ns. Each search ends after kDefaultNodes nodes, and what it leaves open is
/// open in the answer: of an optimum of today that is not proven nothing is claimed but the growth
/// of the value of its mapping with both times (the elasticity), and for sizes the best value known
/// and a bound at the neighbours. `limits.node_limit` and the time limit are those of the whole
/// computation. The answer does not depend on the number of threads, nor on timing unless a limit
/// of time or an interruption ends it. Throws what solve() does, and InputError if the options are
/// not valid.
Sensitivity sensitivity(const Architecture& architecture, const NodeGraph& graph,
                        const Question& question = {}, const SensitivityOptions& options = {},
                        const RunLimits& limits = {});

}  // namespace pimbb::crossbar
