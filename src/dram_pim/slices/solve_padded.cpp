// The optimum over a box of bounds: one goal after the other, the vectors of bounds in the order of
// their floors.
//
// For a later goal of a list only vectors count that attain the optima of the goals before: their
// floors must not exceed these, and their mappings are searched for under these as caps.
#include <algorithm>

#include "dram_pim/mapper/target.hpp"
#include "dram_pim/slices/bounds_box.hpp"
#include "dram_pim/slices/cost_floor.hpp"
#include "dram_pim/slices/goals_in_order.hpp"
#include "dram_pim/slices/slice_solver.hpp"
#include "dram_pim/solver/progress_pace.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "pimbb/error.hpp"
#include "run/on_threads.hpp"
#include "run/parallel_for.hpp"
#include "run/threads.hpp"
#include "search/least_candidate.hpp"

namespace pimbb::dram_pim {
namespace slices {
namespace {

using mapper::Target;
using Found = search::Examined<Wide>;

constexpr std::size_t kChunk = 256;  // vectors of bounds, for one thread

class PaddedSolver {
 public:
  PaddedSolver(const Architecture& architecture, const Workload& layer, const Question& question,
               const RunLimits& limits)
      : a_(architecture),
        layer_(layer),
        question_(question),
        limits_(limits),
        box_(layer),
        floor_(architecture, with_bounds(layer_, box_.most()), question.row_model),
        solver_(architecture, question, limits),
        pace_(limits.timeless),
        caps_(question.all_caps()) {}

  Solution run() {
    GoalsInOrder found;
    run::on_threads(run::thread_count(limits_), [&] {
      found = minimise_in_order(
          question_.objective.goals, caps_, [&](Goal goal) { return minimise(goal); },
          [&](Goal goal) { return best_ ? std::optional(value_of_best(goal)) : std::nullopt; });
    });
    return finish(std::move(found));
  }

 private:
  /// What a look at some bounds has found.
  struct Looked {
    Found::State state = Found::State::settled;
    Wide bound = {};  // if raised or stopped
    const Solution* better = nullptr;
  };

  /// Looks for a mapping better than the best one in a goal, within the caps. If a limit ends this:
  /// a bound on all mappings.
  std::optional<Rational> minimise(Goal goal) {
    Target target(floor_.scale(), question_.objective, goal);
    for (const GoalCap& cap : caps_) {
      const auto most = target.with_goal(cap.goal).scaled_cap(cap.most);
      if (!most) return std::nullopt;  // a negative cap: nothing is within
      target.add_cap(cap.goal, *most);
    }
    search::CandidateSearch<Wide> candidates;
    bounds_.resize(box_.size());
    raised_.assign(box_.size(), 0);
    std::ranges::fill(bounds_, Wide{});  // holds where a limit ends this early
    run::for_each_chunk(box_.size(), kChunk, [&](const run::Chunk& chunk) {
      if (solver_.stopped()) return;
      for (std::uint64_t number = chunk.begin; number < chunk.end; ++number) {
        const mapper::Costs least = least_of(number, target);
        bounds_[number] = target.keeps_caps(least) ? target.value(least) : Wide::infinity();
      }
    });
    for (std::uint64_t number = 0; number < box_.size(); ++number) {
      if (bounds_[number] != Wide::infinity()) candidates.add(bounds_[number], number);
    }
    std::optional<Wide> cutoff;
    if (best_) cutoff = cutoff_of(target, value_of_best(goal));
    const auto open = candidates.run(
        cutoff, solver_.at_once(), [&](std::uint64_t number) { return look(number, target); },
        [&](std::uint64_t number, const Looked& looked) { return settle(number, looked, target); });
    return open ? std::optional(target.unscaled(*open)) : std::nullopt;
  }

  [[nodiscard]] mapper::Costs least_of(std::uint64_t number, const Target& target) const {
    const Factors bounds = box_[number];
    return target.uses_energy() ? floor_.tightened(bounds) : floor_.scaled(bounds);
  }

