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
#include "pimbb/error.hpp"
#include "run/clock.hpp"

namespace pimbb::dram_pim {
namespace {

using OnLayer = std::function<void(const LayerSolution&)>;

/// Bad layers are found before the first one is solved, not after an hour's work.
void check(const Architecture& architecture, const Network& network, const Question& question,
           const JointOptions& joint) {
  validate(architecture);
  if (network.layers.empty()) {
    throw InputError("network '" + network.name + "': found no layers, at least one is required");
  }
  for (const NetworkLayer& layer : network.layers) {
    validate(layer.workload);
    if (layer.repetitions < 1) {
      throw InputError("layer '" + layer.workload.name + "': repetitions: found " +
                       std::to_string(layer.repetitions) + ", allowed are integers >= 1");
    }
  }
  if (joint.fix_permutation && question.method != Method::exact) {
    throw InputError("fix_permutation: loop orders can be fixed with method 'exact' only; found '" +
                     std::string(name(question.method)) + "'");
  }
  const bool agree = joint.fix_bypass || joint.fix_permutation;
  if (agree && (is_heuristic(question.method) || joint.per_layer)) {
    throw InputError(
        "layers that are to agree are solved together: allowed are neither heuristics "
        "nor per_layer");
  }
}

Solution not_solved(const char* reason) {
  Solution solution;
  solution.status = Status::unknown;
  solution.reason = reason;
  solution.threads = 0;
  return solution;
}

Solution solve_layer(const Architecture& architecture, const Workload& workload,
                     const Question& question, RunLimits limits, const run::Clock& clock) {
  if (limits.stop.stop_requested()) return not_solved("interrupted before this layer");
  limits.time_limit = clock.left();
  if (limits.time_limit && *limits.time_limit <= 0) {
    return not_solved("time limit reached before this layer");
  }
  return solve(architecture, workload, question, limits);
}

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
  for (const NetworkLayer& layer : merged.layers) {
    result.layers.push_back({layer.workload, layer.repetitions,
                             solve_layer(architecture, layer.workload, question, limits, clock),
                             question.objective});
    const LayerSolution& solved = result.layers.back();
    if (solved.solution.metrics) network::add(result.totals, layer, *solved.solution.metrics);
    result.status = network::weaker(result.status, solved.solution.status);
    if (on_layer) on_layer(solved);
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
  agreement.free = network::results(question.objective, free.value, free.floor);
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
    outcome.floor = std::max(outcome.floor, free.floor);
  }
  result.status = outcome.layers.empty() ? Status::infeasible
                  : outcome.proven()     ? Status::optimal
                                         : Status::feasible;
  for (std::size_t i = 0; i < merged.layers.size(); ++i) {
    const NetworkLayer& layer = merged.layers[i];
    result.layers.push_back({layer.workload, layer.repetitions, {}, outcome.layers_objective});
    Solution& solution = result.layers.back().solution;
    if (outcome.layers.empty()) {
      solution.status = Status::infeasible;
      solution.reason = "no storage choice is feasible for all layers";
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
  const Network merged = merge_equal_layers(network);
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
