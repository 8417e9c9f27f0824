// The tiles and unrollings of a layer on an architecture: what is known before row activations are,
// whatever is stored where and whatever the goal is.
#pragma once

#include <memory>

#include "dram_pim/mapper/constraint_rule.hpp"
#include "dram_pim/mapper/dataflow_rule.hpp"
#include "dram_pim/mapper/layer_store.hpp"
#include "dram_pim/mapper/order_rule.hpp"
#include "dram_pim/mapper/scale.hpp"
#include "dram_pim/mapper/spatial.hpp"
#include "pimbb/dram_pim/layout_range.hpp"
#include "pimbb/dram_pim/row_model.hpp"

namespace pimbb::dram_pim::mapper {

/// Restrictions of the space that is searched.
struct Confines {
  Method method = Method::exact;
  LayoutRanges layouts{};
  OrderRule orders{};
  ConstraintRule constraints{};
};

struct TileSpace {
  const Architecture& architecture;
  const Workload& workload;
  RowModel model;
  LayoutRanges layouts;        ///< ranges of the layouts
  DataflowRule rule;           ///< the dataflow, if any
  OrderRule orders;            ///< the precedence of loops, if any
  ConstraintRule constraints;  ///< on factors and storage, if any
  Scale scale;
  LayerStore* store;                    ///< what other searches of the layer made; may be null
  std::shared_ptr<const Lattice> kept;  ///< perhaps by others too
  const Lattice& lattice;
  SpatialVectors vectors;

  /// Throws what `guard` throws. `layers`: what other searches made; may be null.
  TileSpace(const Architecture& a, const Workload& w, RowModel m, const Confines& confines,
            Scale known, const run::Guard& guard, LayerStore* layers = nullptr);
  /// With these tiles only.
  TileSpace(const Architecture& a, const Workload& w, RowModel m, const Confines& confines,
            Scale known, std::shared_ptr<const Lattice> tiles, const run::Guard& guard,
            LayerStore* layers = nullptr);
};

}  // namespace pimbb::dram_pim::mapper
