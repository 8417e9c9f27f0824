// The steps that a dataflow and a precedence of loops allow.
#pragma once

#include "dram_pim/mapper/dataflow_rule.hpp"
#include "dram_pim/mapper/order_rule.hpp"

namespace pimbb::dram_pim::mapper {

/// The loop classes of the step from `from` to the tile `to` that both rules allow for the loops of
/// `level`, with the number of allowed orders, without classes that need not be searched.
///
/// A dataflow that keeps T in place wants all loops irrelevant to T innermost, where there are any.
/// Under a precedence some order of T's class has them innermost if and only if they are its run:
/// the proof in order_rule.hpp orders the rest independently. Other classes are excluded there.
inline Steps allowed_steps(const Lattice& lattice, const State& from, TileIndex to,
                           const DataflowRule& rule, const OrderRule& orders, std::size_t level,
                           OrderMatters matters = OrderMatters::to_rows) {
  Steps steps(lattice, from, to);
  if (orders.any()) {
    const DimMask loops = Lattice::step_mask(lattice[from.tile], lattice[to]);
    const auto kept = rule.stationary_at(level);
    const auto demanded = static_cast<DimMask>(kept ? loops & irrelevant_mask(*kept) : 0);
    steps.keep_runs(lattice, from, to, [&](LoopClass of) {
      const DimMask run = orders.run(level, loops, of);
      if (demanded == 0) return InnermostRun{run, orders.orders(level, loops, of)};
      if (of != kept || run != demanded) return InnermostRun{};
      return InnermostRun{run, orders.orders_inside_out(level, demanded, loops)};
    });
    steps.keep_arrivals(lattice, from, to, std::nullopt, OrderMatters::to_rows,
                        [&](LoopClass in_place) {
                          return rule.may_arrive(lattice, level - 1, lattice[to], in_place);
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
