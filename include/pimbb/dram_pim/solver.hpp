// The solver: the best mapping of one layer, with bounds and a proof status.
//
//   auto solution = solve(architecture, layer, {.objective = Objective::parse("edp")});
//
// The returned mapping does not depend on the number of threads or on timing, unless a time limit
// or an interruption stops the search.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/question.hpp"
#include "pimbb/run_limits.hpp"

namespace pimbb::dram_pim {

struct GoalResult {
  Goal goal = Goal::latency;
  Rational value;  ///< of the mapping returned
  Rational bound;  ///< proven lower bound, given the optima of earlier goals
  [[nodiscard]] Rational gap() const { return relative_gap(value, bound); }
};

/// Counters of a search. They depend on the problem, the question and the limits, not on time or on
/// the number of threads.
struct SolveStatistics {
  std::uint64_t nodes = 0;   ///< search nodes expanded
  std::uint64_t leaves = 0;  ///< complete mappings evaluated
  /// Mappings represented by the visited leaves: every member of a class of equivalent loop orders,
  /// layouts and array splits counts. Without bounds and dominance: all feasible mappings.
  std::uint64_t mappings = 0;
  std::uint64_t choices = 0;            ///< storage choices searched, counted once for every goal
  std::uint64_t lp_solves = 0;          ///< linear relaxations solved to exclude storage choices
  std::uint64_t lp_iterations = 0;      ///< simplex iterations of these relaxations
  std::uint64_t seam_tables = 0;        ///< row model trace: seam tables requested
  std::uint64_t known_seam_tables = 0;  ///< row model trace: requested tables that existed already
  std::uint64_t bounds = 0;             ///< padded layers: vectors of bounds in the box
  std::uint64_t bounds_searched = 0;    ///< padded layers: those that were searched
  std::uint64_t memory = 0;             ///< peak bytes, by the account of the memory limit

  /// Adds the counters of another search.
  SolveStatistics& operator+=(const SolveStatistics& other);
};

/// Padded bounds of a layer with a known mapping that costs less than its optimum.
struct PaddingHint {
  Factors bounds = kOnes;
  Rational value;  ///< that mapping's value of the first goal
};

struct Solution : SolveStatistics {
  Status status = Status::unknown;
  Method method = Method::exact;   ///< that of the question
  std::optional<Mapping> mapping;  ///< present if optimal or feasible
  /// The bounds of the layer that it maps, if they were padded.
  std::optional<Factors> padded = {};
  std::optional<PaddingHint> padding_hint = {};  ///< where a command asked for it
  std::optional<Metrics> metrics;
  std::vector<GoalResult> goals;  ///< one for each goal of the objective, in order
  std::string reason;             ///< infeasible: what does not fit at which level
  double seconds = 0;
  int threads = 1;
};

/// Finds the mapping that minimises `question.objective`. Throws InputError if the architecture or
/// the workload is not valid, their numbers exceed the range of exact integer arithmetic, the
/// precedence is cyclic, or a part of the question does not apply to the method; LimitError, which
/// is one, if the memory limit is too small for the tables.
Solution solve(const Architecture& architecture, const Workload& workload,
               const Question& question = {}, const RunLimits& limits = {});

}  // namespace pimbb::dram_pim
