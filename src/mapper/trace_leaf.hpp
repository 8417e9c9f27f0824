// The last decisions under the trace model: every loop order, layout and block of a complete chain.
//
// Addresses distinguish orders that traffic does not, so a leaf of the chain search is opened up
// here: all permutations of every level's loops within the chain's classes (the innermost loop is
// irrelevant to the stationary tensor), and for each of them, tensor by tensor, the layout and
// block with the fewest activations. Tensors can be taken one by one since a layout changes nothing
// but its own tensor's N_act, in which every objective grows. Orders whose cost with the least
// conceivable activations is not below the cutoff are not counted.
#pragma once

#include "dram/activation_counter.hpp"
#include "mapper/mapping_problem.hpp"

namespace pimbb::mapper {

/// Scaled costs of a complete mapping on a chain of lattice tiles, for given activations (1/row).
Costs price(const Instance& instance, const Storage& storage, const Chain& chain,
            const SpatialOption& option, const Mapping& mapping,
            const PerTensor<Int128>& activations);

class TraceLeaf {
 public:
  TraceLeaf(const Instance& instance, const Storage& storage, const Target& target,
            const Chain& chain, const SpatialOption& option);

  /// Adds every improving mapping below `cutoff` (null: none) to `out`; false if stopped half-way.
  bool explore(const Wide* cutoff, const std::function<bool()>& stop, MappingProblem::Found& out);

 private:
  struct LayoutOption {
    Layout layout;
    Block block;
    dram::ActivationCounter counter;
  };

  bool explore_orders(std::size_t level, Mapping& mapping, const Wide* cutoff,
                      const std::function<bool()>& stop, MappingProblem::Found& out);
  void evaluate(Mapping mapping, const Wide* cutoff, MappingProblem::Found& out);
  /// Fewest activations of t over its layouts, set in `mapping`.
  Int128 best_layout(Mapping& mapping, Tensor t);
  /// Everything that t may look like in DRAM, sequential first.
  [[nodiscard]] std::vector<LayoutOption> layouts_of(const Factors& moved_tile, Tensor t) const;

  const Instance& instance_;
  const Storage& storage_;
  const Target& target_;
  const Chain& chain_;
  const SpatialOption& option_;
  PerTensor<std::vector<LayoutOption>> layouts_;  ///< made when the first order is counted
};

}  // namespace pimbb::mapper
