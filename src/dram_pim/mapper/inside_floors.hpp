// The least that the inside of a tile costs under a storage choice, whatever mapping it is part of.
//
//     inside(m, c) = min of (fill + inside)(m-1, c') over c' | c              0: unrollings
//
// in energy, and with the greater of the two in time. A fill is least if one tensor's run has
// lasted since the DRAM. The minima are taken one prime factor at a time over the lattice of tiles,
// two numbers for each of them, whatever is stationary and wherever runs began.
//
// The numbers are floating-point ones, half the size of exact integers. Claim: floor() of a number
// made by conversion, by minima, by maxima and by at most 100 additions is no more than the exact
// one.
//
// Proof. All are sums of integers that are not negative. If the result is below 2^52, so were all
// its parts, which are exact then. If not, each conversion and each addition makes it too large by
// a factor of 1 + 2^-53 at most, so all of them by less than 1 + 2^-46, and with the rounding of
// its own product floor() divides by more than that.  []
#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <vector>

#include "dram_pim/mapper/costs.hpp"
#include "dram_pim/mapper/storage.hpp"
#include "dram_pim/mapper/tile_space.hpp"
#include "nest/spread.hpp"
#include "run/table_allocator.hpp"

namespace pimbb::dram_pim::mapper {

/// A time and an energy, no more than what they stand for (see above).
struct FloorOfTile {
  double latency = std::numeric_limits<double>::infinity();
  double energy = std::numeric_limits<double>::infinity();

  [[nodiscard]] bool is_finite() const { return energy < std::numeric_limits<double>::infinity(); }
  void lower(const FloorOfTile& other) {
    latency = std::min(latency, other.latency);
    energy = std::min(energy, other.energy);
  }
  /// Both one after the other: the greater time, the sum of energies.
  [[nodiscard]] FloorOfTile and_then(const FloorOfTile& other) const {
    return {std::max(latency, other.latency), energy + other.energy};
  }
  /// As exact integers, of a finite one.
  [[nodiscard]] Costs floor(Int128 activations) const;
};

/// The least time and the least energy of something, for each tile.
class LeastOfTiles {
 public:
  explicit LeastOfTiles(std::size_t tiles) : of_(tiles) {}

  [[nodiscard]] const FloorOfTile& operator[](TileIndex c) const { return of_[c]; }
  [[nodiscard]] FloorOfTile& operator[](TileIndex c) { return of_[c]; }
  void include(TileIndex c, Int128 latency, Int128 energy) {
    of_[c].lower({static_cast<double>(latency), static_cast<double>(energy)});
  }
  /// Each the least over the tiles that divide it.
  void spread_outwards(const nest::Spread& spread, const run::Guard& guard);
  /// Each the least over the tiles that it divides.
  void spread_inwards(const nest::Spread& spread, const run::Guard& guard);
  [[nodiscard]] static std::uint64_t bytes(std::uint64_t tiles) {
    return tiles * sizeof(FloorOfTile);
  }

 private:
  run::Table<FloorOfTile> of_;
};

/// What these terms take and spend, as far as they tell.
FloorOfTile floor_of(const Terms& terms, std::size_t open_count);

/// What a fill of a level takes and spends at least, whatever is stationary; infinite if the tile
/// does not fit.
FloorOfTile least_fill(const Storage& storage, std::size_t level, const Tile& tile);

/// Whether no mapping of interest costs at least this. Thread-safe.
using Hopeless = std::function<bool(const Costs& least)>;

/// What is known of mappings of interest before there are floors; empty: nothing.
struct Interest {
  Hopeless hopeless;
  /// The level inside the row buffer is filled with one of these.
  std::optional<std::vector<Factors>> fills;
};

class InsideFloors {
 public:
  /// Of so many levels, from the innermost outwards; infinite where no mapping of interest has what
  /// is inside. Throws what the guard throws.
  InsideFloors(const TileSpace& space, const Storage& storage, std::size_t levels,
               const run::Guard& guard, const Interest& interest = {});

  [[nodiscard]] const LeastOfTiles& operator[](std::size_t level) const { return inside_[level]; }
  [[nodiscard]] static std::uint64_t bytes(std::size_t levels, std::uint64_t tiles) {
    return levels * LeastOfTiles::bytes(tiles);
  }

 private:
  void keep(const Lattice& lattice, const std::vector<Factors>& tiles);

  std::vector<LeastOfTiles> inside_;  // by level
};

/// The same, from the space's store if it has one, which serves all mappings, unless fills are
/// known.
std::shared_ptr<const InsideFloors> inside_floors(const TileSpace& space, const Storage& storage,
                                                  std::size_t levels, const run::Guard& guard,
                                                  const Interest& interest = {});

}  // namespace pimbb::dram_pim::mapper
