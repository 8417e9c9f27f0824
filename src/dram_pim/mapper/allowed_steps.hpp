// The steps that a dataflow and a precedence of loops allow.
#pragma once

#include "dram_pim/mapper/dataflow_rule.hpp"
#include "dram_pim/mapper/order_rule.hpp"

namespace pimbb::dram_pim::mapper {

/// The loop classes of the step from `from` to the tile `to` that both rules allow for the loops of
/// `level`, with the number of allowed orders, without classes that need not be searched. At most
/// one of the rules is active: precedences are only for Method::exact.
inline Steps allowed_steps(const Lattice& lattice, const State& from, TileIndex to,
                           const DataflowRule& rule, const OrderRule& orders, std::size_t level,
                           OrderMatters matters = OrderMatters::to_rows) {
  Steps steps(lattice, from, to);
  if (orders.any()) {
    const DimMask loops = Lattice::step_mask(lattice[from.tile], lattice[to]);
    steps.keep_runs(lattice, from, to, [&](LoopClass of) {
      return InnermostRun{orders.run(level, loops, of), orders.orders(level, loops, of)};
    });
  } else {
    steps.keep_arrivals(lattice, from, to, rule.stationary_at(level), matters,
                        [&](LoopClass in_place) {
                          return rule.may_arrive(lattice, level - 1, lattice[to], in_place);
                        });
  }
  return steps;
}

}  // namespace pimbb::dram_pim::mapper
