// Counting covers, part by part, and listing them.
#include "nest/covers.hpp"

#include <numeric>

#include "run/parallel_for.hpp"

namespace pimbb::nest {
namespace {

constexpr std::size_t kCoversBetweenChecks = 4096;  // tiles

/// Calls body(c) for each tile, in parallel.
template <class Body>
void for_each_tile_of_parts(const Lattice& lattice, const run::Guard& guard, const Body& body) {
  run::parallel_for(lattice.part_count(), [&](std::size_t part) {
    guard.check();
    run::GuardedSteps step(guard, kCoversBetweenChecks);
    for (TileIndex c = lattice.part_begin(part); c < lattice.part_begin(part + 1); ++c) {
      step();
      body(c);
    }
  });
}

}  // namespace

Covers::Covers(const Lattice& lattice, const run::Guard& guard)
    : outer_dims_(nest::outer_dims(lattice)) {
  const auto outer = static_cast<DimMask>((1U << outer_dims_) - 1);
  begins_.resize(lattice.size() + 1);
  outer_counts_.resize(lattice.size());
  begins_[0] = 0;
  for_each_tile_of_parts(lattice, guard, [&](TileIndex c) {
    outer_counts_[c] = static_cast<std::uint8_t>(lattice.cover_count(lattice[c], outer));
    begins_[c + 1] = static_cast<std::uint32_t>(lattice.cover_count(lattice[c], kEveryDim));
  });
  std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
  guard.need(bytes(begins_.size(), begins_.back()));
  list_.resize(begins_.back());
  for_each_tile_of_parts(lattice, guard, [&](TileIndex c) {
    TileIndex* at = list_.data() + begins_[c];
    lattice.for_each_cover(lattice[c], kEveryDim, [&](TileIndex cover) { *at++ = cover; });
  });
}

std::size_t outer_dims(const Lattice& lattice) {
  std::size_t all = 1;
  for (std::size_t k = 0; k < lattice.part_dims(); ++k) all *= lattice.divisor_count(k);
  std::size_t dims = 0;
  for (std::size_t groups = 1; groups * groups < all; ++dims) groups *= lattice.divisor_count(dims);
  return dims;
}

}  // namespace pimbb::nest
