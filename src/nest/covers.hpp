// The tiles just below each tile of a lattice, listed: what passes over all tiles, one after the
// other, read several times as fast as they find it from divisors and positions.
#pragma once

#include <cstdint>
#include <span>

#include "nest/lattice.hpp"
#include "run/guard.hpp"
#include "run/table_allocator.hpp"

namespace pimbb::nest {

class Covers {
 public:
  /// Throws what the guard throws.
  Covers(const Lattice& lattice, const run::Guard& guard);

  /// Those with one prime factor less in a dimension before `outer_dims()`, or in another one.
  [[nodiscard]] std::span<const TileIndex> outer(TileIndex c) const {
    return {&list_[begins_[c]], outer_counts_[c]};
  }
  [[nodiscard]] std::span<const TileIndex> inner(TileIndex c) const {
    const std::size_t begin = begins_[c] + outer_counts_[c];
    return {list_.data() + begin, begins_[c + 1] - begin};
  }
  [[nodiscard]] std::size_t outer_dims() const { return outer_dims_; }

  [[nodiscard]] std::uint64_t bytes() const { return bytes(begins_.size(), list_.size()); }
  /// The same of so many tiles with so many covers in all.
  [[nodiscard]] static std::uint64_t bytes(std::uint64_t tiles, std::uint64_t covers) {
    return covers * sizeof(TileIndex) + tiles * (sizeof(std::uint32_t) + sizeof(std::uint8_t));
  }

 private:
  std::size_t outer_dims_;
  run::RawTable<std::uint32_t> begins_;       // of each tile's covers, and the end
  run::RawTable<std::uint8_t> outer_counts_;  // of each tile: how many of its covers are outer ones
  run::RawTable<TileIndex> list_;
};

/// So many dimensions, the first ones, that there are about as many groups of parts (TileParts)
/// that agree in these as of parts that agree in the others.
std::size_t outer_dims(const Lattice& lattice);

}  // namespace pimbb::nest
