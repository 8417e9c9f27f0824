// The cost of a mapping as sums of columns, collected from the other parts of the program.
//
// Cycles and energy are integers over the units of mapper::Scale, row activations over 1/Row.
#pragma once

#include "dram_pim/milp/routes.hpp"
#include "pimbb/dram_pim/objective.hpp"

namespace pimbb::dram_pim::milp {

struct Costs {
  Sum compute;                         ///< cycles of the PEs
  std::vector<PerTensor<Sum>> cycles;  ///< per level up to the row buffer: to hand t inwards
  Sum interconnect;                    ///< cycles
  Sum energy;                          ///< all but MACs
  PerTensor<Sum> rows;                 ///< N_act

  explicit Costs(std::size_t levels) : cycles(levels) {}

  /// Charges a hop of t with `reads` elements (key {A_total}) for time, energy and interconnect.
  /// Not for level 0, whose PEs work side by side.
  void hand_over(const Problem& problem, const Hop& hop, Tensor t, const Choice& reads);
};

/// Adds the rows of the objective: the epigraph of the latency, energy and activations. `known` are
/// the figures of some mapping, or null: the optimum is not dearer.
void minimise(Problem& problem, const Costs& costs, const Objective& objective,
              const Metrics* known);

}  // namespace pimbb::dram_pim::milp
