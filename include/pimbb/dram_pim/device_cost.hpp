// A layer mapped onto a whole device, whether that is possible, and what it costs, term by term, in
// exact rationals. docs/devices.md has the equations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/dram_pim/device.hpp"
#include "pimbb/dram_pim/objective.hpp"

namespace pimbb::dram_pim {

/// Factors of each dimension at each level of a device, innermost first.
using Split = std::vector<Factors>;

struct DeviceMapping {
  Split split;
  Factors slice = kOnes;  ///< bounds of the layer that each unit computes
  Mapping mapping;        ///< of the slice on the unit
};

/// One link of a level; `count` of them do the same.
struct LinkTraffic {
  Rational bytes_in;   ///< to the children
  Rational bytes_out;  ///< from them
  std::int64_t count = 1;
};

/// What a split of a layer into slices costs besides the work of the units.
struct SplitCost {
  Rational in;           ///< cycles of the inputs' way to the units
  Rational out;          ///< cycles of the results' way to the host, and of its additions
  Rational link_energy;  ///< nJ
  Rational reduce_energy;
  std::int64_t units = 1;  ///< that run
  std::vector<LinkTraffic> links;

  /// Over all links of all levels, in both directions.
  [[nodiscard]] Rational link_bytes() const;
};

struct DeviceMetrics {
  Metrics slice;  ///< of one unit
  SplitCost split;
  Rational launch, run;  ///< cycles; run: of a unit, with refresh
  Rational latency;      ///< cycles
  Rational energy;       ///< nJ, of the whole device
  Rational activations;
  Rational macs, performed_macs;  ///< of the layer; of all units that run

  [[nodiscard]] GoalCosts costs() const { return {latency, energy, activations}; }
};

/// The layer with other loop bounds, as a unit sees it: blocks of its tensors have no frames.
Workload slice_of(const Workload& layer, const Factors& bounds);

/// ceil(B / S) for every dimension: the least bounds of a slice.
Factors least_slice(const Factors& bounds, const Split& split);

/// What is wrong with a split of `layer` into slices of these bounds, empty if nothing. The bounds
/// may be larger than necessary.
std::string split_violation(const Device& device, const Workload& layer, const Moves& moves,
                            const Split& split, const Factors& slice);

/// The same for the complete mapping: the slice must also be feasible on the unit.
std::string find_violation(const Device& device, const Workload& layer, const Moves& moves,
                           const DeviceMapping& mapping);

/// The costs of a feasible split; those of the slice are not needed.
SplitCost split_cost(const Device& device, const Workload& layer, const Moves& moves,
                     const Split& split, const Factors& slice);

/// What both give together: latency, energy and activations of the device.
GoalCosts device_costs(const Device& device, const SplitCost& split, const GoalCosts& slice);

/// The cost of a feasible mapping.
DeviceMetrics evaluate(const Device& device, const Workload& layer, const Moves& moves,
                       const DeviceMapping& mapping, RowModel row_model);

}  // namespace pimbb::dram_pim
