// The best mapping found under any estimate, with a proven bound.
//
// For `ht` and `ll` alone, solve() (solver.hpp) searches exactly. The other estimates depend on the
// order of cores and nodes, so that no exact search is known; a local search starts from many
// mappings, those of solve() among them, and a lower bound limits its distance to the optimum.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/crossbar/estimate.hpp"
#include "pimbb/run_limits.hpp"

namespace pimbb::crossbar {

struct EstimateQuestion {
  std::vector<Estimate> goals;  ///< in turn: each decides among what those before find equal
  Mode mode = Mode::ht;         ///< of energy and edp
  std::uint64_t seed = 1;
};

struct EstimateResult {
  Estimate estimate = Estimate::ht;
  Rational value;  ///< of the mapping returned
  Rational bound;  ///< proven: no mapping is below it
  [[nodiscard]] Rational gap() const { return relative_gap(value, bound); }
};

struct BestFound {
  Status status = Status::unknown;  ///< optimal: all values meet their bounds
  std::optional<Mapping> mapping;   ///< present if optimal or feasible
  std::optional<Metrics> metrics;
  std::vector<EstimateResult> results;  ///< by goal
  std::string reason;                   ///< infeasible: why
  std::uint64_t starts = 0;             ///< mappings that the local search could start from
  std::uint64_t evaluations = 0;        ///< of mappings
  double seconds = 0;
  int threads = 1;
};

/// Evaluations where no limit is given.
inline constexpr std::uint64_t kDefaultEvaluations = 10'000;

/// `limits.node_limit` counts evaluations of the local search; at most a fifth of a time limit goes
/// into bounds. The mapping depends neither on the number of threads nor on timing, unless a time
/// limit or an interruption ends the search. Throws InputError if the architecture is not valid,
/// goals are missing or repeated, or the network does not have such an estimate; LimitError if the
/// mappings to start from do not fit the memory limit.
BestFound minimise(const Architecture& architecture, const Partition& partition,
                   const EstimateQuestion& question, const RunLimits& limits = {});

}  // namespace pimbb::crossbar
