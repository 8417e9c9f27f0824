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
// What a state (tile, s, anchor) can still do depends on s and the anchor only as long as the run
// of loops irrelevant to s goes on. So a level needs one entry a tile for all steps that break the
// run, and one for each (tile, s, anchor), which is the minimum of that and of the steps that carry
// the run inwards.
#pragma once

#include <span>
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
             const SpatialVectors& vectors, const Storage& storage, bool prune);
  [[nodiscard]] bool admits(std::size_t level, TileIndex tile) const {
    return slot[level][tile] != kNone;
  }
};

class Completion {
 public:
  /// `thresholds`: ascending scaled latencies, at least one; kInfinity for no limit.
  Completion(const Lattice& lattice, const Storage& storage, const LevelTiles& levels,
             std::vector<Int128> thresholds);

  [[nodiscard]] const std::vector<Int128>& thresholds() const { return thresholds_; }

  /// What a state at `level` < row buffer still adds: latency, open sums, energies, in this order.
  [[nodiscard]] const Int128* at(std::size_t level, const State& state) const;
  /// A relaxation of the same for a tile at the row buffer, whatever is stationary there.
  [[nodiscard]] const Int128* below_row_buffer(TileIndex tile) const {
    return &relaxed_[tile * width_];
  }
  [[nodiscard]] static Int128 latency(const Int128* entry) { return entry[0]; }
  [[nodiscard]] static Int128 open(const Int128* entry, std::size_t i) { return entry[1 + i]; }
  [[nodiscard]] const Int128* energies(const Int128* entry) const {
    return entry + 1 + open_count_;
  }

 private:
  struct Level {                 ///< one table entry is `width_` numbers
    std::vector<Int128> broken;  // per place: least over steps that break the run
    std::vector<Int128> entry;   // per place, tensor and anchor
  };

  void fill_leaves();
  void fill_level(std::size_t m);
  void fill_place(std::size_t m, std::size_t place);
  void fill_relaxed();
  /// Lowers `target` to what `terms` followed by completion `rest` add (null: nothing follows).
  void lower(Int128* target, const Terms& terms, const Int128* rest) const;
  static void lower(Int128* target, const Int128* other, std::size_t width);
  [[nodiscard]] std::size_t anchor_place(std::size_t place, Tensor t, std::uint32_t anchor) const {
    return (place * anchors_per_tile_ + anchor_base_[index(t)] + anchor) * width_;
  }

  const Lattice& lattice_;
  const Storage& storage_;
  const LevelTiles& levels_;
  std::vector<Int128> thresholds_;
  std::size_t open_count_;
  std::size_t width_;
  PerTensor<std::size_t> anchor_base_{};
  std::size_t anchors_per_tile_ = 0;
  std::vector<Level> tables_;    // per level 0 .. row buffer - 1; level 0 has `broken` only
  std::vector<Int128> relaxed_;  // per tile
};

}  // namespace pimbb::mapper
