// From a network to its shapes, members and variants, and from what was found to a solution.
#include <algorithm>

#include "dram_pim/device_network/shared_bank.hpp"
#include "dram_pim/device_network/stay_edges.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace device_network {
namespace {

/// Bad layers are found before the first one is solved.
void check(const Device& device, const Network& network, const Question& question,
           Handover handover) {
  validate(device);
  validate(device, question);
  validate(network);
  if (handover == Handover::stay) (void)stay_edges(device, network);
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
                 const RunLimits& limits, bool per_layer, Handover handover)
      : device_(device),
        question_(question),
        per_layer_(per_layer),
        stay_(handover == Handover::stay),
        merged_(merge_equal_layers(network)),
        members_(members(device, network, merged_, stay_)),
        answers_(device, list_variants(network), question, limits),
        stays_(list_stays(network)),
        bank_(answers_, merged_, members_, variants_, stays_) {}

  DeviceNetworkSolution run() {
    network::ListOutcome outcome;
    if (per_layer_) {
      outcome = {bank_.least(question_.objective, {}), 0, question_.objective};
    } else {
      outcome = network::GoalListSearch(bank_, question_.objective).run();
    }
    DeviceNetworkSolution solution;
    solution.handover = stay_ ? Handover::stay : Handover::host;
    solution.status = !outcome.found     ? status_of_nothing(outcome.answer)
                      : outcome.proven() ? Status::optimal
                                         : Status::feasible;
    if (!outcome.found) solution.reason = bank_.reason();
    add_layers(solution, outcome);
    if (outcome.found) add_staying(solution, outcome.answer);
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
  /// With tensors that may stay, each node of the graph is a layer of its own.
  static std::vector<std::vector<std::int64_t>> members(const Device& device,
                                                        const Network& network,
                                                        const Network& merged, bool stay) {
    std::vector<std::vector<std::int64_t>> members(merged.layers.size());
    const std::vector<std::size_t> shapes = distinct_shapes(network);
    if (stay) return members_of_nodes(network, shapes, std::move(members));
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      members[shapes[i]].push_back(network.layers[i].repetitions);
    }
    if (device.unit.levels.back().capacity) return members;
    for (std::size_t s = 0; s < members.size(); ++s) members[s] = {merged.layers[s].repetitions};
    return members;
  }

  static std::vector<std::vector<std::int64_t>> members_of_nodes(
      const Network& network, const std::vector<std::size_t>& shapes,
      std::vector<std::vector<std::int64_t>> members) {
    std::vector<std::int64_t> left(members.size());  // by shape
    for (std::size_t i = 0; i < shapes.size(); ++i)
      left[shapes[i]] += network.layers[i].repetitions;
    const std::vector<std::size_t> layers = layers_of_nodes(network);
    for (std::size_t n = 0; n < layers.size(); ++n) {
      const GraphNode& node = network.graph->nodes[n];
      if (!node.layer) continue;
      const std::size_t shape = shapes[layers[n]];
      left[shape] -= node.layer->repetitions();
      members[shape].push_back(node.layer->repetitions());
    }
    for (std::size_t i = 0; i < shapes.size(); ++i) {
      if (left[shapes[i]] == 0) continue;
      throw InputError("layer '" + network.layers[i].workload.name +
                       "': found other repetitions than the graph has nodes of it; allowed are as "
                       "many");
    }
    return members;
  }

  StaySpace list_stays(const Network& network) {
    if (!stay_) return {single_chains(members_), {}, true};
    std::vector<std::vector<Moves>> moves;
    for (const NetworkLayer& layer : merged_.layers) {
      moves.push_back(ways_to_move(network, layer.workload));
    }
    may_stay_ = stay_edges(device_, network);
    return stay_space(answers_, network, merged_, distinct_shapes(network), moves,
                      device_.unit.levels.back().capacity.has_value());
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

  /// The bytes that a layer would move if a tensor did not stay.
  [[nodiscard]] Rational saved_bytes(const Pick& pick, Tensor t) const {
    const Workload& layer = merged_.layers[pick.shape].workload;
    const DeviceMapping& mapping = *pick.solution->mapping;
    Moves moves = answers_.variant(pick.variant).moves;
    const auto moved = [&] {
      return split_cost(device_, layer, moves, mapping.split, mapping.slice).link_bytes();
    };
    const Rational without = moved();
    moves[index(t)] = true;
    return moved() - without;
  }

  void add_staying(DeviceNetworkSolution& solution, std::size_t answer) const {
    solution.may_stay = may_stay_.size();
    for (const StayPick& stay : bank_.stays(answer)) {
      const DeviceMapping& writer = *stay.writer.solution->mapping;
      const Rational saved =
          saved_bytes(stay.writer, Tensor::output) + saved_bytes(stay.reader, Tensor::input);
      for (const auto& nodes : stays_.chains[stay.chain].members[stay.member].nodes) {
        solution.staying.push_back(
            {nodes[stay.layer], nodes[stay.layer + 1], writer.split, writer.slice, saved});
      }
    }
    std::ranges::sort(solution.staying, {}, &StayingTensor::writer);
  }

  const Device& device_;
  const Question& question_;
  bool per_layer_;
  bool stay_;
  const Network merged_;
  const std::vector<std::vector<std::int64_t>> members_;
  std::vector<std::vector<std::size_t>> variants_;  // by shape
  LayerAnswers answers_;
  std::vector<StayEdge> may_stay_;
  StaySpace stays_;
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
                                    bool per_layer, Handover handover) {
  const Network plain = without_input_planes(network);
  device_network::check(device, plain, question, handover);
  DeviceNetworkSolution solution =
      device_network::NetworkProblem(device, plain, question, limits, per_layer, handover).run();
  if (on_layer) {
    for (const DeviceLayerSolution& layer : solution.layers) on_layer(layer);
  }
  return solution;
}

}  // namespace pimbb::dram_pim
