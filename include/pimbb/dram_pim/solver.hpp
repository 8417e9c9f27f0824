// The solver: the best mapping of one layer, and the proof status of that claim.
//
//   auto solution = solve(architecture, layer, {.objective = Objective::parse("edp")});
//
// The mapping returned does not depend on the number of threads or on timing unless a time limit
// or an interruption cuts the search short.
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
  Rational value;                      ///< of the mapping returned
  Rational bound;                      ///< proven lower bound (given the goals before it)
  [[nodiscard]] Rational gap() const;  ///< (value - bound) / value, 0 where value is 0
};

/// What a search has done. These figures depend on the problem and its options only, not on time or
/// on the number of threads.
struct Statistics {
  std::uint64_t nodes = 0;   ///< search nodes expanded
  std::uint64_t leaves = 0;  ///< complete mappings evaluated
  /// Mappings in the leaves visited, counting every member of a class of equivalent loop orders,
  /// layouts and splits of the array; with bounds and dominance off, all feasible mappings.
  std::uint64_t mappings = 0;
  std::uint64_t choices = 0;            ///< storage choices that were searched, once for every goal
  std::uint64_t lp_solves = 0;          ///< linear relaxations solved to leave out the others
  std::uint64_t lp_iterations = 0;      ///< simplex iterations in them
  std::uint64_t seam_tables = 0;        ///< trace: tables of a tensor's row activations asked for
  std::uint64_t known_seam_tables = 0;  ///< trace: how many of them were there already
  std::uint64_t memory = 0;  ///< most bytes in use at a time, by the account of the memory limit

  /// Adds what a search before or after this one has done.
  Statistics& operator+=(const Statistics& other);
};

struct Solution : Statistics {
  Status status = Status::unknown;
  Method method = Method::exact;   ///< as asked for
  std::optional<Mapping> mapping;  ///< present if optimal or feasible
  std::optional<Metrics> metrics;
  std::vector<GoalResult> goals;  ///< one per goal of the objective, in its order
  std::string reason;             ///< infeasible: what does not fit where
  double seconds = 0;
  int threads = 1;
};

/// Finds the mapping that minimises `question.objective`. Throws InputError if the architecture or
/// the workload is not valid, their numbers leave the range of exact integer arithmetic, the
/// memory limit does not even admit the tables, or a precedence is none or not for Method::exact.
Solution solve(const Architecture& architecture, const Workload& workload,
               const Question& question = {}, const RunLimits& limits = {});

}  // namespace pimbb::dram_pim
