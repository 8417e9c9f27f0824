// When the simplex gives up: after a number of iterations (repeatable), after some seconds, or on a
// request from outside.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <stop_token>

#include "lp/statistics.hpp"

namespace pimbb::lp {

struct SimplexLimits {
  std::optional<std::int64_t> iterations;  ///< of this call
  std::optional<double> seconds;
  std::stop_token stop;
  std::function<bool()> stopped = {};  ///< asked in every iteration; empty: never
};

class IterationBudget {
 public:
  using Clock = std::chrono::steady_clock;

  IterationBudget(const SimplexLimits& limits, const SimplexStatistics& before)
      : stop_(limits.stop), stopped_(limits.stopped) {
    if (limits.iterations) last_iteration_ = before.iterations() + *limits.iterations;
    if (limits.seconds) deadline_ = Clock::now() + std::chrono::duration<double>(*limits.seconds);
  }

  /// The same budget, with at most `iterations` from now on.
  [[nodiscard]] IterationBudget within(std::int64_t iterations,
                                       const SimplexStatistics& now) const {
    IterationBudget out = *this;
    out.last_iteration_ =
        std::min(now.iterations() + iterations,
                 last_iteration_.value_or(std::numeric_limits<std::int64_t>::max()));
    return out;
  }

  [[nodiscard]] bool is_exhausted(const SimplexStatistics& now) const {
    return (last_iteration_ && now.iterations() >= *last_iteration_) ||
           (deadline_ && Clock::now() >= *deadline_) || stop_.stop_requested() ||
           (stopped_ && stopped_());
  }

 private:
  std::optional<std::int64_t> last_iteration_;
  std::optional<std::chrono::time_point<Clock, std::chrono::duration<double>>> deadline_;
  std::stop_token stop_;
  std::function<bool()> stopped_;
};

/// How a run of one of the two algorithms (the dual or the primal simplex) ended.
enum class PhaseOutcome {
  done,                  ///< the dual algorithm: primal feasible; the primal algorithm: optimal
  ray,                   ///< proof of the opposite: primal infeasible, or primal unbounded
  limit,                 ///< the budget is used up
  numerical_failure,     ///< rounding errors prevent further iterations
  infeasible_both_ways,  ///< the dual algorithm: a first phase is needed
};

}  // namespace pimbb::lp
