// The parts of a tile space, in the order in which they need each other.
#include "dram_pim/mapper/tile_space.hpp"

#include <utility>

namespace pimbb::dram_pim::mapper {

TileSpace::TileSpace(const Architecture& a, const Workload& w, RowModel m, const Confines& confines,
                     Scale known, const run::Guard& guard, LayerStore* layers)
    : TileSpace(a, w, m, confines, std::move(known),
                layers != nullptr
                    ? layers->lattice(a, w, guard)
                    : std::make_shared<const Lattice>(row_buffer_lattice(a, w, guard)),
                guard, layers) {}

TileSpace::TileSpace(const Architecture& a, const Workload& w, RowModel m, const Confines& confines,
                     Scale known, std::shared_ptr<const Lattice> tiles, const run::Guard& guard,
                     LayerStore* layers)
    : architecture(a),
      workload(w),
      model(m),
      layouts(confines.layouts),
      rule(a, w, confines.method),
      orders(confines.orders),
      constraints(confines.constraints),
      scale(std::move(known)),
      store(layers),
      kept(std::move(tiles)),
      lattice(*kept),
      vectors(a, lattice, guard, constraints) {}

}  // namespace pimbb::dram_pim::mapper
