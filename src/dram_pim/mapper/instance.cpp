// The parts of an instance, in the order in which they need each other.
#include "dram_pim/mapper/instance.hpp"

#include "dram_pim/mapper/symmetry.hpp"

namespace pimbb::dram_pim::mapper {

Instance::Instance(TileSpace&& space, const run::Guard& guard, const ArrivalScreen* screen)
    : TileSpace(std::move(space)),
      rows(architecture, workload, lattice, model, layouts, guard, screen),
      arrivals(mapper::arrivals(*this, rows, guard, screen)),
      turns(rule.turns() && layouts == LayoutRanges{} && !orders.any() &&
            !constraints.limits_factors() && can_turn(architecture, workload, model)) {}

}  // namespace pimbb::dram_pim::mapper
