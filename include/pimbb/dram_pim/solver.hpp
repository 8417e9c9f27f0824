// The solver: the best mapping of one layer, and the proof status of that claim.
//
//   auto solution = pimbb::solve(architecture, layer, {.objective = Objective::parse("edp")});
//
// The mapping returned does not depend on the number of threads or on timing unless a time limit
// or an interruption cuts the search short.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/layout_range.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/dram_pim/method.hpp"
#include "pimbb/dram_pim/objective.hpp"
#include "pimbb/dram_pim/precedence.hpp"
#include "pimbb/dram_pim/rules.hpp"

namespace pimbb::dram_pim {

enum class Status : std::uint8_t {
  optimal,     ///< the value is the optimum, proven
  feasible,    ///< not proven (a limit, a heuristic): how far it may be, `bound` and `gap` say
  infeasible,  ///< proven: no mapping exists; `reason` says which resource cannot hold what
  unknown      ///< a limit was hit before any mapping was found
};
inline constexpr std::array<std::string_view, 4> kStatusNames{"optimal", "feasible", "infeasible",
                                                              "unknown"};

/// One line of progress, as seen between two rounds of the search: whenever there is a better
/// mapping, and in between at a steady pace.
struct Progress {
  Goal goal = Goal::latency;        ///< the goal being minimised now
  std::optional<double> incumbent;  ///< best value so far
  double bound = 0;                 ///< proven lower bound
  std::uint64_t nodes = 0;          ///< nodes expanded so far, over all goals
  double seconds = 0;
  /// (incumbent - bound) / incumbent, 0 without an incumbent or where it is 0.
  [[nodiscard]] double gap() const;
};

struct SolveOptions {
  Objective objective;
  RowModel row_model = RowModel::trace;
  /// The whole space, or a dataflow, within which `optimal` and `infeasible` then hold; or a
  /// heuristic, whose answer is `feasible` with a lower bound over the whole space.
  Method method = Method::exact;
  LayoutRanges layouts{};  ///< what each tensor's DRAM layout is confined to; not for heuristics
  /// Which loops of a level must stand inside which, for layers that agree on loop orders. Only for
  /// Method::exact; `optimal` and `infeasible` then hold among the mappings that keep it.
  LoopPrecedence precedence{};
  /// Of the first goal: only mappings that cost no more are looked for, and `infeasible` means that
  /// there is none. Any number; not for heuristics.
  std::optional<Rational> at_most;
  std::uint64_t seed = 1;                   ///< Method::random: of the samples
  std::uint64_t samples = 1000;             ///< Method::random: mappings drawn, >= 1
  int threads = 0;                          ///< 0: all cores
  std::optional<double> time_limit;         ///< seconds
  std::optional<std::uint64_t> node_limit;  ///< nodes expanded; repeatable where seconds are not
  /// Bytes of tables, open nodes and dominance labels, by account and not as the system counts
  /// them. When it is reached the search goes on depth first and remembers no more labels: slower,
  /// and still exact. Beyond it goes only what a single path down the tree needs.
  std::uint64_t memory_limit = std::uint64_t{4} << 30;
  std::stop_token stop;  ///< interrupts the search, which still returns its best
  std::function<void(const Progress&)> on_progress;  ///< called from the solving thread
  bool timeless = false;  ///< pace progress by nodes instead of seconds, so that it repeats

  Rules rules;  ///< for measuring and testing: the answer is the same without any of them
};

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

/// Finds the mapping that minimises `options.objective`. Throws InputError if the architecture or
/// the workload is not valid, their numbers leave the range of exact integer arithmetic, the
/// memory limit does not even admit the tables, or a precedence is none or not for Method::exact.
Solution solve(const Architecture& architecture, const Workload& workload,
               const SolveOptions& options = {});

}  // namespace pimbb::dram_pim
