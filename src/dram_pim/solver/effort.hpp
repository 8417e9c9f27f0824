// Limits, consumption and progress reports of one solve, shared by all of its searches.
#pragma once

#include <algorithm>
#include <functional>
#include <optional>

#include "dram_pim/mapper/target.hpp"
#include "dram_pim/solver/progress_pace.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "run/clock.hpp"
#include "search/branch_and_bound.hpp"

namespace pimbb::dram_pim::mapper {

class Effort {
 public:
  explicit Effort(const RunLimits& limits)
      : account(limits.memory_limit), limits_(limits), clock_(limits), pace_(limits.timeless) {}

  [[nodiscard]] double seconds() const { return clock_.seconds(); }
  /// Whether a limit or an interruption ends the run. Thread-safe, but for `lend`.
  [[nodiscard]] bool stopped() const {
    if (lend) lend();
    return clock_.stopped();
  }
  /// The same for who has been lent the thread.
  [[nodiscard]] bool out_of_time() const { return clock_.stopped(); }
  /// The guard for building tables: the clock, and the memory that is left.
  [[nodiscard]] run::Guard guard() { return guard(account); }
  /// With the memory of another account.
  [[nodiscard]] run::Guard guard(run::Account& of) const {
    return {[this] { return stopped(); }, of.room(), of.used(),
            [&of](std::uint64_t bytes) { of.note(bytes); }};
  }
  [[nodiscard]] std::uint64_t nodes_left() const {
    if (!limits_.node_limit) return ~std::uint64_t{0};
    return *limits_.node_limit - std::min(*limits_.node_limit, spent.nodes);
  }

  /// Sends a progress report if one is due; `now` are the counters of the running search.
  void progress(const Target& target, const search::TreeStatistics& now, const Wide* incumbent,
                const Wide& bound) {
    if (!limits_.on_progress) return;
    Progress line;
    line.goal = name(target.goal());
    line.nodes = spent.nodes + now.nodes;
    line.seconds = seconds();
    if (!pace_.due(target.goal(), incumbent, line.nodes, line.seconds)) return;
    if (incumbent) line.incumbent = target.unscaled(*incumbent).to_double();
    line.bound = target.unscaled(bound).to_double();
    limits_.on_progress(line);
  }

  run::Account account;   ///< memory in use
  SolveStatistics spent;  ///< counters of the completed searches
  /// Called when the run asks whether it must stop, on one thread only; empty: nobody wants it.
  std::function<void()> lend = {};

 private:
  const RunLimits& limits_;
  run::Clock clock_;
  ProgressPace pace_;
};

}  // namespace pimbb::dram_pim::mapper
