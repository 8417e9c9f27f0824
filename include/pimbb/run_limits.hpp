// What any search of pimbb is given besides its question: limits, an interruption, and the function
// that receives progress reports.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string_view>

namespace pimbb {

enum class Status : std::uint8_t {
  optimal,   ///< the value is the optimum, proven
  feasible,  ///< not proven (a limit, a heuristic): a bound says how far it may be from the optimum
  infeasible,  ///< proven: no solution exists
  unknown      ///< a limit was hit before any solution was found
};
inline constexpr std::array<std::string_view, 4> kStatusNames{"optimal", "feasible", "infeasible",
                                                              "unknown"};
constexpr std::string_view name(Status status) {
  return kStatusNames[static_cast<std::size_t>(status)];
}

/// One report of progress, made between two rounds of the search: for every better solution, and in
/// between at a steady pace.
struct Progress {
  std::string_view goal;            ///< name of the goal being minimised now; static storage
  std::optional<double> incumbent;  ///< best value so far
  double bound = 0;                 ///< proven lower bound
  std::uint64_t nodes = 0;          ///< nodes expanded so far, over all goals
  double seconds = 0;
  /// (incumbent - bound) / incumbent, 0 without an incumbent or where it is 0.
  [[nodiscard]] double gap() const;
};

struct RunLimits {
  int threads = 0;                        ///< 0: all cores; the answer does not depend on it
  std::optional<double> time_limit = {};  ///< seconds
  std::optional<std::uint64_t> node_limit =
      {};  ///< nodes expanded; repeatable where seconds are not
  /// Bytes of tables, open nodes and dominance labels, by account and not as the system counts
  /// them. When it is reached the search goes on depth first and remembers no more labels: slower,
  /// and still exact. Beyond it goes only what a single path down the tree needs.
  std::uint64_t memory_limit = std::uint64_t{4} << 30;
  std::stop_token stop = {};  ///< interrupts the search, which still returns its best
  std::function<void(const Progress&)> on_progress = {};  ///< called from the solving thread
  bool timeless = false;  ///< pace progress by nodes instead of seconds, so that it repeats
};

}  // namespace pimbb
