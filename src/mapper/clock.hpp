// The clock of a time limit, and the interruption beside it.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>

#include "pimbb/solver.hpp"

namespace pimbb::mapper {

/// Begins when it is made. Keeps a reference to the options.
class Clock {
 public:
  explicit Clock(const SolveOptions& options) : options_(options) {}

  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Now::now() - begin_).count();
  }
  /// Interrupted, or out of time. Thread-safe.
  [[nodiscard]] bool stopped() const {
    return options_.stop.stop_requested() ||
           (options_.time_limit && seconds() >= *options_.time_limit);
  }
  /// What is left of the time limit, if there is one: >= 0.
  [[nodiscard]] std::optional<double> left() const {
    if (!options_.time_limit) return std::nullopt;
    return std::max(0.0, *options_.time_limit - seconds());
  }

 private:
  using Now = std::chrono::steady_clock;
  const SolveOptions& options_;
  Now::time_point begin_ = Now::now();
};

}  // namespace pimbb::mapper
