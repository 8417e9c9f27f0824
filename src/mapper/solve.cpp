// solve(): one goal after the other, one storage choice after the other, each by branch and bound.
//
// A goal that trades latency against energy (EDP, blends) is prepared by minimising each of the two
// alone. That gives good first incumbents, and it gives the range in which the latency of a better
// mapping can lie: between the least latency and the one at which even the least energy is no
// longer enough. The completion bounds are tabulated at thresholds spread over that range.
#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <stdexcept>
#include <thread>

#include "dram/walk.hpp"
#include "mapper/mapping_problem.hpp"
#include "mapper/storage_tree.hpp"
#include "mapper/trace_leaf.hpp"
#include "pimbb/error.hpp"
#include "pimbb/feasibility.hpp"
#include "pimbb/solver.hpp"

namespace pimbb {
namespace mapper {
namespace {

using Clock = std::chrono::steady_clock;
using Search = search::BranchAndBound<MappingProblem>;
using Incumbent = std::optional<std::pair<Wide, Solved>>;

constexpr int kThresholds = Completion::kMaxThresholds;

/// A storage choice with what the search needs of it.
struct Choice {
  Storage storage;
  LevelTiles levels;
};

/// What the minimisation of one goal has established.
struct Minimum {
  Incumbent best;
  Wide bound;             ///< proven lower bound
  bool complete = false;  ///< `best` is the optimum, or there is none
};

class Solver {
 public:
  Solver(const Architecture& a, const Workload& w, const SolveOptions& options)
      : a_(a), w_(w), options_(options), begin_(Clock::now()) {}

  Solution run() {
    Solution solution;
    solution.reason = obstacle();
    if (!solution.reason.empty()) {
      solution.status = Status::infeasible;
    } else {
      instance_.emplace(a_, w_, options_.row_model);
      if (relaxes()) fill_points_.emplace(*instance_);
      minimise_all(solution);
    }
    solution.nodes = statistics_.nodes;
    solution.leaves = statistics_.leaves;
    solution.mappings = mappings_;
    solution.choices = choices_searched_;
    solution.lp_solves = lp_.solves;
    solution.lp_iterations = lp_.iterations;
    solution.seconds = seconds();
    return solution;
  }

 private:
  [[nodiscard]] double seconds() const {
    return std::chrono::duration<double>(Clock::now() - begin_).count();
  }
  [[nodiscard]] bool stopped() const {
    return options_.stop.stop_requested() ||
           (options_.time_limit && seconds() >= *options_.time_limit);
  }

  /// Whether linear relaxations bound the storage choices: with few of them, tables are cheaper.
  [[nodiscard]] bool relaxes() const {
    constexpr std::uint64_t kWorthwhile = 16;
    return options_.rules.has(Rule::lp) && count_storage_choices(a_) >= kWorthwhile;
  }

  /// A storage choice, built when it is first needed, and kept if there are not too many of them;
  /// null if no PE can hold what it would have to.
  std::shared_ptr<const Choice> choice(const std::vector<TensorFlags>& stores) {
    constexpr std::size_t kKept = 64;
    const auto known = built_.find(stores);
    if (known != built_.end()) return known->second;
    Storage storage(a_, w_, instance_->scale, stores);
    LevelTiles levels(a_, instance_->lattice, instance_->vectors, storage,
                      options_.rules.has(Rule::spatial) && !spatial_matters(storage));
    std::shared_ptr<const Choice> built;
    if (!levels.tiles[0].empty()) {
      built = std::make_shared<const Choice>(Choice{std::move(storage), std::move(levels)});
    }
    if (built_.size() < kKept) built_.emplace(stores, built);
    return built;
  }

