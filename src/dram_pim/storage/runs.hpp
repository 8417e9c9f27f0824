// Every run of loops that leaves a tensor in place: the states (tile, stationary tensor, anchor) of
// chains of tiles, run by run.
//
// A run of loops irrelevant to t begins at a tile whose irrelevant part is its anchor. Inside it
// are the tiles whose irrelevant part divides the anchor, and each of them can go on to those that
// have less of it. Tables with an entry for each state, and minima over what a state can go on to,
// are made one run at a time.
#pragma once

#include <vector>

#include "dram_pim/mapper/arrivals.hpp"
#include "dram_pim/mapper/tiles.hpp"
#include "run/guard.hpp"

namespace pimbb::dram_pim::mapper {

struct Run {
  Tensor stationary = Tensor::input;
  std::int64_t outer = 1;                ///< sweeps
  std::size_t first = 0;                 ///< the place of its first state
  std::vector<TileIndex> tiles;          ///< its states: each after those that it covers
  std::size_t own = 0;                   ///< the tiles from here on have the whole anchor
  std::vector<std::uint32_t> covers_at;  ///< per tile: its first of `covers`; the end
  /// One prime factor less in an irrelevant dimension: as positions in `tiles`.
  std::vector<std::uint32_t> covers;
};

class Runs {
 public:
  Runs(const Lattice& lattice, const run::Guard& guard);

  [[nodiscard]] const std::vector<Run>& all() const { return runs_; }
  /// The number of states.
  [[nodiscard]] std::size_t size() const { return size_; }
  /// The same without making them.
  [[nodiscard]] static std::uint64_t count(const Lattice& lattice);
  /// Bytes of `count` states.
  [[nodiscard]] static std::uint64_t bytes(std::uint64_t count) {
    constexpr std::uint64_t kCovers = 4;  // of a state, as a rule
    return count * (sizeof(TileIndex) + (1 + kCovers) * sizeof(std::uint32_t));
  }
  /// The places of the states that arrivals at the row buffer lead to.
  [[nodiscard]] std::vector<std::size_t> places(const Lattice& lattice,
                                                const Arrivals& arrivals) const;

 private:
  std::vector<Run> runs_;
  PerTensor<std::vector<std::size_t>> by_anchor_;  // places in runs_
  std::size_t size_ = 0;
};

}  // namespace pimbb::dram_pim::mapper
