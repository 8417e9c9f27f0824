// The dynamic programming of the cost-to-go, over numbers of 64 or of 128 bits.
//
// A state (tile c, s, anchor a) can continue in two ways. It *breaks* the run of loops irrelevant
// to s; then only c matters. Or it *carries* the run inwards: the next tile differs from c only in
// dimensions irrelevant to s, and s and a do not change. With i(c) the part of c that is irrelevant
// to t, both follow from one quantity, the least cost G(c', t, a) of arriving at c' with t
// stationary since a:
//
//     carry(c, t, a) = min of G(c', t, a) over c' | c with the same relevant part
//     broken(c)      = min over t, and over c' | c, of G(c', t, i(c))
//                    = min over t, and over the relevant parts r | c, of carry((r, i(c)), t, i(c))
//
// Both minima are taken over divisors, dimension by dimension, along prime factors (a zeta
// transform). A level therefore needs one evaluation for each tile and each anchor above it, not
// one for each pair of tiles: 40 times fewer for a 56 x 56 x 64 x 64 convolution. Anchors are
// processed one at a time, and only broken(c) and carry(c, t, B) are stored: the second one bounds
// every carry from below and prunes almost all candidates; entries with their true anchor are
// computed on demand. Divisors of a tile that a level admits are admitted too, so the minima of a
// level are taken over its own tiles.
//
// If the tables serve a search for mappings of interest only, such as those below an incumbent,
// many tiles of the last level are hopeless: no such mapping contains them. Most anchors are then
// those of hopeless tiles alone, and are left out.
//
// Claim: the entries of other tiles do not change, and those of hopeless tiles are no smaller than
// without.
//
// Proof. broken(c) takes its minima over carry((r, i(c)), t, i(c)): of anchors of c itself, in one
// pass for each anchor. An anchor that is left out belongs to hopeless tiles only, and is not the
// full one, which `best` needs; their broken(c), and best(c), miss some terms of a minimum.  []
//
// A pass for an anchor other than the full one computes carry((r, j), t, a) for all j | a, but only
// for the relevant parts r that some hopeful tile c with i(c) = a can change to by breaking a run:
// its minima over j do not leave r. The first level above the leaves also omits every r that is no
// leaf itself, if the leaves are closed under division: then no (r, j) is a leaf, and its carry is
// infinite.
//
// Which tiles are hopeless is decided by lower bounds of their entries that need the full anchors
// only: runs since the DRAM move least, so carry(c, t, a) >= carry(c, t, B), and with this
// broken(c) is at least its own formula with carry((r, i(c)), t, B).
//
// A dataflow that keeps T in place excludes arrivals at T's home without T, and further out allows
// r in broken(c) to differ from c only in dimensions relevant to both t and T (dataflow_rule.hpp).
//
// Claim: with `Number` of 64 bits no computation overflows if Scale::fills_fit_64_bits, and every
// number is that of 128 bits in steps of the scale.
//
// Proof. All terms are multiples of the steps, and a time exceeds a threshold if and only if its
// steps exceed those of the threshold, rounded down. A finite number of an entry is a maximum of
// fills and leaf terms, or a sum that contains each tensor's fill of each level at most once, and
// one leaf. Scale's bound is a sum over levels and tensors of the largest such fill, for any tile
// of the lattice and any number of sweeps, plus the largest leaf. In steps, finite numbers are
// therefore below 2^61, and so are terms and products in them. Infinity is 2^62: a term added to an
// entry is below 2^63, and the minimum with the target, which is at most infinity, is at most 2^62
// again. No finite number exceeds a threshold of 2^62 or more, so larger thresholds are replaced by
// 2^62.  []
#pragma once

#include <algorithm>
#include <array>
#include <functional>
#include <vector>

#include "dram_pim/mapper/allowed_steps.hpp"
#include "dram_pim/mapper/costs.hpp"
#include "dram_pim/mapper/level_tiles.hpp"
#include "dram_pim/mapper/storage.hpp"
#include "run/table_allocator.hpp"

