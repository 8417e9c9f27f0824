// Questions about changed accelerators and limits on estimates, answered by searches that share the
// limits of one computation.
//
// A question may leave some figures without bound: cores and crossbars as many as are of use, times
// of multiplications 0. Times that are 0 are no accelerator's; but `ht` and `ll` are homogeneous in
// both times, and with the one or the other at 0 they are those of an accelerator at another scale.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "answers/explainable.hpp"
#include "crossbar/assign/packing.hpp"
#include "pimbb/crossbar/solver.hpp"
#include "run/budget.hpp"

namespace pimbb::crossbar::within {

using Verdict = pimbb::answers::Explainable::Verdict;

struct Asked {
  Architecture a;
  std::optional<Rational> ht = {};  ///< the greatest that is allowed, ns
  std::optional<Rational> ll = {};
  bool any_cores = false;
  bool any_crossbars = false;  ///< if memory is enforced, with the parts that nodes have today
  bool no_time = false;        ///< a multiplication takes 0 ns
  bool no_interval = false;    ///< two start at once
};

struct Trial {
  Verdict verdict = Verdict::stopped;
  std::optional<Mapping> mapping = {};  ///< if feasible and at hand
};

/// The least value of an estimate.
struct Least {
  Verdict verdict = Verdict::stopped;   ///< whether there is a mapping
  std::optional<Rational> value = {};   ///< the least one known
  Rational bound = 0;                   ///< nothing is below it
  std::optional<Mapping> mapping = {};  ///< of the value, if at hand
  [[nodiscard]] bool is_proven() const { return value && *value == bound; }
};

class Searches {
 public:
  /// The graph must outlive this.
  Searches(const NodeGraph& graph, std::uint64_t seed, const RunLimits& limits)
      : graph_(graph), seed_(seed), limits_(limits), clock_(limits), budget_(limits, [this] {
          return spent_.nodes;
        }) {}

  /// Whether some mapping is within the limits.
  Trial decide(const Asked& asked);
  /// The least `goal` within the limits. With `enough`, only whether it is less than that matters:
  /// the search may end where that is decided.
  Least least(const Asked& asked, Goal goal, const std::optional<Rational>& enough = {});

  [[nodiscard]] const SolveStatistics& spent() const { return spent_; }
  [[nodiscard]] std::uint64_t solves() const { return solves_; }
  [[nodiscard]] double seconds() const { return clock_.seconds(); }
  [[nodiscard]] const NodeGraph& graph() const { return graph_; }
  /// Whether a limit of the whole computation, or of what follows allow(), is used up.
  [[nodiscard]] bool is_over() const {
    return !budget_.left() || (until_ && clock_.seconds() >= *until_);
  }
  /// The rest of the time limit, seconds; nothing without one.
  [[nodiscard]] std::optional<double> time_left() const { return clock_.left(); }
  /// What follows ends after so many seconds; nothing: with the time limit.
  void allow(std::optional<double> seconds) {
    until_.reset();
    if (seconds) until_ = clock_.seconds() + *seconds;
  }

 private:
  struct Concrete;
  [[nodiscard]] std::optional<Concrete> concrete(const Asked& asked, std::int64_t crossbars) const;
  Trial decide_at(const Asked& asked, std::int64_t crossbars);
  static std::optional<Trial> by_counting(const Concrete& at);
  Trial search(const Concrete& at);
  Trial within_both(const Concrete& at);
  Trial within_throughput(const Concrete& at);
  Trial within_latency(const Concrete& at);
  Trial with_memory(const Concrete& at);
  Trial by_tree(const Concrete& at, std::uint64_t nodes);
  Least least_at(const Concrete& at, Goal goal, const std::optional<Rational>& enough);
  Least least_throughput(const Concrete& at, Least least);
  Least least_latency(const Concrete& at, Least least);

  using Decided = std::function<bool(const Progress&)>;
  std::optional<Solution> solve(const Concrete& at, Goal goal, const Decided& decided);
  std::optional<Least> least_of_few_crossbars(const Asked& asked, const Concrete& most, Goal goal);
  [[nodiscard]] assign::Effort effort(std::uint64_t most_nodes) const;
  void spend(const assign::Effort& effort);

  const NodeGraph& graph_;
  std::uint64_t seed_;
  RunLimits limits_;
  run::Clock clock_;
  run::Budget budget_;
  std::optional<double> until_;  // seconds of the clock
  SolveStatistics spent_;
  std::uint64_t solves_ = 0;
};

/// The greatest whole number of ns that is not above x >= 0; nothing if that is 2^62 or more.
std::optional<std::int64_t> whole(const Rational& x);

}  // namespace pimbb::crossbar::within
