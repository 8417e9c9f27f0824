// Loops, layouts and unrolling of a chain, written out.
#include "dram_pim/mapper/build_mapping.hpp"

#include <algorithm>

namespace pimbb::dram_pim::mapper {

void set_order(std::vector<Loop>& loops, const LoopOrder& order) {
  const auto place = [&](const Loop& loop) {  // from the innermost one on
    return std::find(order.loop.begin(), order.loop.begin() + order.count, loop.dim);
  };
  std::sort(loops.begin(), loops.end(),
            [&](const Loop& a, const Loop& b) { return place(a) > place(b); });
}

Mapping build_mapping(const Instance& instance, const Storage& storage, const Chain& chain,
                      const SpatialOption& option) {
  const Lattice& lattice = instance.lattice;
  const std::size_t levels = instance.architecture.levels.size();
  Mapping mapping;
  mapping.levels.resize(levels);
  const Factors& array = lattice[option.array].c;
  const Factors& rows = lattice[instance.vectors.array_vector(option.array).rows].c;
  for (std::size_t j = 0; j < kDims; ++j) {
    mapping.spatial[index(Direction::H)][j] = rows[j];
    mapping.spatial[index(Direction::W)][j] = array[j] / rows[j];
  }
  mapping.spatial[index(Direction::internal)] = lattice[option.internal].c;
  Factors inside = mapping.spatial_tile();
  for (std::size_t m = 0; m < levels; ++m) {
    mapping.levels[m].stores = storage.stores()[m];
    const Factors& c = lattice[chain.tile[m]].c;
    for (const bool innermost : {false, true}) {
      for (const Dim j : kPeOrder) {
        const std::size_t k = index(j);
        const bool in_run = m > 0 && irrelevant_tensor(j) == chain.classes[m];
        if (in_run == innermost && c[k] != inside[k]) {
          mapping.levels[m].loops.push_back({j, c[k] / inside[k]});
        }
      }
    }
    if (m > 0 && instance.orders.any()) {
      const DimMask loops = Lattice::step_mask(lattice[chain.tile[m]], lattice[chain.tile[m - 1]]);
      set_order(mapping.levels[m].loops, instance.orders.order(m, loops, chain.classes[m]));
    }
    inside = c;
  }
  mapping.layout = chain.layout;
  if (chain.ordered) {
    mapping.input_block = chain.block;
    for (const std::size_t k : {0U, 1U}) {
      set_order(mapping.levels[levels - 2 + k].loops, chain.order[k]);
    }
  } else if (mapping.layout[index(Tensor::input)] == Layout::row_aligned) {
    mapping.input_block = instance.rows.block(chain.tile[levels - 2]);
  }
  return mapping;
}

}  // namespace pimbb::dram_pim::mapper
