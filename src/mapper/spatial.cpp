// Enumerating spatial vectors and keeping a tile's undominated options.
#include "mapper/spatial.hpp"

#include <algorithm>
#include <map>

namespace pimbb::mapper {
namespace {

DimMask dims_of(const Tile& tile) {
  unsigned mask = 0;
  for (std::size_t j = 0; j < kDims; ++j) mask |= (tile.c[j] > 1 ? 1U : 0U) << j;
  return static_cast<DimMask>(mask);
}

std::int64_t volume(const Tile& tile) {
  std::int64_t product = 1;
  for (const std::int64_t f : tile.c) product *= f;
  return product;
}

/// Tiles that may unroll in one direction: allowed dimensions only, product within the extent.
std::vector<TileIndex> in_direction(const PeArray& pe, const Lattice& lattice, Direction d) {
  std::vector<TileIndex> result;
  for (TileIndex i = 0; i < lattice.size(); ++i) {
    const Tile& tile = lattice[i];
    const bool allowed = std::all_of(kAllDims.begin(), kAllDims.end(), [&](Dim j) {
      return tile.c[index(j)] == 1 || pe.allows(d, j);
    });
    if (allowed && volume(tile) <= pe.extent(d)) result.push_back(i);
  }
  return result;
}

bool divides(const Factors& a, const Factors& b) {
  for (std::size_t j = 0; j < kDims; ++j) {
    if (b[j] % a[j] != 0) return false;
  }
  return true;
}

Factors divided(Factors a, const Factors& b) {
  for (std::size_t j = 0; j < kDims; ++j) a[j] /= b[j];
  return a;
}

bool no_worse(const Terms& a, const Terms& b, std::size_t open) {
  if (a.latency > b.latency || a.energy > b.energy) return false;
  for (std::size_t i = 0; i < open; ++i) {
    if (a.open[i] > b.open[i]) return false;
  }
  return true;
}

void keep_if_undominated(std::vector<SpatialOption>& options, const SpatialOption& candidate,
                         std::size_t open) {
  for (const SpatialOption& o : options) {
    if (no_worse(o.terms, candidate.terms, open)) return;
  }
  std::erase_if(options,
                [&](const SpatialOption& o) { return no_worse(candidate.terms, o.terms, open); });
  options.push_back(candidate);
}

}  // namespace

SpatialVectors::SpatialVectors(const Architecture& architecture, const Lattice& lattice) {
  const PeArray& pe = architecture.pe_array;
  const auto rows = in_direction(pe, lattice, Direction::H);
  const auto columns = in_direction(pe, lattice, Direction::W);
  // A row and a column vector combine if no dimension is in both. Products that do not fit the row
  // buffer are no tiles of the lattice and cannot be part of a mapping.
  std::map<TileIndex, Vector> combined;
  for (const TileIndex h : rows) {
    const DimMask in_h = dims_of(lattice[h]);
    for (const TileIndex w : columns) {
      const DimMask in_w = dims_of(lattice[w]);
      if ((in_h & in_w) != 0) continue;
      const TileIndex both = lattice.disjoint_product(lattice[h], lattice[w]);
      if (both == kNoTile) continue;
      const auto dims = static_cast<DimMask>(in_h | in_w);
      const auto [entry, fresh] = combined.try_emplace(both, Vector{both, dims, h});
      if (!fresh) ++entry->second.splits;
    }
  }
  for (const auto& [tile, vector] : combined) array_.push_back(vector);
  for (const TileIndex i : in_direction(pe, lattice, Direction::internal)) {
    internal_.push_back({i, dims_of(lattice[i]), 0});
  }
}

const SpatialVectors::Vector& SpatialVectors::array_vector(TileIndex tile) const {
  return *std::lower_bound(array_.begin(), array_.end(), tile,
                           [](const Vector& v, TileIndex t) { return v.tile < t; });
}

std::vector<SpatialOption> spatial_options(const Lattice& lattice, const SpatialVectors& vectors,
                                           const Storage& storage, const Tile& tile, bool prune) {
  std::vector<SpatialOption> options;
  for (const auto& array : vectors.array()) {
    const Factors& on_array = lattice[array.tile].c;
    if (!divides(on_array, tile.c)) continue;
    const Factors share = divided(tile.c, on_array);
    if (!storage.fits_pe(share)) continue;
    for (const auto& internal : vectors.internal()) {
      const Factors& inside = lattice[internal.tile].c;
      if ((internal.dims & array.dims) != 0 || !divides(inside, share)) continue;
      const SpatialOption option{array.tile, internal.tile, storage.leaf(on_array, inside),
                                 array.splits};
      if (prune) {
        keep_if_undominated(options, option, storage.open_count());
      } else {
        options.push_back(option);
      }
    }
  }
  return options;
}

}  // namespace pimbb::mapper
