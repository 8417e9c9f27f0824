// Solving a network: layer by layer where that is the same, else all layers together (joint.hpp).
//
// Where goals are sums and the layers share nothing, each distinct layer is one call of solve(),
// and what is left to do is book-keeping: one clock for all layers (each gets the time that is
// left), the interruption that also ends the layers not yet begun, the weakest status, and totals
// in exact rationals.
#include <algorithm>
#include <stdexcept>

#include "dram_pim/mapper/smallest.hpp"
#include "dram_pim/network/joint.hpp"
#include "dram_pim/network/loop_needs.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"

namespace pimbb::dram_pim {
namespace {

using OnLayer = std::function<void(const LayerSolution&)>;

/// Bad layers are found before the first one is solved, not after an hour's work.
void check(const Architecture& architecture, const Network& network, const Question& question,
           const JointOptions& joint) {
  validate(architecture);
  validate(network);
  for (const NetworkLayer& layer : network.layers) {
    if ((joint.fix_bypass || joint.fix_permutation) && layer.workload.may_be_padded()) {
      throw InputError("layer '" + layer.workload.name +
                       "': pad: layers that are to agree cannot be padded");
    }
  }
  if (joint.fix_permutation && question.method != Method::exact) {
    throw InputError("fix_permutation: loop orders can be fixed with method 'exact' only; found '" +
                     std::string(name(question.method)) + "'");
  }
  if (joint.fix_permutation && question.constraints.orders.any()) {
    throw InputError("fix_permutation: found constraints on loop orders beside it, allowed is one");
  }
  validate(architecture, question.constraints);
  std::string misfits;
  for (const NetworkLayer& layer : network.layers) {
    if (const auto misfit = find_misfit(architecture, layer.workload, question.constraints)) {
      misfits += (misfits.empty() ? "" : "\n  ") + *misfit;
    }
  }
  if (!misfits.empty()) throw InputError(question.constraints.source + ": " + misfits);
  const bool agree = joint.fix_bypass || joint.fix_permutation;
  if (agree && (is_heuristic(question.method) || joint.per_layer)) {
    throw InputError(
        "layers that are to agree are solved together: allowed are neither heuristics "
        "nor per_layer");
  }
}

/// Layers solved one after the other. A time limit is shared: half of it goes to all layers in
/// turn, none taking more than its share of what is left; the rest to those that are not proven,
/// the one with the widest gap first. So every layer has a mapping before any is improved. A layer
/// whose turn comes after an interruption gets what a local search finds at once.
class LayersInTurn {
 public:
  LayersInTurn(const Architecture& architecture, const Network& merged, const Question& question,
               const RunLimits& limits, const OnLayer& on_layer, const run::Clock& clock)
      : a_(architecture),
        merged_(merged),
        question_(question),
        limits_(limits),
        on_layer_(on_layer),
        clock_(clock),
        share_(merged.layers.size()) {}

  std::vector<LayerSolution> run() {
    const std::size_t count = merged_.layers.size();
    for (std::size_t i = 0; i < count; ++i) {
      const NetworkLayer& layer = merged_.layers[i];
      solved_.push_back({layer.workload, layer.repetitions, {}, question_.objective});
      if (const auto left = clock_.left()) share_[i] = *left / (2 * static_cast<double>(count - i));
      solved_[i].solution = solved(i);
      tell(false);
    }
    while (const auto worst = widest_gap()) improve(*worst);
    tell(true);
    return std::move(solved_);
  }

 private:
  [[nodiscard]] Solution solved(std::size_t i) const {
    RunLimits limits = limits_;
    if (limits.time_limit) limits.time_limit = share_[i];
    const Workload& layer = merged_.layers[i].workload;
    Solution solution = solve_padded(a_, layer, question_, limits);
    solution.padding_hint = padding_hint(a_, layer, question_, solution);
    return solution;
  }

  [[nodiscard]] bool is_settled(std::size_t i) const {
    const Status status = solved_[i].solution.status;
    return status == Status::optimal || status == Status::infeasible ||
           is_heuristic(question_.method);
  }

