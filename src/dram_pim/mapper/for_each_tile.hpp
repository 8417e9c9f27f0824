// All tiles of a lattice, in parallel.
#pragma once

#include "dram_pim/mapper/tiles.hpp"
#include "run/guard.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {

/// Calls body(tile) for each tile, in parallel. Throws what `guard` throws.
template <class Body>
void for_each_tile(const Lattice& lattice, const run::Guard& guard, const Body& body) {
  constexpr std::size_t kChunk = 1024;
  run::for_each_chunk(lattice.size(), kChunk, [&](const run::Chunk& chunk) {
    guard.check();
    for (std::size_t c = chunk.begin; c < chunk.end; ++c) body(static_cast<TileIndex>(c));
  });
}

}  // namespace pimbb::dram_pim::mapper
