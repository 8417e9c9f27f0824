// Spatial unrolling: which factors of a level-0 tile run on the array at the same time.
//
// A tile c[0] splits into array factors (rows and columns), internal factors and what one PE walks
// through. Its cost depends on the array only through the product of rows and columns, so array
// factors are kept as one vector with a witness of how to split it over H and W and the number of
// such splits. Under a fixed storage choice the remaining options of a tile are compared by their
// leaf terms (latency, energy, open resources); only those that no other option equals or beats in
// every term are kept, which is exact because every objective grows with every term.
#pragma once

#include <vector>

#include "mapper/lattice.hpp"
#include "mapper/storage.hpp"

namespace pimbb::mapper {

struct SpatialOption {
  TileIndex array = 0;       ///< product of rows and columns, as a tile
  TileIndex internal = 0;    ///< internal factors, as a tile
  Terms terms{0};            ///< compute, level 0, direct feeds
  std::uint64_t splits = 1;  ///< ways to split `array` over H and W
};

/// All spatial vectors that the PE array and unit type allow for a layer; storage-independent.
class SpatialVectors {
 public:
  SpatialVectors(const Architecture& architecture, const Lattice& lattice);

  struct Vector {
    TileIndex tile;            ///< its factors
    DimMask dims;              ///< dimensions with a factor > 1
    TileIndex rows;            ///< array vectors: the part on H of one valid split
    std::uint64_t splits = 1;  ///< array vectors: number of valid splits
  };
  [[nodiscard]] const std::vector<Vector>& array() const { return array_; }
  [[nodiscard]] const std::vector<Vector>& internal() const { return internal_; }
  /// The array vector with the given factors.
  [[nodiscard]] const Vector& array_vector(TileIndex tile) const;

 private:
  std::vector<Vector> array_;  // ascending tile index
  std::vector<Vector> internal_;
};

/// Options of level-0 tile `tile` that fit one PE; empty if there is none. With `prune`, dominated
/// options are left out.
std::vector<SpatialOption> spatial_options(const Lattice& lattice, const SpatialVectors& vectors,
                                           const Storage& storage, const Tile& tile, bool prune);

}  // namespace pimbb::mapper
