// solve(): one goal after the other, each under the optima of those before it.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <stdexcept>
#include <thread>

#include "dram/walk.hpp"
#include "mapper/minimise.hpp"
#include "mapper/trace_leaf.hpp"
#include "pimbb/error.hpp"
#include "pimbb/feasibility.hpp"
#include "pimbb/solver.hpp"

namespace pimbb {
namespace mapper {
namespace {

class Solver {
 public:
  Solver(const Architecture& a, const Workload& w, const SolveOptions& options)
      : a_(a), w_(w), options_(options), effort_(options) {}

  Solution run() {
    Solution solution;
    solution.reason = obstacle();
    if (!solution.reason.empty()) {
      solution.status = Status::infeasible;
    } else {
      instance_.emplace(a_, w_, options_.row_model);
      minimise_all(solution);
    }
    solution.nodes = effort_.spent.nodes;
    solution.leaves = effort_.spent.leaves;
    solution.mappings = effort_.mappings;
    solution.choices = effort_.choices;
    solution.lp_solves = effort_.lp_solves;
    solution.lp_iterations = effort_.lp_iterations;
    solution.seconds = effort_.seconds();
    return solution;
  }

 private:
  /// Why there is no mapping at all, or nothing. Tiles only grow with their factors, so a feasible
  /// mapping exists iff the one with all loops at the DRAM and as little stored as allowed is.
  [[nodiscard]] std::string obstacle() const {
    Mapping smallest;
    smallest.levels.resize(a_.levels.size());
    for (std::size_t m = 0; m < a_.levels.size(); ++m) {
      const bool free = m < a_.row_buffer() && a_.levels[m].bypass_free;
      smallest.levels[m].stores = free ? TensorFlags{} : a_.storable(m);
    }
    for (const Dim j : kAllDims) {
      if (w_.bound(j) > 1) smallest.levels.back().loops.push_back({j, w_.bound(j)});
    }
    const auto violation = find_violation(a_, w_, smallest);
    if (!violation) return {};
    const bool in_dram = violation->message.starts_with(a_.levels.back().name);
    return violation->message + (in_dram ? ": the DRAM must hold the whole layer"
                                         : ": not even one element of each tensor it stores fits");
  }

  void minimise_all(Solution& solution) {
    std::vector<std::pair<Goal, Wide>> caps;
    Incumbent best;
    Minimiser minimiser(*instance_, options_, effort_);
    bool complete = true;
    for (const Goal goal : options_.objective.goals) {
      Target target = make_target(goal, caps);
      if (best) best->first = target.value(best->second.costs);
      if (complete) {
        if (options_.row_model == RowModel::trace && !best) best = seed(target);
        Minimum minimum = minimiser.run(target, std::move(best));
        best = std::move(minimum.best);
        complete = minimum.complete;
        solution.goals.push_back({goal, {}, target.unscaled(minimum.bound)});
        if (best) caps.emplace_back(goal, best->first);
      } else {
        solution.goals.push_back({goal, {}, target.unscaled(minimiser.trivial_bound(target))});
      }
    }
    if (!best) {
      solution.status = complete ? Status::infeasible : Status::unknown;
      solution.reason = complete ? "no mapping satisfies all constraints"
                                 : "a limit was reached before any mapping was found";
      return;
    }
    solution.status = complete ? Status::optimal : Status::feasible;
    report(solution, best->second);
  }

  [[nodiscard]] Target make_target(Goal goal,
                                   const std::vector<std::pair<Goal, Wide>>& caps) const {
    Target target(instance_->scale, options_.objective, goal);
    for (const auto& [capped, value] : caps) target.add_cap(capped, value);
    return target;
  }

  /// Fills in mapping and metrics, computed anew by the plain evaluator (a trace is not walked
  /// twice).
  void report(Solution& solution, const Solved& solved) const {
    solution.mapping = solved.mapping;
    solution.metrics = options_.row_model == RowModel::trace
                           ? evaluate_with_rows(a_, w_, solved.mapping, unscaled(solved.rows))
                           : evaluate(a_, w_, solved.mapping, options_.row_model);
    for (GoalResult& result : solution.goals) {
      result.value = options_.objective.value(result.goal, *solution.metrics);
      Target target(instance_->scale, options_.objective, result.goal);
      if (target.unscaled(target.value(solved.costs)) != result.value) {
        throw std::logic_error("the search and the evaluator disagree on the cost of a mapping");
      }
    }
  }

  /// First incumbent of the trace model: the mapping that the hybrid model calls best, walked.
  Incumbent seed(const Target& target) {
    SolveOptions options = options_;
    options.row_model = RowModel::hybrid;
    options.objective.goals = {target.goal()};
    if (options.time_limit)
      options.time_limit = std::max(0.0, *options.time_limit - effort_.seconds());
    if (options.node_limit) options.node_limit = effort_.nodes_left();
    const Solution hybrid = solve(a_, w_, options);
    effort_.spent.nodes += hybrid.nodes;
    if (!hybrid.mapping) return {};
    PerTensor<Int128> rows{};
    for (const Tensor t : kAllTensors) {
      dram::WalkLimit limit;
      limit.stop = [&] { return effort_.stopped(); };
      const auto count = dram::walk_activations(a_, w_, *hybrid.mapping, t, limit);
      if (!count) return {};
      rows[index(t)] = static_cast<Int128>(*count) * instance_->scale.row;
    }
    const Metrics metrics = evaluate_with_rows(a_, w_, *hybrid.mapping, unscaled(rows));
    const Costs costs{instance_->scale.scaled_latency(metrics.latency),
                      instance_->scale.scaled_energy(metrics.energy),
                      instance_->scale.scaled_activations(metrics.activations())};
    if (!target.keeps_caps(costs)) return {};
    return std::pair{target.value(costs), Solved{*hybrid.mapping, costs, rows}};
  }

  [[nodiscard]] PerTensor<Rational> unscaled(const PerTensor<Int128>& rows) const {
    PerTensor<Rational> result;
    for (std::size_t t = 0; t < kTensors; ++t) result[t] = instance_->scale.activations(rows[t]);
    return result;
  }

  const Architecture& a_;
  const Workload& w_;
  const SolveOptions& options_;
  Effort effort_;
  std::optional<Instance> instance_;
};

}  // namespace
}  // namespace mapper

Rational GoalResult::gap() const {
  return value.sign() == 0 ? Rational() : (value - bound) / value;
}

Solution solve(const Architecture& architecture, const Workload& workload,
               const SolveOptions& options) {
  validate(architecture);
  validate(workload);
  if (architecture.levels.size() > mapper::kMaxLevels) {
    throw InputError("architecture '" + architecture.name + "': memory_hierarchy: found " +
                     std::to_string(architecture.levels.size()) + " levels, allowed are 4 .. " +
                     std::to_string(mapper::kMaxLevels));
  }
  const int threads = options.threads > 0
                          ? options.threads
                          : std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  // More threads than cores are of use to nobody but a test, which shall get them all the same.
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  Solution solution =
      arena.execute([&] { return mapper::Solver(architecture, workload, options).run(); });
  solution.threads = threads;
  return solution;
}

}  // namespace pimbb
