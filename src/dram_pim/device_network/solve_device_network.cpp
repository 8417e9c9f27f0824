// From a network to its shapes, members and variants, and from what was found to a solution.
#include <algorithm>

#include "dram_pim/device_network/shared_bank.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace device_network {
namespace {

/// Bad layers are found before the first one is solved.
void check(const Device& device, const Network& network, const Question& question) {
  validate(device);
  validate(device, question);
  validate(network);
}

/// The tensors that may move, in the order of SharedBank: with the weight last.
std::vector<Moves> ways_to_move(const Network& network, const Workload& layer) {
  if (layer.moves) return {*layer.moves};
  if (!network.moves_auto) return {kDefaultMoves};
  Moves all = kDefaultMoves;
  all[index(Tensor::weight)] = true;
  return {kDefaultMoves, all};
}

class NetworkProblem {
 public:
  NetworkProblem(const Device& device, const Network& network, const Question& question,
                 const RunLimits& limits, bool per_layer)
      : device_(device),
        question_(question),
        per_layer_(per_layer),
        merged_(merge_equal_layers(network)),
        members_(members(device, network, merged_)),
        answers_(device, list_variants(network), question, limits),
        bank_(answers_, merged_, members_, variants_) {}

  DeviceNetworkSolution run() {
    network::ListOutcome outcome;
    if (per_layer_) {
      outcome = {bank_.least(question_.objective), 0, question_.objective};
    } else {
      outcome = network::GoalListSearch(bank_, question_.objective).run();
    }
    DeviceNetworkSolution solution;
    solution.status = !outcome.found     ? status_of_nothing(outcome.answer)
                      : outcome.proven() ? Status::optimal
                                         : Status::feasible;
    if (!outcome.found) solution.reason = bank_.reason();
    add_layers(solution, outcome);
    const bool of_totals = !per_layer_ || question_.objective.is_linear();
    if (outcome.found && of_totals) {
      solution.goals = network::results(question_.objective, outcome.value, outcome.floor);
    }
    solution.effort = answers_.spent();
    solution.seconds = answers_.seconds();
    return solution;
  }

 private:
  /// Layers of one shape may differ where they share a bank: the first is then not like the others.
  static std::vector<std::vector<std::int64_t>> members(const Device& device,
                                                        const Network& network,
                                                        const Network& merged) {
    std::vector<std::vector<std::int64_t>> members(merged.layers.size());
    const std::vector<std::size_t> shapes = distinct_shapes(network);
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      members[shapes[i]].push_back(network.layers[i].repetitions);
    }
    if (device.unit.levels.back().capacity) return members;
    for (std::size_t s = 0; s < members.size(); ++s) members[s] = {merged.layers[s].repetitions};
    return members;
  }

  std::vector<Variant> list_variants(const Network& network) {
    std::vector<Variant> variants;
    for (const NetworkLayer& layer : merged_.layers) {
      std::vector<std::size_t>& own = variants_.emplace_back();
      for (const Moves& moves : ways_to_move(network, layer.workload)) {
        own.push_back(variants.size());
        variants.push_back({&layer.workload, moves});
      }
    }
    return variants;
  }

  [[nodiscard]] Status status_of_nothing(std::size_t answer) const {
    if (bank_.unfinished()) return Status::unknown;
    Status status = bank_.reason().empty() ? Status::unknown : Status::infeasible;
    for (const Pick& pick : bank_.picks(answer)) {
      if (pick.solution->status == Status::infeasible) status = Status::infeasible;
    }
    return status;
  }

  void add_layers(DeviceNetworkSolution& solution, const network::ListOutcome& outcome) {
    BankUse bank;
    bool whole = true;
    for (const Pick& pick : bank_.picks(outcome.answer)) {
      const NetworkLayer layer{merged_.layers[pick.shape].workload, pick.repetitions};
      DeviceLayerSolution& own = solution.layers.emplace_back(
          DeviceLayerSolution{layer.workload, layer.repetitions,
                              answers_.variant(pick.variant).moves, *pick.solution, outcome.sums});
      if (!outcome.found && (bank_.unfinished() || !solution.reason.empty())) {
        own.solution = DeviceSolution{};  // what was found does not fit beside the others
        own.solution.status = solution.status;
      }
      whole = whole && own.solution.mapping;
      if (!own.solution.mapping) continue;
      const Rational times = network::times(layer);
      const DeviceMetrics& metrics = *own.solution.metrics;
      solution.totals.latency += times * metrics.latency;
      solution.totals.energy += times * metrics.energy;
      solution.totals.activations += times * metrics.activations;
      solution.totals.macs += times * metrics.macs;
      const BankNeed need =
          bank_need(device_, layer.workload, own.moves, own.solution.mapping->slice);
      bank.weights += need.weight * pick.repetitions;
      bank.io = std::max(bank.io, need.io);
    }
    const auto& capacity = device_.unit.levels.back().capacity;
    if (!capacity || !whole || !outcome.found) return;
    bank.capacity = *capacity;
    solution.bank = bank;
  }

  const Device& device_;
  const Question& question_;
  bool per_layer_;
  const Network merged_;
  const std::vector<std::vector<std::int64_t>> members_;
  std::vector<std::vector<std::size_t>> variants_;  // by shape
  LayerAnswers answers_;
  SharedBank bank_;
};

}  // namespace
}  // namespace device_network

BankNeed bank_need(const Device& device, const Workload& layer, const Moves& moves,
                   const Factors& slice) {
  const auto bytes = [&](Tensor t) {
    return device.unit.tile_bytes(t, layer.tile_elements(t, slice));
  };
  const std::int64_t weight = bytes(Tensor::weight);
  const std::int64_t io = bytes(Tensor::input) + bytes(Tensor::output);
  return moves[index(Tensor::weight)] ? BankNeed{0, io + weight} : BankNeed{weight, io};
}

DeviceNetworkSolution solve_network(const Device& device, const Network& network,
                                    const Question& question, const RunLimits& limits,
                                    const std::function<void(const DeviceLayerSolution&)>& on_layer,
                                    bool per_layer) {
  const Network plain = without_input_planes(network);
  device_network::check(device, plain, question);
  DeviceNetworkSolution solution =
      device_network::NetworkProblem(device, plain, question, limits, per_layer).run();
  if (on_layer) {
    for (const DeviceLayerSolution& layer : solution.layers) on_layer(layer);
  }
  return solution;
}

}  // namespace pimbb::dram_pim
