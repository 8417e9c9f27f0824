// The solver: the best mapping of one layer on SRAM compute-in-memory, with bound and status.
//
// The optimum is over all spatial schemes, ordered factorizations, placements and double-buffering
// flags that the question admits. The mapping returned does not depend on the number of threads or
// on timing, unless a time limit or an interruption stops the search.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/cim/cost.hpp"
#include "pimbb/cim/question.hpp"
#include "pimbb/run_limits.hpp"

namespace pimbb::cim {

struct GoalResult {
  Goal goal = Goal::latency;
  Rational value;  ///< of the mapping returned
  Rational bound;  ///< proven lower bound, given the optima of earlier goals
  [[nodiscard]] Rational gap() const { return relative_gap(value, bound); }
};

/// Counters of a search. They depend on the problem, the question and the limits, not on time or on
/// the number of threads.
struct SolveStatistics {
  std::uint64_t schemes = 0;     ///< spatial schemes in the space
  std::uint64_t solved = 0;      ///< of them: searched, the others closed by a bound
  std::uint64_t states = 0;      ///< states with labels
  std::uint64_t labels = 0;      ///< labels extended, the nodes of RunLimits::node_limit
  std::uint64_t candidates = 0;  ///< labels made
  std::uint64_t memory = 0;      ///< peak bytes, by the account of the memory limit

  /// Adds those of another layer.
  SolveStatistics& operator+=(const SolveStatistics& other) {
    schemes += other.schemes;
    solved += other.solved;
    states += other.states;
    labels += other.labels;
    candidates += other.candidates;
    memory = std::max(memory, other.memory);
    return *this;
  }
  /// Adds those of another search of the same layer.
  void add_search(const SolveStatistics& other) {
    const std::uint64_t all_schemes = std::max(schemes, other.schemes);
    *this += other;
    schemes = all_schemes;
  }
};

struct Solution : SolveStatistics {
  Status status = Status::unknown;
  std::optional<Mapping> mapping;  ///< present if optimal or feasible
  std::optional<Metrics> metrics;
  std::vector<GoalResult> goals;  ///< one for each goal of the objective, in order
  std::string reason;             ///< infeasible: why
  double seconds = 0;
  int threads = 1;
};

/// Finds the mapping that minimises `question.objective`. Under the semantics `simulator` the
/// result is the best mapping found, with a proven bound. Throws InputError if the architecture or
/// the layer is not valid or their numbers exceed the range of exact arithmetic.
Solution solve(const Architecture& architecture, const Workload& workload,
               const Question& question = {}, const RunLimits& limits = {});

}  // namespace pimbb::cim
