// A mapping decided from the DRAM down to the tile of some level: a node of the search tree.
#pragma once

#include "dram_pim/mapper/chain.hpp"
#include "dram_pim/mapper/costs.hpp"
#include "dram_pim/mapper/spatial.hpp"
#include "run/passed_memory.hpp"

namespace pimbb::dram_pim::mapper {

struct PartialMapping : run::PassedOn {
  std::size_t level = 0;  ///< the innermost level decided
  State state;
  Sums sums;
  Chain chain;

  /// Applies a step to the next tile inwards; `with_step` are the costs including the step.
  void take(const Step& step, const Sums& with_step) {
    state = step.to;
    sums = with_step;
    chain.classes[level] = step.loops;
    --level;
    chain.tile[level] = step.to.tile;
    chain.orders *= step.orders;
  }
};

/// A complete mapping in the terms of the search: chain, unrolling and costs (build_mapping.hpp).
struct UnrolledChain {
  const Chain& chain;
  const SpatialOption& option;
  Costs costs;
  const Orders* orders = nullptr;  ///< of all levels; null: the representatives of the classes
};

}  // namespace pimbb::dram_pim::mapper
