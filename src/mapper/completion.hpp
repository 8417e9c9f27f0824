// Completion bounds: the least that a partial chain of tiles still has to add.
//
// A chain is decided from the DRAM inwards. For every state in which it can arrive at level m the
// table holds, over *all* ways to go on to the PEs,
//
//     latency      the least possible time of the slowest closed resource still to come
//     open[i]      the least that is still added to open resource i
//     energy[k]    the least energy still added if no resource to come may take longer than
//                  threshold k
//
// computed by dynamic programming from the inside out. Each entry alone is exact; together they
// are a bound, since one completion need not reach all of them. The energies at rising thresholds
// trace a lower envelope of the latency-energy trade-off, which is what bounds a product or a blend
// of the two; the last threshold may be a cap that earlier goals have set.
//
// A state (tile c, s, anchor a) can go on in two ways. It *breaks* the run of loops irrelevant to
// s: then only c matters. Or it *carries* the run inwards: the next tile differs from c in
// dimensions irrelevant to s only, and s and a stay. With i(c) the part of c that is irrelevant to
// t, both come from one quantity, the least cost G(c', t, a) of arriving at c' with t stationary
// since a:
//
//     carry(c, t, a) = min of G(c', t, a) over c' | c with the same relevant part
//     broken(c)      = min over t, and over c' | c, of G(c', t, i(c))
//                    = min over t, and over the relevant parts r | c, of carry((r, i(c)), t, i(c))
//
// Both minima run over divisors, dimension by dimension, along prime factors (a zeta transform), so
// that a level costs one evaluation for each tile and each anchor above it, not one for each pair
// of tiles: 40 times fewer on a 56 x 56 x 64 x 64 convolution. Anchors are handled one at a time
// and only broken(c) and carry(c, t, B) are kept: the second bounds every carry from below and
// prunes nearly all candidates; entries with their true anchor are computed on demand. Divisors of
// a tile that a level admits are admitted there too, so a level's minima run over its own tiles.
//
// A dataflow that keeps T in place leaves out arrivals at T's home without T, and further out lets
// r in broken(c) differ from c only in dimensions relevant to both t and T (dataflow_rule.hpp).
#pragma once

#include <algorithm>
#include <vector>

#include "mapper/spatial.hpp"
#include "mapper/steps.hpp"
#include "mapper/storage.hpp"

namespace pimbb::mapper {

/// Above every cost, and still addable without overflow.
inline constexpr Int128 kInfinity = static_cast<Int128>(1) << 126;

/// The tiles admitted at each level under one storage choice, and the options of level-0 tiles.
struct LevelTiles {
  std::vector<std::vector<TileIndex>> tiles;        ///< per level 0 .. row buffer, ascending
  std::vector<std::vector<std::uint32_t>> slot;     ///< per level and tile: place in `tiles`
  std::vector<std::vector<SpatialOption>> options;  ///< per place in tiles[0]
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  LevelTiles(const Architecture& architecture, const Lattice& lattice,
             const SpatialVectors& vectors, const Storage& storage, bool prune,
             const DataflowRule& rule = {}, const search::Guard& guard = {});
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] bool admits(std::size_t level, TileIndex tile) const {
    return slot[level][tile] != kNone;
  }
};

class Completion {
 public:
  static constexpr std::size_t kMaxThresholds = 8;
  static constexpr std::size_t kMaxWidth = 1 + kMaxOpen + kMaxThresholds;

  /// `thresholds`: ascending scaled latencies, 1 .. kMaxThresholds; kInfinity for no limit.
  Completion(const Lattice& lattice, const Storage& storage, const LevelTiles& levels,
             std::vector<Int128> thresholds, const DataflowRule& rule = {},
             const search::Guard& guard = {});

  /// Bytes of the tables for so many thresholds, with what is needed to fill them.
  [[nodiscard]] static std::uint64_t bytes(const Lattice& lattice, const Storage& storage,
                                           const LevelTiles& levels, std::size_t thresholds);

  [[nodiscard]] const std::vector<Int128>& thresholds() const { return thresholds_; }

  /// What a state at `level` < row buffer still adds: latency, open sums, energies, in this order.
  void at(std::size_t level, const State& state, Int128* entry) const;
  /// A lower bound of the same, as if the run had lasted since the DRAM.
  [[nodiscard]] const Int128* best(std::size_t level, TileIndex tile, Tensor stationary) const {
    const Level& table = tables_[level];
    return &(level > 0 ? table.best[index(stationary)] : table.broken)[place(level, tile)];
  }
  /// Numbers in an entry.
  [[nodiscard]] std::size_t width() const { return width_; }
  /// A relaxation of the same for a tile at the row buffer, whatever is stationary there.
  [[nodiscard]] const Int128* below_row_buffer(TileIndex tile) const {
    return &relaxed_[tile * width_];
  }
  [[nodiscard]] static Int128 latency(const Int128* entry) { return entry[0]; }
  [[nodiscard]] static Int128 open(const Int128* entry, std::size_t i) { return entry[1 + i]; }
  /// Without regard to latency beyond the last threshold.
  [[nodiscard]] Int128 least_energy(const Int128* entry) const {
    return entry[open_count_ + thresholds_.size()];
  }
  [[nodiscard]] const Int128* energies(const Int128* entry) const {
    return entry + 1 + open_count_;
  }

 private:
  struct Level {                 ///< one entry of `width_` numbers per tile that the level admits
    std::vector<Int128> broken;  // level 0: the leaf
    PerTensor<std::vector<Int128>> best;
  };

  [[nodiscard]] std::size_t place(std::size_t level, TileIndex tile) const {
    return levels_.slot[level][tile] * width_;
  }
  void fill_leaves();
  void fill_level(std::size_t m, const search::Guard& guard);
  void run_anchor(std::size_t m, Tensor t, std::uint32_t anchor,
                  PerTensor<std::vector<Int128>>& broken, const search::Guard& guard);
  void fill_relaxed();
  void carry(std::size_t level, const State& state, Int128* target) const;
  /// Lowers `target` to what `terms` followed by completion `rest` add (null: nothing follows).
  void lower(Int128* target, const Terms& terms, const Int128* rest) const;
  void lower(Int128* target, const Int128* other) const {
    for (std::size_t i = 0; i < width_; ++i) target[i] = std::min(target[i], other[i]);
  }

  const Lattice& lattice_;
  const Storage& storage_;
  const LevelTiles& levels_;
  DataflowRule rule_;
  std::vector<Int128> thresholds_;
  std::size_t open_count_;
  std::size_t width_;
  std::vector<Level> tables_;    // per level 0 .. row buffer - 1
  std::vector<Int128> relaxed_;  // per tile
};

}  // namespace pimbb::mapper
