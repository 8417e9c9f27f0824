// Tiles of a mapping: products of its spatial and temporal factors.
#include "pimbb/dram_pim/mapping.hpp"

#include <cassert>

namespace pimbb::dram_pim {

Factors Mapping::spatial_tile() const { return times(times(spatial[0], spatial[1]), spatial[2]); }

Factors Mapping::temporal(std::size_t level) const {
  assert(level < levels.size());
  Factors factors = kOnes;
  for (const Loop& loop : levels[level].loops) factors[index(loop.dim)] *= loop.factor;
  return factors;
}

Factors Mapping::tile(std::size_t level) const {
  Factors c = spatial_tile();
  for (std::size_t m = 0; m <= level; ++m) c = times(c, temporal(m));
  return c;
}

Factors Mapping::pe_tile() const { return times(spatial_in(Direction::internal), temporal(0)); }

}  // namespace pimbb::dram_pim
