// The clock of a time limit, and the interruption beside it.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <stop_token>

#include "pimbb/run_limits.hpp"

namespace pimbb::run {

/// Begins when it is made.
class Clock {
 public:
  explicit Clock(const RunLimits& limits) : stop_(limits.stop), limit_(limits.time_limit) {}

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Now::now() - begin_).count();
  }
  /// Interrupted, or out of time. Thread-safe.
  [[nodiscard]] bool stopped() const {
    return stop_.stop_requested() || (limit_ && seconds() >= *limit_);
  }
  /// What is left of the time limit, if there is one: >= 0.
  [[nodiscard]] std::optional<double> left() const {
    if (!limit_) return std::nullopt;
    return std::max(0.0, *limit_ - seconds());
  }

 private:
  using Now = std::chrono::steady_clock;
  std::stop_token stop_;
  std::optional<double> limit_;
  Now::time_point begin_ = Now::now();
};

}  // namespace pimbb::run
