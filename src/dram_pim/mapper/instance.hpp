// A layer on an architecture, prepared for the search: all data that depend neither on the storage
// choice nor on the goal.
#pragma once

#include "dram_pim/mapper/arrival_screen.hpp"
#include "dram_pim/mapper/arrivals.hpp"
#include "dram_pim/mapper/row_table.hpp"
#include "dram_pim/mapper/tile_space.hpp"

namespace pimbb::dram_pim::mapper {

struct Instance : TileSpace {
  RowTable rows;
  Arrivals arrivals;
  bool turns;  ///< the axes can be exchanged (symmetry.hpp)

  Instance(const Architecture& a, const Workload& w, RowModel m)
      : Instance(a, w, m, {}, make_scale(a, w), {}) {}
  /// Throws what `guard` throws.
  Instance(const Architecture& a, const Workload& w, RowModel m, const Confines& confines,
           Scale known, const run::Guard& guard)
      : Instance(TileSpace(a, w, m, confines, std::move(known), guard), guard) {}
  /// With a screen: rows and arrivals of interest only.
  Instance(TileSpace&& space, const run::Guard& guard, const ArrivalScreen* screen = nullptr);

  [[nodiscard]] std::uint64_t bytes() const {
    return lattice.bytes() + rows.bytes() + arrivals.bytes();
  }
};

}  // namespace pimbb::dram_pim::mapper
