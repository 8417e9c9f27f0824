// Unrolling, loops of each level, layouts.
#include "dram_pim/mapper/build_mapping.hpp"

#include <algorithm>

namespace pimbb::dram_pim::mapper {
namespace {

/// Puts a level's loops, outermost first, into the given order.
void set_order(std::vector<Loop>& loops, const LoopOrder& order) {
  const auto place = [&](const Loop& loop) {  // from the innermost one on
    return std::find(order.loop.begin(), order.loop.begin() + order.count, loop.dim);
  };
  std::sort(loops.begin(), loops.end(),
            [&](const Loop& a, const Loop& b) { return place(a) > place(b); });
}

void unroll(const Instance& instance, const SpatialOption& option, Mapping& mapping) {
  const Lattice& lattice = instance.lattice;
  const Factors& array = lattice[option.array].c;
  const Factors& rows = lattice[instance.vectors.array_vector(option.array).rows].c;
  for (std::size_t j = 0; j < kDims; ++j) {
    mapping.spatial[index(Direction::H)][j] = rows[j];
    mapping.spatial[index(Direction::W)][j] = array[j] / rows[j];
  }
  mapping.spatial[index(Direction::internal)] = lattice[option.internal].c;
}

/// The loops from the tile `inner` to `outer`: those of the class innermost.
std::vector<Loop> loops_between(const Factors& inner, const Factors& outer, bool has_class,
                                LoopClass of) {
  std::vector<Loop> loops;
  for (const bool innermost : {false, true}) {
    for (const Dim j : kPeOrder) {
      const std::size_t k = index(j);
      const bool in_run = has_class && irrelevant_tensor(j) == of;
      if (in_run == innermost && outer[k] != inner[k]) loops.push_back({j, outer[k] / inner[k]});
    }
  }
  return loops;
}

}  // namespace

Mapping build_mapping(const Instance& instance, const Storage& storage, const UnrolledChain& leaf) {
  const Lattice& lattice = instance.lattice;
  const Chain& chain = leaf.chain;
  const std::size_t levels = instance.architecture.levels.size();
  Mapping mapping;
  mapping.levels.resize(levels);
  unroll(instance, leaf.option, mapping);
  Factors inside = mapping.spatial_tile();
  for (std::size_t m = 0; m < levels; ++m) {
    MappingLevel& level = mapping.levels[m];
    const Tile& tile = lattice[chain.tile[m]];
    level.stores = storage.stores()[m];
    level.loops = loops_between(inside, tile.c, m > 0, chain.classes[m]);
    if (m > 0 && leaf.orders != nullptr) {
      set_order(level.loops, (*leaf.orders)[m]);
    } else if (m > 0 && instance.orders.any()) {
      const DimMask loops = Lattice::step_mask(tile, lattice[chain.tile[m - 1]]);
      set_order(level.loops, instance.orders.order(m, loops, chain.classes[m]));
    }
    inside = tile.c;
  }
  mapping.layout = chain.layout;
  if (chain.ordered) {
    for (const std::size_t k : {0U, 1U}) {
      set_order(mapping.levels[levels - 2 + k].loops, chain.order[k]);
    }
  }
  if (chain.ordered || leaf.orders != nullptr) {
    mapping.input_block = chain.block;
    mapping.input_order = chain.input_order;
  } else if (mapping.layout[index(Tensor::input)] == Layout::row_aligned) {
    mapping.input_block = instance.rows.block(chain.tile[levels - 2]);
  } else {
    mapping.input_order = instance.rows.input_order(chain.tile[levels - 2]);
  }
  if (!instance.architecture.has_free_input_order() ||
      mapping.layout[index(Tensor::input)] == Layout::row_aligned) {
    mapping.input_order = InputOrder::nchw;  // it says nothing
  }
  return mapping;
}

}  // namespace pimbb::dram_pim::mapper
