// A network on a whole device: every layer split over the units, all weights in their banks.
//
// The goals are totals over the layers, as for one unit (network.hpp), EDP among them. Weights that
// do not move stay in the banks, those of all layers at once, beside the input and the output of
// the layer that runs. Where the banks are bounded, that couples the layers: a layer's best mapping
// may have to leave room for another one's. Layers whose `moves` are left open
// (Network::moves_auto) also choose whether their weights stay or come from the host each time.
//
// With `Handover::stay` the output of a layer may stay in the units until the next layer reads it
// there (staying.hpp), which is chosen for every such tensor together with the splits.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/device_solver.hpp"
#include "pimbb/dram_pim/network.hpp"
#include "pimbb/dram_pim/staying.hpp"

namespace pimbb::dram_pim {

struct DeviceLayerSolution {
  Workload workload;             ///< the first of the layers that are mapped like this
  std::int64_t repetitions = 1;  ///< of all of them
  Moves moves = kDefaultMoves;
  /// The layer's part of the network's solution. Its claims refer to `objective`, among the
  /// mappings that fit the part of the banks that the other layers leave.
  DeviceSolution solution;
  Objective objective = {};
};

/// Bytes of a unit's bank.
struct BankUse {
  std::int64_t weights = 0;  ///< of all layers whose weights stay
  std::int64_t io = 0;       ///< what one layer moves there at most while it runs
  std::int64_t capacity = 0;
};

/// What becomes of the tensors between layers: all go through the host, or some stay in the units.
enum class Handover : std::uint8_t { host, stay };

/// A tensor that stays in the units.
struct StayingTensor {
  std::size_t writer = 0, reader = 0;  ///< nodes of the graph
  Split split;                         ///< of the writer
  Factors slice = kOnes;
  Rational saved_bytes;  ///< fewer over all links, each time: those of both layers' splits
};

struct DeviceNetworkSolution {
  /// Distinct shapes, in order of first appearance; a shape of several layers is here more than
  /// once if these are mapped in different ways.
  std::vector<DeviceLayerSolution> layers;
  NetworkTotals totals;  ///< over the layers that have a mapping
  /// Infeasible if some layer is, or if the banks do not hold the weights.
  Status status = Status::optimal;
  std::vector<GoalResult> goals;  ///< of the totals; empty without a mapping, or with per_layer
  std::string reason;             ///< infeasible: what the banks have no room for
  std::optional<BankUse> bank;    ///< where banks are bounded and every layer has a mapping
  Handover handover = Handover::host;
  std::size_t may_stay = 0;            ///< tensors that may stay
  std::vector<StayingTensor> staying;  ///< those that do, in the order of their writers
  SolveStatistics effort;              ///< of all searches
  double seconds = 0;
};

/// The bytes of a unit's bank that a slice's weight takes for good, 0 if it moves, and that the
/// tensors which move take while the layer runs.
struct BankNeed {
  std::int64_t weight = 0;
  std::int64_t io = 0;
  friend bool operator==(const BankNeed&, const BankNeed&) = default;
};
BankNeed bank_need(const Device& device, const Workload& layer, const Moves& moves,
                   const Factors& slice);

/// Minimises the objective over the totals of the network; with `per_layer` the sum of each layer's
/// own goals, which differs where EDP is among them. `on_layer` is called with every layer in
/// order, at the end. Limits as for one unit; if one ends the search, every layer has a mapping all
/// the same, unless none was found that the banks have room for. Throws InputError as solve() does,
/// and if tensors may stay in a network without a graph.
DeviceNetworkSolution solve_network(
    const Device& device, const Network& network, const Question& question = {},
    const RunLimits& limits = {},
    const std::function<void(const DeviceLayerSolution&)>& on_layer = {}, bool per_layer = false,
    Handover handover = Handover::host);

}  // namespace pimbb::dram_pim
