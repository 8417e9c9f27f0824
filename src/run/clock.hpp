// The clock of a time limit, together with the interruption.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <stop_token>

#include "pimbb/run_limits.hpp"

namespace pimbb::run {

/// Starts at construction.
class Clock {
 public:
  explicit Clock(const RunLimits& limits) : stop_(limits.stop), limit_(limits.time_limit) {}

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Now::now() - begin_).count();
  }
  /// Whether the run is interrupted or out of time. Thread-safe.
  [[nodiscard]] bool stopped() const {
    return stop_.stop_requested() || (limit_ && seconds() >= *limit_);
  }
  /// The rest of the time limit, >= 0; nothing without a limit.
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
