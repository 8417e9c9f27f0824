// minimise(): bounds and first mappings from solve(), many other starts, then the local search.
#include "pimbb/crossbar/minimise.hpp"

#include <algorithm>

#include "crossbar/assign/estimate_bounds.hpp"
#include "crossbar/assign/local_search.hpp"
#include "crossbar/assign/memory_need.hpp"
#include "crossbar/assign/starts.hpp"
#include "crossbar/cost/latency.hpp"
#include "pimbb/crossbar/solver.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "run/on_threads.hpp"
#include "run/parallel_for.hpp"
#include "run/threads.hpp"

namespace pimbb::crossbar {
namespace assign {
namespace {

constexpr double kShareOfBounds = 0.2;             // of the time
constexpr std::uint64_t kNodesOfBounds = 1'000;    // without a limit of time
constexpr std::size_t kMostStarts = 768;           // about, for the memory limit
constexpr std::uint64_t kEvaluationsAtATime = 64;  // of starts, before the clock is asked

class BestFoundSearch {
 public:
  BestFoundSearch(const Architecture& architecture, const Partition& partition,
                  const EstimateQuestion& question, const RunLimits& limits)
      : problem_(architecture, partition),
        question_(question),
        limits_(limits),
        clock_(limits),
        goals_(problem_, question.goals, question.mode) {}

  BestFound run() {
    check_memory(problem_, limits_, kMostStarts);
    solve_exactly();
    if (found_.status != Status::infeasible) search();
    found_.seconds = clock_.seconds();
    return std::move(found_);
  }

 private:
  [[nodiscard]] bool needs(Goal goal) const {
    return std::ranges::any_of(question_.goals, [&](Estimate estimate) {
      return estimate != Estimate::traffic &&
             needs_latency(estimate, question_.mode) == (goal == Goal::ll);
    });
  }

  /// Mappings and bounds of `ht` and `ll`, whichever the goals have to do with.
  void solve_exactly() {
    ExactBounds exact;
    for (const Goal goal : {Goal::ht, Goal::ll}) {
      if (!needs(goal)) continue;
      RunLimits part;
      part.threads = limits_.threads;
      part.memory_limit = limits_.memory_limit;
      part.stop = limits_.stop;
      if (limits_.time_limit) part.time_limit = *limits_.time_limit * kShareOfBounds;
      if (!limits_.time_limit) part.node_limit = kNodesOfBounds;
      const Solution solution = solve(problem_.a, problem_.p, {goal, question_.seed}, part);
      if (solution.status == Status::infeasible) {
        found_.status = Status::infeasible;
        found_.reason = solution.reason;
        return;
      }
      (goal == Goal::ht ? exact.ht : exact.ll) = solution.result.bound;
      if (!solution.mapping) continue;
      keep(*solution.mapping);
      if (goal == Goal::ll) replication_ = problem_.by_family(solution.mapping->replication);
    }
    for (const Estimate goal : question_.goals) {
      bounds_.push_back(estimate_bound(problem_, goal, question_.mode, exact));
    }
  }

  void keep(const Mapping& mapping) {
    walks_.push_back({mapping, goals_.values(mapping)});
    ++found_.evaluations;
  }

  void evaluate_starts() {
    const std::vector<Mapping> starts =
        starting_mappings(problem_, replication_, [this] { return clock_.stopped(); });
    found_.starts = starts.size() + walks_.size();
    for (std::size_t first = 0; first < starts.size(); first += kEvaluationsAtATime) {
      if (clock_.stopped() && !walks_.empty()) return;
      const std::size_t count = std::min(kEvaluationsAtATime, starts.size() - first);
      const std::size_t before = walks_.size();
      walks_.resize(before + count);
      run::parallel_for(count, [&](std::size_t i) {
        walks_[before + i] = {starts[first + i], goals_.values(starts[first + i])};
      });
      found_.evaluations += count;
      report(*std::ranges::min_element(walks_, {}, &Walk::values));
    }
  }

  void search() {
    evaluate_starts();
    if (walks_.empty()) {
      prove_infeasible();
      return;
    }
    WalkLimits limits;
    limits.evaluations =
        limits_.node_limit.value_or(limits_.time_limit ? ~std::uint64_t{0} : kDefaultEvaluations);
    limits.enough = bounds_;
    limits.seed = question_.seed;
    limits.stop = [this] { return clock_.stopped(); };
    limits.on_better = [this](const Walk& best) { report(best); };
    WalkResult result = walk(problem_, goals_, std::move(walks_), limits);
    found_.evaluations += result.evaluations;
    fill_in(std::move(result.best));
  }

  /// No start was legal.
  void prove_infeasible() {
    const Solution solution = solve(problem_.a, problem_.p, {Goal::ht, question_.seed}, limits_);
    found_.status = solution.status == Status::infeasible ? Status::infeasible : Status::unknown;
    found_.reason = solution.reason;
    if (solution.mapping) fill_in({*solution.mapping, goals_.values(*solution.mapping)});
  }

  void fill_in(Walk&& best) {
    found_.metrics = evaluate(problem_.a, problem_.p, best.mapping);
    found_.status = Status::optimal;
    for (std::size_t i = 0; i < bounds_.size(); ++i) {
      const Rational value = crossbar::value(*found_.metrics, question_.goals[i], question_.mode);
      if (value != best.values[i] || value < bounds_[i]) {
        throw std::logic_error("the search and the evaluator disagree on the value of a mapping");
      }
      found_.results.push_back({question_.goals[i], value, bounds_[i]});
      if (value != bounds_[i]) found_.status = Status::feasible;
    }
    found_.mapping = std::move(best.mapping);
  }

  void report(const Walk& best) const {
    if (!limits_.on_progress) return;
    Progress line;
    line.goal = name(question_.goals.front());
    line.incumbent = best.values.front().to_double();
    line.bound = bounds_.front().to_double();
    line.nodes = found_.evaluations;
    line.seconds = clock_.seconds();
    limits_.on_progress(line);
  }

  Problem problem_;
  const EstimateQuestion& question_;
  const RunLimits& limits_;
  run::Clock clock_;
  Goals goals_;
  Values bounds_;
  std::vector<std::int64_t> replication_;  // of least `ll`, by family; or empty
  std::vector<Walk> walks_;
  BestFound found_;
};

void check_goals(const Partition& partition, const EstimateQuestion& question) {
  if (question.goals.empty()) throw InputError("objective: found none, allowed is one or more");
  for (auto goal = question.goals.begin(); goal != question.goals.end(); ++goal) {
    require_latency(partition, *goal, question.mode);
    if (std::find(question.goals.begin(), goal, *goal) == goal) continue;
    throw InputError("objective: found " + std::string(name(*goal)) +
                     " twice, allowed is each estimate once");
  }
}

}  // namespace
}  // namespace assign

BestFound minimise(const Architecture& architecture, const Partition& partition,
                   const EstimateQuestion& question, const RunLimits& limits) {
  validate(architecture);
  assign::check_goals(partition, question);
  const int threads = run::thread_count(limits);
  BestFound found;
  run::on_threads(threads, [&] {
    found = assign::BestFoundSearch(architecture, partition, question, limits).run();
  });
  found.threads = threads;
  return found;
}

}  // namespace pimbb::crossbar