  /// The layer that makes most of the distance to the optimum, if there is time to solve it again.
  [[nodiscard]] std::optional<std::size_t> widest_gap() const {
    constexpr double kLeast = 0.01;  // seconds that are worth another solve
    if (!limits_.time_limit || clock_.stopped()) return std::nullopt;
    std::optional<std::size_t> worst;
    Rational widest;
    for (std::size_t i = 0; i < solved_.size(); ++i) {
      const Solution& solution = solved_[i].solution;
      if (is_settled(i) || solution.goals.empty()) continue;
      if (*clock_.left() < std::max(kLeast, 2 * share_[i])) continue;
      const GoalResult& goal = solution.goals.front();
      const Rational gap = network::times(merged_.layers[i]) * (goal.value - goal.bound);
      if (worst && gap <= widest) continue;
      worst = i;
      widest = gap;
    }
    return worst;
  }

  /// Solves a layer again, from the beginning, in at least twice the time.
  void improve(std::size_t i) {
    std::size_t open = 0;
    for (std::size_t k = 0; k < solved_.size(); ++k) open += is_settled(k) ? 0U : 1U;
    const double left = *clock_.left();
    share_[i] = open == 1 ? left : std::max(2 * share_[i], left / 2);
    Solution again = solved(i);
    Solution& before = solved_[i].solution;
    again += before;
    again.seconds += before.seconds;
    const bool keeps = again.status != Status::infeasible && before.metrics &&
                       (!again.metrics || better_before(before, again));
    if (!again.goals.empty() && !before.goals.empty()) {
      Rational& bound = (keeps ? before : again).goals.front().bound;
      bound = max(bound, (keeps ? again : before).goals.front().bound);
    }
    if (keeps) {
      static_cast<SolveStatistics&>(before) = static_cast<const SolveStatistics&>(again);
      before.seconds = again.seconds;
    } else {
      before = std::move(again);
    }
    tell(false);
  }

  [[nodiscard]] bool better_before(const Solution& before, const Solution& again) const {
    return again.status != Status::optimal &&
           network::values_of(question_.objective, *before.metrics) <
               network::values_of(question_.objective, *again.metrics);
  }

  /// Reports layers in their order, each when nothing about it will change.
  void tell(bool all) {
    for (; told_ < solved_.size() && (all || is_final(told_)); ++told_) {
      if (on_layer_) on_layer_(solved_[told_]);
    }
  }
  [[nodiscard]] bool is_final(std::size_t i) const { return !limits_.time_limit || is_settled(i); }

