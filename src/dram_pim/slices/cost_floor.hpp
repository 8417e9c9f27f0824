// Lower bounds on the costs of all mappings of a layer, in closed form, for any of its bounds.
//
// Many layers that differ only in their bounds are compared: those that padding allows, or the
// slices that splits over units leave. Most of them are excluded by what no mapping can avoid:
//
//   compute      the MACs, over the largest part of the array that divisors of the bounds can fill
//   every level  what it hands inwards of a tensor that it must store: each element once, and next
//                to the PEs what they read in each cycle, over the largest reuse inside the array
//   DRAM         each tensor streamed once, and a row opened for each row of it
//   energy       all of these reads, the MACs, the rows
//
// A level that a mapping may bypass counts as bypassed. The bounds are exact integers in units that
// are common to all bounds up to the largest ones.
#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "dram_pim/mapper/costs.hpp"
#include "dram_pim/mapper/scale.hpp"
#include "dram_pim/solver/choice_floors.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/objective.hpp"
#include "pimbb/dram_pim/row_model.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::slices {

class CostFloor {
 public:
  /// For `layer`'s strides and dilations, and bounds up to its own. Throws InputError if costs of
  /// these bounds exceed the range of exact integers.
  CostFloor(const Architecture& architecture, const Workload& layer, RowModel row_model);
  ~CostFloor();

  /// The least costs of the layer with these bounds, in the units of scale(). Thread-safe.
  [[nodiscard]] mapper::Costs scaled(const Factors& bounds) const;
  /// The same with what the capacities of levels add (reuse_floor.hpp): for the search, not part of
  /// the closed form that the checker knows.
  [[nodiscard]] mapper::Costs tightened(const Factors& bounds) const;
  /// The same for tiles of divisors of the bounds: much slower.
  [[nodiscard]] mapper::Costs over_divisors(const Factors& bounds) const;
  /// The same, unless it is so much that `hopeless` holds of it, which must then hold of all costs
  /// that are no less: nothing if it does, as a rule found earlier.
  [[nodiscard]] std::optional<mapper::Costs> over_divisors_unless(
      const Factors& bounds, const std::function<bool(const mapper::Costs&)>& hopeless) const;
  /// The same under each storage choice that leaves room for tiles.
  [[nodiscard]] mapper::ChoiceFloors choices_over_divisors(const Factors& bounds) const;
  /// Costs of all mappings of any equal slices, n of which cover a layer of these bounds: energy
  /// and activations of the n slices together are no less, and neither is n times the latency of
  /// each.
  [[nodiscard]] mapper::Costs of_parts(const Factors& bounds) const;
  /// No mapping of a layer with more MACs has so little latency, in the units of scale().
  [[nodiscard]] Int128 most_macs(Int128 latency) const;
  /// Those of scaled(), exactly: the closed form that the checker knows, in no common units.
  [[nodiscard]] GoalCosts costs(const Factors& bounds) const;
  /// From the units of scale().
  [[nodiscard]] GoalCosts unscaled(const mapper::Costs& least) const;

  /// The units of `scaled`, those of the layer's own bounds.
  [[nodiscard]] const mapper::Scale& scale() const;

 private:
  class Tables;
  std::unique_ptr<const Tables> tables_;
};

}  // namespace pimbb::dram_pim::slices
