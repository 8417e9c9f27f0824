// The time of a core under `ht`, from its array groups by descending cycles.
#pragma once

#include <algorithm>
#include <cstdint>

#include "pimbb/crossbar/architecture.hpp"

namespace pimbb::crossbar::assign {

/// Sums up cycles while array groups are added, those with most cycles first.
class CoreTime {
 public:
  explicit CoreTime(const Mvm& mvm) : interval_(mvm.interval), least_(mvm.time) {}

  void add(std::int64_t groups, std::int64_t cycles) {
    if (groups == 0) return;
    pass_to(cycles);
    active_ += groups;
  }
  /// ns, of all that was added.
  std::int64_t take() {
    pass_to(0);
    return time_;
  }

 private:
  void pass_to(std::int64_t cycles) {
    if (active_ > 0) time_ += (cycles_ - cycles) * std::max(active_ * interval_, least_);
    cycles_ = cycles;
  }

  std::int64_t interval_;
  std::int64_t least_;
  std::int64_t cycles_ = 0;
  std::int64_t active_ = 0;
  std::int64_t time_ = 0;
};

}  // namespace pimbb::crossbar::assign
