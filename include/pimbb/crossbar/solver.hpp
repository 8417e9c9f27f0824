// The solver: the best mapping of a network onto a crossbar accelerator, with bound and status.
//
// The optimum is over all replications and all legal mappings. The mapping returned does not depend
// on the number of threads or on timing, unless a time limit or an interruption stops the search.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "pimbb/crossbar/cost.hpp"
#include "pimbb/run_limits.hpp"

namespace pimbb::crossbar {

/// What is minimised; the estimates of pimbb/crossbar/cost.hpp of these names.
enum class Goal : std::uint8_t { ht, ll };
inline constexpr std::array<std::string_view, 2> kGoalNames{"ht", "ll"};
constexpr std::string_view name(Goal goal) { return kGoalNames[static_cast<std::size_t>(goal)]; }

struct Question {
  Goal goal = Goal::ht;
  std::uint64_t seed = 1;  ///< of the random steps that look for good mappings
};

struct GoalResult {
  Goal goal = Goal::ht;
  Rational value;  ///< of the mapping returned
  Rational bound;  ///< proven: no mapping is below it
  [[nodiscard]] Rational gap() const { return relative_gap(value, bound); }
};

/// Counters of a search. They depend on the problem, the question and the limits, not on time or on
/// the number of threads.
struct SolveStatistics {
  std::uint64_t starts = 0;  ///< mappings constructed and improved
  std::uint64_t steps = 0;   ///< exchanges tried on them
  std::uint64_t nodes = 0;   ///< nodes of the exact searches, those of RunLimits::node_limit
  std::uint64_t leaves = 0;  ///< replications whose packing was searched for
  std::uint64_t memory = 0;  ///< peak bytes, by the account of the memory limit
};

struct Solution : SolveStatistics {
  Status status = Status::unknown;
  std::optional<Mapping> mapping;  ///< present if optimal or feasible
  std::optional<Metrics> metrics;
  GoalResult result;
  std::string reason;  ///< infeasible: why
  double seconds = 0;
  int threads = 1;
};

/// Nodes of the exact searches where no limit is given: large problems are not solved to the end.
inline constexpr std::array<std::uint64_t, 2> kDefaultNodes{1'000'000, 20'000};  ///< by goal

/// Finds the mapping that minimises `question.goal`. Without a limit of nodes or time the search
/// ends after kDefaultNodes nodes; only with a time limit alone it looks for better mappings until
/// the time is up. Throws InputError if the architecture is not valid or the network has no such
/// estimate, LimitError
/// if not even one mapping fits the memory limit.
Solution solve(const Architecture& architecture, const Partition& partition,
               const Question& question = {}, const RunLimits& limits = {});

}  // namespace pimbb::crossbar
