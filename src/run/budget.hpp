// The limits of a computation that makes many searches: each gets what is left.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "pimbb/run_limits.hpp"
#include "run/clock.hpp"

namespace pimbb::run {

/// Its clock starts at construction.
class Budget {
 public:
  /// `spent`: the nodes of all searches that have ended.
  Budget(RunLimits limits, std::function<std::uint64_t()> spent)
      : limits_(std::move(limits)), spent_(std::move(spent)), clock_(limits_) {}
  Budget(const Budget&) = delete;  // what it hands out refers to it
  Budget& operator=(const Budget&) = delete;

  [[nodiscard]] double seconds() const { return clock_.seconds(); }

  /// The limits of the next search, whose progress counts from the beginning of all; nothing if the
  /// computation is interrupted or nothing is left. Must not outlive this budget.
  [[nodiscard]] std::optional<RunLimits> left() const {
    const std::uint64_t spent = spent_();
    if (clock_.stopped() || (limits_.node_limit && spent >= *limits_.node_limit)) {
      return std::nullopt;
    }
    RunLimits rest = limits_;
    rest.time_limit = clock_.left();
    if (rest.node_limit) *rest.node_limit -= spent;
    if (limits_.on_progress) {
      rest.on_progress = [this, spent](Progress progress) {
        progress.nodes += spent;
        progress.seconds = clock_.seconds();
        limits_.on_progress(progress);
      };
    }
    return rest;
  }

 private:
  RunLimits limits_;
  std::function<std::uint64_t()> spent_;
  Clock clock_;
};

}  // namespace pimbb::run
