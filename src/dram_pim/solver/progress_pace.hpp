// The times of progress reports: for every better mapping, and at regular intervals of time or, if
// the output must be reproducible, of nodes.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "exact/int128.hpp"
#include "pimbb/dram_pim/objective.hpp"

namespace pimbb::dram_pim::mapper {

class ProgressPace {
 public:
  explicit ProgressPace(bool timeless) : timeless_(timeless) {}

  /// Whether a report is due; if so, the caller makes it now.
  bool due(Goal goal, const Wide* incumbent, std::uint64_t nodes, double seconds) {
    std::optional<Wide>& best = best_[static_cast<std::size_t>(goal)];
    const bool better = incumbent != nullptr && best != *incumbent;
    if (!better && (timeless_ ? nodes < next_nodes_ : seconds < next_seconds_)) return false;
    if (better) best = *incumbent;
    next_nodes_ = nodes + std::max(kNodes, nodes / 64);  // bounds the size of the log
    next_seconds_ = seconds + kSeconds;
    return true;
  }

 private:
  static constexpr std::uint64_t kNodes = 1024;
  static constexpr double kSeconds = 0.1;

  bool timeless_;
  std::array<std::optional<Wide>, kGoalNames.size()> best_;  // by goal
  std::uint64_t next_nodes_ = 0;
  double next_seconds_ = 0;
};

}  // namespace pimbb::dram_pim::mapper
