// What a partial mapping must still add at least, whatever follows inwards.
//
// For every state (tile, s, anchor of s) at a level, the least over all completions of
//
//     the time of the slowest closed resource to come         one number
//     what is added to an open resource                       one for each
//     the energy, if nothing to come takes longer than T[k]   one for each threshold
//
// each on its own. A step inwards to tile `to` costs the same for every tile outside that leads to
// the state (to, s, anchor). So a level needs no pairs of tiles: the cost of a step and what
// follows is put down once for each (to, s, anchor), and minima over all tiles that divide a tile
// are taken dimension by dimension,
//
//     over dimensions irrelevant to s only:   the steps that carry the run of s inwards;
//     over the others as well, where the run begins at the tile itself:   all other steps.
#pragma once

#include <functional>

#include "storage.hpp"

namespace pimbb_check {

/// The tiles that each level may have under a storage choice.
class Levels {
 public:
  Levels(const Problem& p, const Space& space, const Storage& storage);

  bool admits(std::size_t m, std::uint32_t tile) const { return slot_[m][tile] != Space::kNone; }
  const std::vector<std::uint32_t>& tiles(std::size_t m) const { return tiles_[m]; }
  std::uint32_t slot(std::size_t m, std::uint32_t tile) const { return slot_[m][tile]; }
  /// Slots (k, i) of tiles of level m such that tile i is tile k with one prime factor of dimension
  /// j less; k ascends.
  using Covers = std::vector<std::pair<std::uint32_t, std::uint32_t>>;
  const Covers& covers(std::size_t m, std::size_t j) const { return covers_[m][j]; }
  /// Every spatial unrolling of a level-0 tile; `visit` returns false to stop.
  bool for_each_option(const Tile& tile, const std::function<bool(const Terms&)>& visit) const;

 private:
  void find_vectors();

  const Problem& p_;
  const Space& space_;
  const Storage& storage_;
  std::vector<std::vector<std::uint32_t>> tiles_, slot_;
  std::vector<std::array<Covers, 7>> covers_;
  std::vector<std::uint32_t> array_, internal_;  // tiles that unroll there
  std::vector<std::uint32_t> array_slot_;        // per tile
  std::vector<std::optional<Terms>> feeds_;      // per pair of array_ and internal_
};

class Completion {
 public:
  Completion(const Problem& p, const Space& space, const Storage& storage, const Levels& levels,
             const std::vector<Int>& thresholds);

  /// Latency, open resources, energies; for a state at level m < row buffer.
  const Int* at(std::size_t m, std::uint32_t tile, std::size_t s, std::uint32_t anchor) const;
  /// The same below a row-buffer tile, as if any tensor had stayed put since the DRAM.
  const Int* below_row_buffer(std::uint32_t tile) const { return &relaxed_[tile * width_]; }

 private:
  using Table = std::vector<Int>;
  void add_level(std::size_t m);
  void relax(const Problem& p);
  /// For all tiles of level m: the step into them with what follows; infinite where not allowed.
  Table entered(std::size_t m, std::size_t s, std::uint32_t anchor) const;
  /// Minima over all tiles that differ in dimensions relevant (or not) to t; `m`: tiles listed.
  void spread(Table& table, std::size_t m, std::size_t t, bool relevant_dims) const;
  void lower(Int* target, const Int* other) const;
  std::size_t place(std::size_t m, std::uint32_t tile, std::size_t s, std::uint32_t anchor) const {
    return ((anchor_base_[s] + anchor) * levels_.tiles(m).size() + levels_.slot(m, tile)) * width_;
  }

  const Space& space_;
  const Storage& storage_;
  const Levels& levels_;
  const std::vector<Int>& thresholds_;
  std::size_t open_, width_;
  PerTensor<std::size_t> anchor_base_{};
  std::size_t anchors_ = 0;
  Table leaves_;
  std::vector<Table> entry_;  // per level
  Table relaxed_;
};

}  // namespace pimbb_check
