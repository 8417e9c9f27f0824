// What a solve may spend, what it has spent, and whom it tells: shared by all of its searches.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "mapper/target.hpp"
#include "pimbb/solver.hpp"
#include "search/branch_and_bound.hpp"

namespace pimbb::mapper {

class Effort {
 public:
  explicit Effort(const SolveOptions& options) : options_(options), begin_(Clock::now()) {}

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  /// Thread-safe.
  [[nodiscard]] bool stopped() const {
    return options_.stop.stop_requested() ||
           (options_.time_limit && seconds() >= *options_.time_limit);
  }
  [[nodiscard]] std::uint64_t nodes_left() const {
    if (!options_.node_limit) return ~std::uint64_t{0};
    return *options_.node_limit - std::min(*options_.node_limit, spent.nodes);
  }

  /// Reports, at most ten times a second; `now` is what the running search has added to `spent`.
  void progress(const Target& target, const search::Statistics& now, const Wide* incumbent,
                const Wide& bound) {
    constexpr double kInterval = 0.1;
    if (!options_.on_progress || seconds() < next_progress_) return;
    next_progress_ = seconds() + kInterval;
    Progress line;
    line.goal = target.goal();
    if (incumbent) line.incumbent = target.unscaled(*incumbent).to_double();
    line.bound = target.unscaled(bound).to_double();
    line.nodes = spent.nodes + now.nodes;
    line.seconds = seconds();
    options_.on_progress(line);
  }

  search::Statistics spent;    ///< by the searches that have ended
  std::uint64_t mappings = 0;  ///< in the leaves visited
  std::uint64_t choices = 0;   ///< of storage, for which tables were built
  std::uint64_t lp_solves = 0;
  std::uint64_t lp_iterations = 0;

 private:
  using Clock = std::chrono::steady_clock;
  const SolveOptions& options_;
  Clock::time_point begin_;
  double next_progress_ = 0;
};

}  // namespace pimbb::mapper