  /// Under the trace model a tensor stored nowhere on chip is streamed to the array directly, and
  /// its rows depend on the spatial factors themselves, not only on their leaf terms.
  [[nodiscard]] bool spatial_matters(const Storage& storage) const {
    if (options_.row_model != RowModel::trace) return false;
    for (const Tensor t : kAllTensors) {
      if (storage.innermost(t) == a_.row_buffer()) return true;
    }
    return false;
  }

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
    bool complete = true;
    for (const Goal goal : options_.objective.goals) {
      Target target = make_target(goal, caps);
      if (best) best->first = target.value(best->second.costs);
      if (complete) {
        Minimum minimum = minimise(target, std::move(best));
        best = std::move(minimum.best);
        complete = minimum.complete;
        solution.goals.push_back({goal, {}, target.unscaled(minimum.bound)});
        if (best) caps.emplace_back(goal, best->first);
      } else {
        solution.goals.push_back({goal, {}, target.unscaled(trivial_bound(target))});
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

  /// Least value of the target's goal within its caps, starting from a known mapping.
  Minimum minimise(const Target& target, Incumbent best) {
    std::vector<Int128> thresholds{target.latency_cap()};
    if (options_.row_model == RowModel::trace && !best) best = seed(target);
    if (target.goal() == Goal::edp || target.goal() == Goal::blended) {
      const auto prepared = prepare(target, best);
      if (!prepared) return {std::move(best), trivial_bound(target), false};
      if (options_.rules.has(Rule::thresholds)) thresholds = *prepared;
    }
    return std::move(minimise({target}, thresholds, {std::move(best)}).front());
  }

  /// The same for several targets that share their thresholds, and with them the completion bounds.
  std::vector<Minimum> minimise(const std::vector<Target>& targets,
                                const std::vector<Int128>& thresholds,
                                std::vector<Incumbent> best) {
    std::vector<Minimum> minima;
    for (Incumbent& known : best) minima.push_back({std::move(known), Wide::infinity(), true});
    const auto out_of_time = [&] {
      return stopped() && std::all_of(minima.begin(), minima.end(),
                                      [](const Minimum& m) { return m.best.has_value(); });
    };
    StorageTree tree(*instance_, fill_points_ ? &*fill_points_ : nullptr, targets);
    while (const auto next = tree.next(cutoffs(minima))) {
      const auto choice = this->choice(next->stores);
      if (!choice) continue;
      ++choices_searched_;
      const Completion completion(instance_->lattice, choice->storage, choice->levels, thresholds);
      for (std::size_t k = 0; k < targets.size(); ++k) {
        Minimum& minimum = minima[k];
        if (minimum.best && next->bounds[k] >= minimum.best->first) continue;
        std::optional<Wide> open = Wide{};
        if (minimum.complete) open = search(*choice, completion, targets[k], minimum.best);
        if (!open) continue;
        minimum.complete = false;
        minimum.bound = std::min(minimum.bound, std::max(*open, trivial_bound(targets[k])));
      }
      if (!out_of_time()) continue;
      for (std::size_t k = 0; k < targets.size(); ++k) {
        const Wide open = std::max(tree.open_bound(k), trivial_bound(targets[k]));
        if (minima[k].best && open >= minima[k].best->first) continue;
        minima[k].complete = false;
        minima[k].bound = std::min(minima[k].bound, open);
      }
      break;
    }
    lp_.solves += tree.statistics().solves;
    lp_.iterations += tree.statistics().iterations;
    for (Minimum& minimum : minima) {
      if (minimum.best) minimum.bound = std::min(minimum.bound, minimum.best->first);
    }
    return minima;
  }

  static std::vector<const Wide*> cutoffs(const std::vector<Minimum>& minima) {
    std::vector<const Wide*> values;
    for (const Minimum& m : minima) values.push_back(m.best ? &m.best->first : nullptr);
    return values;
  }

  /// Branch and bound under one storage choice; returns the open bound if a limit ended it.
  std::optional<Wide> search(const Choice& choice, const Completion& completion,
                             const Target& target, Incumbent& best) {
    MappingProblem problem(
        *instance_, choice.storage, choice.levels, completion, target,
        {options_.rules, [&] { return stopped(); }});
    if (best && options_.rules.has(Rule::tiles)) problem.drop_hopeless(best->first);
    search::Limits limits{nodes_left(), [&] { return stopped(); }};
    Search search(problem, limits,
                  [&](const auto& statistics, const Wide* incumbent, const Wide& bound) {
                    progress(target, statistics, incumbent, bound);
                  });
    std::vector<MappingNode> roots;
    roots.push_back(problem.root());
    auto outcome = search.run(std::move(roots), std::move(best));
    best = std::move(outcome.incumbent);
    statistics_.nodes += outcome.statistics.nodes;
    statistics_.leaves += outcome.statistics.leaves;
    mappings_ += problem.mappings();
    return outcome.open_bound;
  }

  /// Thresholds for a trade-off between latency and energy; improves `best` on the way. Nothing if
  /// a limit was reached.
  std::optional<std::vector<Int128>> prepare(const Target& target, Incumbent& best) {
    const std::vector<Target> singles{target.with_goal(Goal::latency),
                                      target.with_goal(Goal::energy)};
    std::vector<Incumbent> known(singles.size());
    if (options_.row_model == RowModel::trace) {
      for (std::size_t k = 0; k < singles.size(); ++k) known[k] = seed(singles[k]);
    }
    auto minima = minimise(singles, {target.latency_cap()}, std::move(known));
    for (Minimum& minimum : minima) {
      if (minimum.best) {
        const Wide value = target.value(minimum.best->second.costs);
        if (!best || value < best->first) best.emplace(value, minimum.best->second);
      }
    }
    if (!minima[0].complete || !minima[1].complete) return std::nullopt;
    if (!minima[0].best) return std::vector<Int128>{target.latency_cap()};
    const Int128 least_latency = minima[0].best->second.costs.latency;
    const Int128 least_energy = minima[1].best->second.costs.energy;
    return spread(least_latency,
                  std::min(target.latency_cap(), target.useful_latency(best->first, least_energy)));
  }

  /// Thresholds from `least` to `most`, geometrically.
  static std::vector<Int128> spread(Int128 least, Int128 most) {
    std::vector<Int128> thresholds{std::min(least, most)};
    const double ratio = to_double(most) / std::max(1.0, to_double(least));
    for (int k = 1; k + 1 < kThresholds; ++k) {
      const double scaled =
          to_double(least) * std::pow(ratio, static_cast<double>(k) / (kThresholds - 1));
      const auto threshold = scaled < 0x1p125 ? static_cast<Int128>(scaled) : most;
      if (threshold > thresholds.back() && threshold < most) thresholds.push_back(threshold);
    }
    if (most > thresholds.back()) thresholds.push_back(most);
    return thresholds;
  }

  /// First incumbent of the trace model: the mapping that the hybrid model calls best, walked.
  Incumbent seed(const Target& target) {
    SolveOptions options = options_;
    options.row_model = RowModel::hybrid;
    options.objective.goals = {target.goal()};
    if (options.time_limit) options.time_limit = std::max(0.0, *options.time_limit - seconds());
    if (options.node_limit) options.node_limit = nodes_left();
    const Solution hybrid = solve(a_, w_, options);
    statistics_.nodes += hybrid.nodes;
    if (!hybrid.mapping) return {};
    PerTensor<Int128> rows{};
    for (const Tensor t : kAllTensors) {
      dram::WalkLimit limit;
      limit.stop = [&] { return stopped(); };
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

  [[nodiscard]] std::uint64_t nodes_left() const {
    if (!options_.node_limit) return ~std::uint64_t{0};
    return *options_.node_limit - std::min(*options_.node_limit, statistics_.nodes);
  }

  /// A bound that needs no search: all PEs busy all the time, every output and weight moved once.
  [[nodiscard]] Wide trivial_bound(const Target& target) const {
    const Scale& scale = instance_->scale;
    Int128 parallel = 1;
    for (const Direction d : kAllDirections) parallel *= a_.pe_array.extent(d);
    Costs least;
    least.latency = w_.macs() * scale.cycle / parallel;
    least.energy = scale.mac_energy +
                   (w_.tensor_elements(Tensor::weight) + w_.tensor_elements(Tensor::output)) *
                       scale.access[a_.dram()];
    return target.value(least);
  }

  void progress(const Target& target, const search::Statistics& statistics, const Wide* incumbent,
                const Wide& bound) {
    constexpr double kInterval = 0.1;
    if (!options_.on_progress || seconds() < next_progress_) return;
    next_progress_ = seconds() + kInterval;
    Progress line;
    line.goal = target.goal();
    if (incumbent) line.incumbent = target.unscaled(*incumbent).to_double();
    line.bound = target.unscaled(std::max(bound, trivial_bound(target))).to_double();
    line.nodes = statistics_.nodes + statistics.nodes;
    line.seconds = seconds();
    options_.on_progress(line);
  }

  const Architecture& a_;
  const Workload& w_;
  const SolveOptions& options_;
  Clock::time_point begin_;
  std::optional<Instance> instance_;
  std::optional<FillPoints> fill_points_;
  std::map<std::vector<TensorFlags>, std::shared_ptr<const Choice>> built_;
  StorageTree::Statistics lp_;
  std::uint64_t choices_searched_ = 0;
  search::Statistics statistics_;
  std::uint64_t mappings_ = 0;
  double next_progress_ = 0;
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