  /// Raises the bound, or searches.
  Looked look(std::uint64_t number, const Target& target) {
    if (solver_.stopped() && (best_ || solver_.solves() > 0)) return {Found::State::stopped};
    const Workload slice = with_bounds(layer_, box_[number]);
    if (find_misfit(a_, slice, question_.constraints)) return {};
    // Without time the first search ends with any mapping, and better bounds are of no use.
    const bool sharper = target.uses_energy() && !solver_.out_of_time();
    if (sharper && raised_[number] == 0) {
      raised_[number] = 1;
      const mapper::Costs divided = floor_.over_divisors(slice.bounds);
      if (!target.keeps_caps(divided)) return {};
      const Wide bound = target.value(divided);
      if (bounds_[number] < bound) return {Found::State::raised, bound};
    }
    mapper::ChoiceFloors floors;
    if (sharper) floors = floor_.choices_over_divisors(slice.bounds);
    Objective objective = question_.objective;
    objective.goals = {target.goal()};
    std::optional<Rational> below;
    if (best_) below = value_of_best(target.goal());
    const SliceAnswer answer = solver_.least(slice, objective, caps_, below, floors);
    if (answer.settled) return {Found::State::settled, {}, answer.solution};
    return {Found::State::stopped, target.scaled_floor(answer.bound).value_or(Wide{}),
            answer.solution};
  }

  Found settle(std::uint64_t number, const Looked& looked, const Target& target) {
    Found found{looked.state, {}, looked.bound};
    if (looked.state == Found::State::raised) bounds_[number] = looked.bound;
    const Goal goal = target.goal();
    if (looked.better != nullptr &&
        (!best_ ||
         question_.objective.value(goal, *looked.better->metrics) < value_of_best(goal))) {
      best_ = looked.better;
      best_bounds_ = box_[number];
      found.cutoff = cutoff_of(target, value_of_best(goal));
    }
    report(target, number);
    return found;
  }

  [[nodiscard]] Rational value_of_best(Goal goal) const {
    return question_.objective.value(goal, *best_->metrics);
  }

  /// The least scaled value that is no less: floors are whole.
  static Wide cutoff_of(const Target& target, const Rational& value) {
    const auto below = target.scaled_below(value);
    return below ? *below + Wide::from(1) : Wide{};
  }

  void report(const Target& target, std::uint64_t number) {
    if (!limits_.on_progress) return;
    std::optional<Wide> incumbent;
    if (best_) incumbent = target.scaled_floor(value_of_best(target.goal()));
    const std::uint64_t nodes = solver_.spent().nodes;
    if (!pace_.due(target.goal(), incumbent ? &*incumbent : nullptr, nodes, solver_.seconds())) {
      return;
    }
    Progress progress;
    progress.goal = name(target.goal());
    if (best_) progress.incumbent = value_of_best(target.goal()).to_double();
    progress.bound = target.unscaled(bounds_[number]).to_double();
    progress.nodes = nodes;
    progress.seconds = solver_.seconds();
    limits_.on_progress(progress);
  }

  Solution finish(GoalsInOrder found) {
    if (!best_ && found.proven && solver_.reason().empty()) {  // no vector was worth a search
      Question question = question_;
      question.caps = caps_;
      return solve(a_, layer_, question, limits_);
    }
    Solution solution;
    if (best_) solution = *best_;
    static_cast<SolveStatistics&>(solution) = solver_.spent();
    solution.method = question_.method;
    solution.bounds = box_.size();
    solution.bounds_searched = solver_.solves();
    solution.goals = std::move(found.goals);
    solution.seconds = solver_.seconds();
    solution.threads = run::thread_count(limits_);
    if (best_) {
      solution.status = found.proven ? Status::optimal : Status::feasible;
      if (best_bounds_ != layer_.bounds) solution.padded = best_bounds_;
    } else {
      solution.status = found.proven ? Status::infeasible : Status::unknown;
      if (found.proven) solution.reason = solver_.reason();
    }
    return solution;
  }

  const Architecture& a_;
  const Workload& layer_;
  const Question& question_;
  const RunLimits& limits_;
  const BoundsBox box_;
  const CostFloor floor_;
  SliceSolver solver_;
  mapper::ProgressPace pace_;
  std::vector<Wide> bounds_;          // of the goal, by number; infinity beyond a cap
  std::vector<std::uint8_t> raised_;  // whether a bound was looked at more closely
  std::vector<GoalCap> caps_;         // the question's and, by then, the optima of earlier goals
  const Solution* best_ = nullptr;    // kept by the solver
  Factors best_bounds_{};
};

}  // namespace
}  // namespace slices

Workload mapped_layer(const Workload& workload, const Solution& solution) {
  return with_bounds(workload, solution.padded.value_or(workload.bounds));
}

Solution solve_padded(const Architecture& architecture, const Workload& workload,
                      const Question& question, const RunLimits& limits) {
  if (!workload.may_be_padded()) return solve(architecture, workload, question, limits);
  if (is_heuristic(question.method)) {
    throw InputError("pad: found padding with method '" + std::string(name(question.method)) +
                     "', allowed are exact and dataflow methods");
  }
  validate(architecture);
  validate(workload);
  return slices::PaddedSolver(architecture, workload, question, limits).run();
}

}  // namespace pimbb::dram_pim
