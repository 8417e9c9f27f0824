// Limits of a search, its interruption, its progress reports and its status, for every kind of
// problem.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>

namespace pimbb {

enum class Status : std::uint8_t {
  optimal,     ///< the value is the optimum, proven
  feasible,    ///< not proven (a limit, a heuristic); a proven bound limits the distance to the
               ///< optimum
  infeasible,  ///< proven: no solution exists
  unknown      ///< a limit was reached before any solution was found
};
inline constexpr std::array<std::string_view, 4> kStatusNames{"optimal", "feasible", "infeasible",
                                                              "unknown"};
constexpr std::string_view name(Status status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}

/// A progress report, made between two rounds of the search: for every better solution, and at
/// regular intervals.
struct Progress {
  std::string_view goal;            ///< the goal that is being minimised; static storage
  std::optional<double> incumbent;  ///< best value so far
  double bound = 0;                 ///< proven lower bound
  std::uint64_t nodes = 0;          ///< nodes expanded so far, over all goals
  double seconds = 0;
  /// (incumbent - bound) / incumbent; 0 if there is no incumbent or if it is 0.
  [[nodiscard]] double gap() const;
};

struct RunLimits {
  int threads = 0;                               ///< 0: all cores; does not affect the answer
  std::optional<double> time_limit = {};         ///< seconds
  std::optional<std::uint64_t> node_limit = {};  ///< expanded nodes; repeats exactly
  /// Bytes of tables, open nodes and dominance labels, as the solver accounts for them: within 20 %
  /// of what a large solve takes. At the limit the search continues depth first and stores no more
  /// labels: slower, but exact. Only the nodes of a single path down the tree may exceed the limit.
  std::uint64_t memory_limit = std::uint64_t{4} << 30;
  std::stop_token stop = {};  ///< interrupts the search, which then returns the best solution found
  std::function<void(const Progress&)> on_progress = {};  ///< called from the solving thread
  bool timeless = false;  ///< report progress by nodes instead of time, so that reports repeat
};

}  // namespace pimbb