namespace pimbb::dram_pim::mapper {

inline constexpr std::size_t kMaxThresholds = 8;
inline constexpr std::size_t kMaxWidth = 1 + kMaxOpen + kMaxThresholds;  ///< numbers in an entry

template <class Number>
class CostToGoTables {
 public:
  static constexpr Number kNone = kInfinityOf<Number>;
  /// Whether a tile of the last level, with this tensor stationary and a rest of at least these
  /// costs, is part of no mapping of interest. Thread-safe.
  using Hopeless = std::function<bool(TileIndex tile, Tensor stationary, const Number* rest)>;

  CostToGoTables(const Lattice& lattice, const Storage& storage, const LevelTiles& levels,
                 const std::vector<Int128>& thresholds, DataflowRule rule, const run::Guard& guard,
                 const Hopeless& hopeless = {});

  /// Entries of `width()` numbers: latency, open sums, energies.
  [[nodiscard]] std::size_t width() const { return width_; }
  void at(std::size_t level, const State& state, Number* entry) const;
  [[nodiscard]] const Number* best(std::size_t level, TileIndex tile, Tensor stationary) const {
    const Level& table = tables_[level];
    return &(level > 0 ? table.best[index(stationary)] : table.broken)[place(level, tile)];
  }
  [[nodiscard]] const Number* below_row_buffer(TileIndex tile) const {
    return &relaxed_[tile * width_];
  }

 private:
  using Numbers = run::RawTable<Number>;
  struct Level {     ///< one entry for each tile that the level admits
    Numbers broken;  // level 0: the leaf
    PerTensor<Numbers> best;
  };

  [[nodiscard]] std::size_t place(std::size_t level, TileIndex tile) const {
    return levels_.slot[level][tile] * width_;
  }
  [[nodiscard]] Numbers infinite(std::size_t entries) const;
  void fill_leaves(const run::Guard& guard);
  void fill_level(std::size_t m, const Hopeless& hopeless, const run::Guard& guard);
  std::vector<TileIndex> hopeful_tiles(std::size_t m, PerTensor<Numbers>& scratch,
                                       const Hopeless& hopeless, const run::Guard& guard);
  [[nodiscard]] DimMask breaking(std::size_t m, Tensor t) const;
  /// What a pass is for: all tiles with its anchor, or those that are hopeful.
  struct Parts {
    bool all = true;
    std::vector<TileIndex> tiles = {};    // with the anchor: hopeful ones, and those that they need
    std::vector<std::uint32_t> ids = {};  // of the relevant parts to carry
  };
  void find_parts(std::size_t m, Tensor t, std::uint32_t anchor, const std::vector<char>& hopeful,
                  Parts& parts) const;
  [[nodiscard]] bool leaves_are_closed() const;
  void run_anchor(std::size_t m, Tensor t, std::uint32_t anchor, const Parts& parts,
                  Numbers& broken, const run::Guard& guard);
  void carry_outwards(std::size_t level, std::size_t m, Tensor t, std::uint32_t anchor,
                      const Parts& needed, Number* inner, Number* carried,
                      const run::Guard& guard) const;
  static void take_least(Level& level, const PerTensor<Numbers>& broken);
  void fill_relaxed(const run::Guard& guard);
  void carry(std::size_t level, const State& state, Number* target) const;
  /// Lowers `target` to the sum of `terms` and the cost-to-go `rest` (null: zero).
  void lower(Number* target, const TermsOf<Number>& terms, const Number* rest) const;
  void lower(Number* target, const Number* other) const { lower(target, other, width_); }
  static void lower(Number* target, const Number* other, std::size_t width) {
    for (std::size_t i = 0; i < width; ++i) target[i] = std::min(target[i], other[i]);
  }

  const Lattice& lattice_;
  const Storage& storage_;
  const LevelTiles& levels_;
  DataflowRule rule_;
  Numbers thresholds_;
  std::size_t open_count_;
  std::size_t width_;
  bool closed_leaves_ = false;  // known to be closed under division
  std::vector<Level> tables_;   // per level 0 .. row buffer - 1
  Numbers relaxed_;             // per tile
};

extern template class CostToGoTables<std::int64_t>;
extern template class CostToGoTables<Int128>;

}  // namespace pimbb::dram_pim::mapper
