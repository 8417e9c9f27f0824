// The parts of an instance, in the order in which they need each other.
#include "dram_pim/mapper/instance.hpp"

#include "dram_pim/mapper/symmetry.hpp"

namespace pimbb::dram_pim::mapper {

Instance::Instance(const Architecture& a, const Workload& w, RowModel m, const Confines& confines,
                   Scale known, const run::Guard& guard)
    : architecture(a),
      workload(w),
      model(m),
      rule(a, w, confines.method),
      orders(confines.orders),
      constraints(confines.constraints),
      scale(std::move(known)),
      lattice(row_buffer_lattice(a, w, guard)),
      vectors(a, lattice, guard, constraints),
      rows(a, w, lattice, m, confines.layouts, guard),
      arrivals(mapper::arrivals(a, w, scale, lattice, rows, rule, orders, guard, constraints)),
      turns(rule.turns() && confines.layouts == LayoutRanges{} && !orders.any() &&
            !constraints.limits_factors() && can_turn(a, w, m)) {}

}  // namespace pimbb::dram_pim::mapper
