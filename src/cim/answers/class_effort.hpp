// Limits and counts of the search for the classes of one scheme.
#pragma once

#include <algorithm>
#include <functional>

#include "cim/answers/class_search.hpp"

namespace pimbb::cim::classes {

class ClassEffort {
 public:
  /// `bytes`: in use at present. References are kept.
  ClassEffort(const mapper::LabelLimits& limits, std::function<std::uint64_t()> bytes)
      : limits_(limits), bytes_(std::move(bytes)) {}

  [[nodiscard]] bool stopped() const { return stopped_; }
  void count_candidate() { ++outcome_.candidates; }
  /// Counts labels or entries that are about to be extended, and looks at the limits.
  bool is_stopped(std::size_t extended) {
    outcome_.labels += extended;
    outcome_.bytes = std::max(outcome_.bytes, bytes_());
    stopped_ = outcome_.labels > limits_.labels || outcome_.bytes > limits_.bytes ||
               (limits_.stop && limits_.stop());
    return stopped_;
  }
  /// The same, seldom enough to be asked for every candidate.
  bool is_time_to_stop() { return stopped_ || (++steps_ % kStepsAtOnce == 0 && is_stopped(0)); }
  /// The counts so far.
  [[nodiscard]] ClassOutcome outcome(std::size_t states) const {
    ClassOutcome outcome = outcome_;
    outcome.complete = !stopped_;
    outcome.states = states;
    return outcome;
  }

 private:
  static constexpr std::uint64_t kStepsAtOnce = 2048;
  const mapper::LabelLimits& limits_;
  std::function<std::uint64_t()> bytes_;
  std::uint64_t steps_ = 0;
  bool stopped_ = false;
  ClassOutcome outcome_;
};

}  // namespace pimbb::cim::classes
