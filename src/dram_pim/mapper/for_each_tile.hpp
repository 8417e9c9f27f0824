// All tiles of a lattice, in parallel.
#pragma once

#include <algorithm>

#include "dram_pim/mapper/tiles.hpp"
#include "run/guard.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {

/// Calls body(tile) for each tile, in parallel. Throws what `guard` throws.
template <class Body>
void for_each_tile(const Lattice& lattice, const run::Guard& guard, const Body& body) {
  constexpr std::size_t kChunk = 1024;
  run::parallel_for((lattice.size() + kChunk - 1) / kChunk, [&](std::size_t part) {
    guard.check();
    const std::size_t end = std::min(lattice.size(), (part + 1) * kChunk);
    for (std::size_t c = part * kChunk; c < end; ++c) body(static_cast<TileIndex>(c));
  });
}

}  // namespace pimbb::dram_pim::mapper
