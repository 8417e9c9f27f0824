// The root, tiles inside a tile, and the step that row activations come with.
#include "dram_pim/mapper/branching.hpp"

namespace pimbb::dram_pim::mapper {

PartialMapping Branching::root() const {
  PartialMapping root;
  root.level = rb_ + 1;
  root.state = {instance_.lattice.top(), Tensor::input,
                instance_.lattice.full_anchor(Tensor::input)};
  root.chain.tile[root.level] = root.state.tile;
  root.sums.energy = instance_.scale.mac_energy;
  return root;
}

std::vector<TileIndex> Branching::tiles_inside(const PartialMapping& node) const {
  std::vector<TileIndex> tiles;
  instance_.lattice.divisors(instance_.lattice[node.state.tile], tiles);
  std::erase_if(tiles, [&](TileIndex to) { return !levels_.admits(node.level - 1, to); });
  return tiles;
}

void add_rows(Sums& sums, const Instance& instance, const Storage& storage, const State& to,
              const PerTensor<Int128>& activations) {
  const Lattice& lattice = instance.lattice;
  const std::int64_t outer = lattice.outer(to.stationary, to.anchor);
  sums.add(storage.fill_with_rows(lattice[to.tile], to.stationary, outer, activations),
           storage.open_count());
  for (const Int128 n : activations) sums.activations += n;
}

}  // namespace pimbb::dram_pim::mapper