  const Architecture& a_;
  const Network& merged_;
  const Question& question_;
  const RunLimits& limits_;
  const OnLayer& on_layer_;
  const run::Clock& clock_;
  std::vector<double> share_;  // of the time, by layer: what it was given last
  std::vector<LayerSolution> solved_;
  std::size_t told_ = 0;
};

/// Sums of the layers' goals, which are the network's; nothing if some layer has no mapping.
std::vector<GoalResult> sum_goals(const Objective& objective, const NetworkSolution& solution) {
  network::Values value(objective.goals.size());
  network::Values floor(objective.goals.size());
  for (const LayerSolution& layer : solution.layers) {
    if (!layer.solution.metrics) return {};
    const Rational times = network::times({layer.workload, layer.repetitions});
    for (std::size_t k = 0; k < value.size(); ++k) {
      value[k] += times * layer.solution.goals[k].value;
      floor[k] += times * layer.solution.goals[k].bound;
    }
  }
  return network::results(objective, value, floor);
}

NetworkSolution one_by_one(const Architecture& architecture, const Network& merged,
                           const Question& question, const RunLimits& limits,
                           const OnLayer& on_layer, const run::Clock& clock) {
  NetworkSolution result;
  result.layers = LayersInTurn(architecture, merged, question, limits, on_layer, clock).run();
  for (std::size_t i = 0; i < merged.layers.size(); ++i) {
    const Solution& solved = result.layers[i].solution;
    if (solved.metrics) network::add(result.totals, merged.layers[i], *solved.metrics);
    result.status = network::weaker(result.status, solved.status);
  }
  if (question.objective.is_linear()) result.goals = sum_goals(question.objective, result);
  return result;
}

/// What the mappings agree on, and the free optimum beside it.
Agreement agreement(const Architecture& architecture, const Question& question,
                    const JointOptions& asked, const network::JointOutcome& joint,
                    const network::JointOutcome& free) {
  Agreement agreement;
  agreement.parts = joint.parts;
  if (!free.layers.empty()) {  // constraints may leave a layer nothing, agreement or not
    agreement.free = network::results(question.objective, free.value, free.floor);
  }
  LoopPrecedence needs;
  for (const Solution* layer : joint.layers) {
    network::unite(needs, network::needs(architecture, *layer->mapping, question.row_model));
  }
  if (joint.layers.empty()) return agreement;
  if (asked.fix_permutation) agreement.permutations = network::permutations(needs);
  for (std::size_t m = 0; asked.fix_bypass && m < architecture.levels.size(); ++m) {
    agreement.stores.push_back(joint.layers.front()->mapping->levels[m].stores);
  }
  return agreement;
}

/// A layer's part with its loops in the agreed order, which changes nothing about its costs.
Solution in_order(const Architecture& architecture, const Workload& workload, RowModel model,
                  Solution solution, const LoopPermutations& permutations) {
  if (permutations.empty()) return solution;
  solution.mapping = network::sorted(std::move(*solution.mapping), permutations);
  const Metrics metrics = evaluate(architecture, workload, *solution.mapping, model);
  if (metrics.latency != solution.metrics->latency || metrics.energy != solution.metrics->energy ||
      metrics.activations() != solution.metrics->activations()) {
    throw std::logic_error("an order of loops that should not matter changes a mapping's costs");
  }
  solution.metrics = metrics;
  return solution;
}

/// Why no agreement of the layers is feasible.
std::string nothing_for_all(const Architecture& architecture, const Question& question) {
  std::string reason = "no storage choice is feasible for all layers";
  const std::vector<std::string> constraints = constraint_texts(architecture, question.constraints);
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    reason += (k == 0 ? " under the constraints " : ", ") + constraints[k];
  }
  return reason;
}

NetworkSolution together(const Architecture& architecture, const Network& merged,
                         const Question& question, const RunLimits& limits,
                         const JointOptions& joint, const OnLayer& on_layer) {
  network::LayerPool pool(architecture, merged, question, limits);
  const auto free = network::JointSearch(pool, {}).run();
  auto outcome = free;
  NetworkSolution result;
  if (joint.fix_bypass || joint.fix_permutation) {
    outcome = network::JointSearch(pool, joint).run();
    result.agreement = agreement(architecture, question, joint, outcome, free);
    if (!free.layers.empty()) outcome.floor = std::max(outcome.floor, free.floor);
  }
  result.status = outcome.unfinished       ? Status::unknown
                  : outcome.layers.empty() ? Status::infeasible
                  : outcome.proven()       ? Status::optimal
                                           : Status::feasible;
  for (std::size_t i = 0; i < merged.layers.size(); ++i) {
    const NetworkLayer& layer = merged.layers[i];
    result.layers.push_back({layer.workload, layer.repetitions, {}, outcome.layers_objective});
    Solution& solution = result.layers.back().solution;
    if (outcome.layers.empty()) {
      solution.status = result.status;
      if (!outcome.unfinished) solution.reason = nothing_for_all(architecture, question);
    } else {
      solution = *outcome.layers[i];
      if (result.agreement) {
        solution = in_order(architecture, layer.workload, question.row_model, std::move(solution),
                            result.agreement->permutations);
      }
      network::add(result.totals, layer, *solution.metrics);
    }
    if (on_layer) on_layer(result.layers.back());
  }
  if (!outcome.layers.empty()) {
    result.goals = network::results(question.objective, outcome.value, outcome.floor);
  }
  return result;
}

}  // namespace

bool solved_as_one(const Question& question, const JointOptions& joint) {
  return joint.fix_bypass || joint.fix_permutation ||
         (!question.objective.is_linear() && !joint.per_layer && !is_heuristic(question.method));
}

NetworkSolution solve_network(const Architecture& architecture, const Network& network,
                              const Question& question, const RunLimits& limits,
                              const OnLayer& on_layer, const JointOptions& joint) {
  const run::Clock clock(limits);
  check(architecture, network, question, joint);
  const Network merged = merge_equal_layers(without_input_planes(network));
  // Layers that have no mapping at all are reported by the solver, each with its reason.
  const bool possible = std::ranges::all_of(merged.layers, [&](const NetworkLayer& layer) {
    return mapper::obstacle(architecture, layer.workload, question.method).empty();
  });
  NetworkSolution result =
      solved_as_one(question, joint) && possible
          ? together(architecture, merged, question, limits, joint, on_layer)
          : one_by_one(architecture, merged, question, limits, on_layer, clock);
  result.seconds = clock.seconds();
  return result;
}

}  // namespace pimbb::dram_pim
