// A layer on an architecture, prepared for the search: all data that depend neither on the storage
// choice nor on the goal.
#pragma once

#include "dram_pim/mapper/arrivals.hpp"
#include "dram_pim/mapper/row_table.hpp"
#include "dram_pim/mapper/scale.hpp"
#include "dram_pim/mapper/spatial.hpp"

namespace pimbb::dram_pim::mapper {

/// Restrictions of the space that is searched.
struct Confines {
  Method method = Method::exact;
  LayoutRanges layouts{};
  OrderRule orders{};
  ConstraintRule constraints{};
};

struct Instance {
  const Architecture& architecture;
  const Workload& workload;
  RowModel model;
  DataflowRule rule;           ///< the dataflow, if any
  OrderRule orders;            ///< the precedence of loops, if any
  ConstraintRule constraints;  ///< on factors and storage, if any
  Scale scale;
  Lattice lattice;
  SpatialVectors vectors;
  RowTable rows;
  Arrivals arrivals;
  bool turns;  ///< the axes can be exchanged (symmetry.hpp)

  Instance(const Architecture& a, const Workload& w, RowModel m)
      : Instance(a, w, m, {}, make_scale(a, w), {}) {}
  /// Throws what `guard` throws.
  Instance(const Architecture& a, const Workload& w, RowModel m, const Confines& confines,
           Scale known, const run::Guard& guard);
  [[nodiscard]] std::uint64_t bytes() const {
    return lattice.bytes() + rows.bytes() + arrivals.bytes();
  }
};

}  // namespace pimbb::dram_pim::mapper
