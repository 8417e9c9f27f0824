// Minima over tiles inside and outside, level by level.
#include "dram_pim/mapper/tile_screen.hpp"

#include <algorithm>

#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

constexpr std::size_t kChunk = 1024;

/// The least time and the least energy of something, for each tile.
struct Least {
  std::vector<Int128> latency;
  std::vector<Int128> energy;

  explicit Least(std::size_t tiles) : latency(tiles, kInfinity), energy(tiles, kInfinity) {}
  void include(TileIndex c, Int128 time, Int128 spent) {
    latency[c] = std::min(latency[c], time);
    energy[c] = std::min(energy[c], spent);
  }
  /// Each the least over the tiles that divide it.
  void spread_outwards(const Lattice& lattice, const run::Guard& guard) {
    for_both([&](std::vector<Int128>& of) {
      run::GuardedSteps step(guard);
      for (TileIndex c = 0; c < of.size(); ++c) {
        step();
        lattice.for_each_cover(lattice[c], kEveryDim,
                               [&](TileIndex cover) { of[c] = std::min(of[c], of[cover]); });
      }
    });
  }
  /// Each the least over the tiles that it divides.
  void spread_inwards(const Lattice& lattice, const run::Guard& guard) {
    for_both([&](std::vector<Int128>& of) {
      run::GuardedSteps step(guard);
      for (auto c = static_cast<TileIndex>(of.size()); c-- > 0;) {
        step();
        lattice.for_each_cover(lattice[c], kEveryDim,
                               [&](TileIndex cover) { of[cover] = std::min(of[cover], of[c]); });
      }
    });
  }

 private:
  template <class Body>
  void for_both(const Body& body) {
    run::parallel_for(2, [&](std::size_t k) { body(k == 0 ? latency : energy); });
  }
};

/// Calls body(tile) for each tile, in parallel.
template <class Body>
void for_each_tile_of(const Lattice& lattice, const run::Guard& guard, const Body& body) {
  run::parallel_for((lattice.size() + kChunk - 1) / kChunk, [&](std::size_t part) {
    guard.check();
    const std::size_t end = std::min(lattice.size(), (part + 1) * kChunk);
    for (std::size_t c = part * kChunk; c < end; ++c) body(static_cast<TileIndex>(c));
  });
}

Int128 slowest(const Terms& terms, std::size_t open_count) {
  Int128 time = terms.latency;
  for (std::size_t i = 0; i < open_count; ++i) time = std::max(time, terms.open[i]);
  return time;
}

/// What a fill of a level takes and spends at least, whatever is stationary; infinite if the tile
/// does not fit.
Costs least_fill(const Storage& storage, std::size_t level, const Tile& tile) {
  Costs least{kInfinity, kInfinity, 0};
  if (level > 0 && !storage.fits(level, tile)) return least;
  for (const Tensor t : kAllTensors) {
    const Terms terms = storage.fill(level, tile, t, 1);
    least.latency = std::min(least.latency, slowest(terms, storage.open_count()));
    least.energy = std::min(least.energy, terms.energy);
  }
  return least;
}

Least unrollings_inside(const Instance& instance, const Storage& storage, const run::Guard& guard) {
  const Lattice& lattice = instance.lattice;
  Least least(lattice.size());
  instance.vectors.for_each_unrolling(
      lattice, guard, [&](const auto& array, const auto& internal, TileIndex tile) {
        const Terms terms = storage.leaf(lattice[array.tile].c, lattice[internal.tile].c);
        least.include(tile, slowest(terms, storage.open_count()), terms.energy);
      });
  least.spread_outwards(lattice, guard);
  return least;
}

/// inside(m, c) of every level m inside the row buffer.
std::vector<Least> all_inside(const Instance& instance, const Storage& storage,
                              const run::Guard& guard) {
  const Lattice& lattice = instance.lattice;
  std::vector<Least> inside{unrollings_inside(instance, storage, guard)};
  while (inside.size() < instance.architecture.row_buffer()) {
    const std::size_t level = inside.size() - 1;
    const Least& from = inside.back();
    Least next(lattice.size());
    for_each_tile_of(lattice, guard, [&](TileIndex c) {
      if (from.energy[c] >= kInfinity) return;
      const Costs fill = least_fill(storage, level, lattice[c]);
      if (fill.energy >= kInfinity) return;
      next.include(c, std::max(fill.latency, from.latency[c]), fill.energy + from.energy[c]);
    });
    next.spread_outwards(lattice, guard);
    inside.push_back(std::move(next));
  }
  return inside;
}

}  // namespace

TileScreen::TileScreen(const Instance& instance, const Storage& storage, const Hopeless& hopeless,
                       const run::Guard& guard) {
  const Lattice& lattice = instance.lattice;
  const std::size_t levels = instance.architecture.row_buffer();
  guard.need(bytes(levels, lattice.size()));
  hopeful_.assign(levels, std::vector<char>(lattice.size(), 0));
  const std::vector<Least> inside = all_inside(instance, storage, guard);
  Least outside(lattice.size());
  Int128 activations = kInfinity;
  for (std::size_t i = 0; i < instance.arrivals.size(); ++i) {
    const Arrival arrival = instance.arrivals[i];
    outside.include(arrival.step.to.tile, arrival.least.latency, arrival.least.energy);
    activations = std::min(activations, arrival.least.activations);
  }
  for (std::size_t m = levels; m-- > 0;) {
    outside.spread_inwards(lattice, guard);
    for_each_tile_of(lattice, guard, [&](TileIndex c) {
      Costs least = least_fill(storage, m, lattice[c]);
      const bool reached = outside.energy[c] < kInfinity && inside[m].energy[c] < kInfinity &&
                           least.energy < kInfinity;
      if (reached) {
        least.latency = std::max(least.latency, outside.latency[c]);
        least.energy += outside.energy[c];
        const Costs whole{std::max(least.latency, inside[m].latency[c]),
                          least.energy + inside[m].energy[c], activations};
        hopeful_[m][c] = hopeless(whole) ? 0 : 1;
      }
      outside.latency[c] = hopeful_[m][c] != 0 ? least.latency : kInfinity;
      outside.energy[c] = hopeful_[m][c] != 0 ? least.energy : kInfinity;
    });
  }
}

std::uint64_t TileScreen::bytes(std::size_t levels, std::uint64_t tiles) {
  return tiles * (levels * (1 + 2 * sizeof(Int128)) + 2 * sizeof(Int128));
}

}  // namespace pimbb::dram_pim::mapper
