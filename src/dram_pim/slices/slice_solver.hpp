// A cache of solved slices: layers that differ in their bounds, for one unit and one question.
//
// A slice is asked for with a goal and a cutoff. What is known of it is kept: its optimum answers
// every cutoff, "none below x" every cutoff up to x. All solves share one clock, one budget of
// nodes and the interruption of a run. Different slices may be asked for at the same time.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dram_pim/solver/choice_floors.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "run/clock.hpp"
#include "run/parts.hpp"

namespace pimbb::dram_pim::slices {

/// What is known of a slice.
struct SliceAnswer {
  /// A mapping below the cutoff; null if none was found. Valid as long as the solver.
  const Solution* solution = nullptr;
  /// Whether `solution` is the optimum or, without one, it is proven that none is below the cutoff.
  bool settled = false;
  Rational bound;  ///< proven for the first goal, under the caps; at most the cutoff
};

class SliceSolver {
 public:
  /// Keeps references. Starts the clock of the time limit. The question's objective and caps are
  /// those of `least` instead.
  SliceSolver(const Architecture& unit, const Question& question, const RunLimits& limits);

  /// The least value of the objective, in the order of its goals, of the slice's mappings within
  /// `caps`, if its first goal is below `below`. `floors`: what is known of its storage choices.
  SliceAnswer least(const Workload& slice, const Objective& objective,
                    const std::vector<GoalCap>& caps, const std::optional<Rational>& below,
                    const mapper::ChoiceFloors& floors);

  [[nodiscard]] bool stopped() const;
  /// Whether the run is interrupted or its time is over; nodes may be left.
  [[nodiscard]] bool out_of_time() const { return clock_.stopped(); }
  /// Whether less than half of the time is left, if it is limited, or none after an interruption.
  [[nodiscard]] bool late() const {
    return out_of_time() || (limits_.time_limit && clock_.seconds() > *limits_.time_limit / 2);
  }
  [[nodiscard]] double seconds() const { return clock_.seconds(); }
  /// How many slices should be asked for at the same time, at most.
  [[nodiscard]] std::size_t at_once() const { return limits_.node_limit ? 1 : kMostAtOnce; }
  /// Why a slice without any mapping has none; "" if that is not known. Not while any is asked for.
  [[nodiscard]] const std::string& reason() const { return reason_; }
  /// The counters of all solves together, and how many there were. Not while any is asked for.
  [[nodiscard]] const SolveStatistics& spent() const { return spent_; }
  [[nodiscard]] std::uint64_t solves() const {
    const std::lock_guard lock(mutex_);
    return solves_;
  }

 private:
  struct Known {
    std::optional<Solution> best;  // a mapping; the optimum if `optimal`
    bool optimal = false;
    std::optional<Rational> floor;  // no mapping is below it
    bool infeasible = false;        // no mapping within the caps at all

    [[nodiscard]] SliceAnswer answer(const std::optional<Rational>& below) const;
    void learn(Solution solution, const std::optional<Rational>& below);
    void raise(const Rational& bound);
  };
  using Key = std::pair<std::array<std::int64_t, kDims + 4>, std::string>;

  /// Many more than threads: slices take different times, and a round waits for all.
  static constexpr std::size_t kMostAtOnce = 64;

  /// The limits that are left for one solve.
  [[nodiscard]] RunLimits rest() const;
  Solution solve_one(const Workload& slice, const Question& question, RunLimits limits,
                     const mapper::ChoiceFloors& floors);

  const Architecture& unit_;
  const Question& question_;
  const RunLimits& limits_;
  run::Clock clock_;
  run::Parts memory_;
  mutable std::mutex mutex_;  // of what follows
  std::map<Key, Known> known_;
  SolveStatistics spent_;
  std::string reason_;
  std::uint64_t solves_ = 0;
};

}  // namespace pimbb::dram_pim::slices
