// Row activations of every row-buffer tile, for any loop order.
//
// The inputs of the closed row models are computed once per tile: stream cost, alignment and number
// of tiles at the start; micro-traces and crossings, which are more expensive, on first use. Until
// then they are bounded from below by one row per gap and no crossing.
//
// N_act is non-decreasing in the crossings, and every objective in N_act, so only a block with the
// fewest crossings can matter among the admissible blocks of a row-aligned input. For the same
// reason each tensor takes the layout with fewer activations: nothing else in the model depends on
// it.
//
// If the order of the input is free, a sequential input has two layouts, NCHW and NHWC. They differ
// in the micro-traces of `hybrid` and in the addresses of `trace`; between equals NCHW is taken.
//
// With a screen only its hopeful tiles have figures, and only these may be asked for.
//
// Layouts may be restricted; a tile for which some tensor has no layout is not admitted.
//
// Under the row model trace these figures are unknown before a mapping is complete. A lower bound
// replaces them: every element that the layer uses is read at least once, and a row contains at
// most ceil(Row / size) first units of elements.
#pragma once

#include <cassert>
#include <vector>

#include "dram_pim/mapper/arrival_screen.hpp"
#include "dram_pim/mapper/tiles.hpp"
#include "dram_pim/rows/row_activations.hpp"
#include "pimbb/dram_pim/layout_range.hpp"
#include "run/remembered.hpp"
#include "run/table_allocator.hpp"

namespace pimbb::dram_pim::mapper {

struct RowChoice {
  PerTensor<Int128> activations{};  ///< N_act in units of 1/row (trace: a lower bound)
  PerTensor<Layout> layout{};
};

class RowTable {
 public:
  RowTable(const Architecture& architecture, const Workload& workload, const Lattice& lattice,
           RowModel model, LayoutRanges layouts = {}, const run::Guard& guard = {},
           const ArrivalScreen* screen = nullptr);

  [[nodiscard]] std::uint64_t bytes() const {
    return place_.size() * sizeof(place_[0]) + rows_.size() * sizeof(rows_[0]) +
           bytes(RowModel::trace, can_align_.size(), input_.size());
  }
  /// The same for this number of tiles, of which some have K = 1.
  [[nodiscard]] static std::uint64_t bytes(RowModel model, std::uint64_t tiles,
                                           std::uint64_t without_k) {
    const std::uint64_t rows = is_traced(model) ? 0 : sizeof(PerTensor<rows::RowTile>);
    return tiles * (rows + sizeof(PerTensor<bool>) + sizeof(TileIndex)) +
           without_k * sizeof(run::MadeOnce<InputRows>);
  }
  /// Whether the lower bounds are the same for all tiles.
  [[nodiscard]] bool are_alike() const { return is_traced(model_); }

  /// The best layouts for row-buffer tile `i` under the given loop orders. Thread-safe.
  [[nodiscard]] RowChoice best(TileIndex i, const PerTensor<rows::RowReuse>& reuse) const;
  /// A lower bound of its activations that is cheap to compute for every tile.
  [[nodiscard]] PerTensor<Int128> least(TileIndex i, const PerTensor<rows::RowReuse>& reuse) const;

  /// Whether every tensor has some layout when the row buffer holds tile `i`.
  [[nodiscard]] bool admits(TileIndex i) const;
  /// Whether tensor t may be sequential.
  [[nodiscard]] bool can_be_sequential(Tensor t) const {
    return t == Tensor::input ? !sequential_inputs_.empty() : layouts_[index(t)].sequential;
  }
  /// The accelerator with each order that a sequential input may have and that makes a difference:
  /// one unless the order is free, none if the input may not be sequential.
  [[nodiscard]] const std::vector<Architecture>& sequential_inputs() const {
    return sequential_inputs_;
  }
  /// Whether tensor t may be row-aligned when the row buffer holds tile `i`.
  [[nodiscard]] bool can_align(TileIndex i, Tensor t) const;
  /// Blocks that a row-aligned input may have.
  [[nodiscard]] std::vector<Block> admissible_blocks(TileIndex i) const;
  /// The block that `best` gives a row-aligned input.
  [[nodiscard]] Block block(TileIndex i) const { return input_rows(i).block; }
  /// The order that `best` gives a sequential input, if it is free.
  [[nodiscard]] InputOrder input_order(TileIndex i) const;
  /// Number of feasible combinations of layouts and blocks.
  [[nodiscard]] std::uint64_t combinations(TileIndex i) const;

 private:
  struct InputRows {  ///< common to all tiles that differ only in K
    Int128 micro = 0;
    std::int64_t cross = 0;
    Block block;
    std::size_t order = 0;  // of sequential_inputs(), with the fewest micro-traces
  };

  /// With lower bounds of micro and cross.
  [[nodiscard]] PerTensor<rows::RowTile> tile_rows(const Tile& tile) const;
  [[nodiscard]] bool alignable(Tensor t, const Tile& tile) const;
  [[nodiscard]] bool some_block_fits(const Factors& c) const;
  /// Calls visit(block) for those that the layouts' ranges admit, until it returns false.
  template <class Visit>
  void for_each_block(const Factors& c, const Visit& visit) const;
  [[nodiscard]] std::vector<Block> blocks_of(const Factors& c) const;
  [[nodiscard]] std::vector<Architecture> orders_of_input() const;
  [[nodiscard]] Int128 least_micro(const Tile& tile) const;
  [[nodiscard]] const InputRows& input_rows(TileIndex i) const;
  void fill_rows(const run::Guard& guard, const ArrivalScreen* screen);
  static constexpr std::uint32_t kNoRows = ~std::uint32_t{0};
  [[nodiscard]] const PerTensor<rows::RowTile>& rows_of(TileIndex i) const {
    assert(place_.empty() || place_[i] != kNoRows);
    return rows_[place_.empty() ? i : place_[i]];
  }
  [[nodiscard]] InputRows find_input_rows(TileIndex i) const;
  [[nodiscard]] Int128 least_rows(Tensor t) const;
  [[nodiscard]] RowChoice choose(TileIndex i, const PerTensor<rows::RowTile>& rows,
                                 const PerTensor<rows::RowReuse>& reuse) const;

  const Architecture& a_;
  const Workload& w_;
  const Lattice& lattice_;
  RowModel model_;
  LayoutRanges layouts_;
  std::vector<Architecture> sequential_inputs_;
  std::vector<std::int64_t> plane_heights_;  // divisors of the input's height and width
  std::vector<std::int64_t> plane_widths_;
  PerTensor<Int128> least_{};                     // trace: lower bounds, the same for every tile
  std::vector<std::uint32_t> place_;              // by tile, in `rows_`; empty: the tile itself
  run::RawTable<PerTensor<rows::RowTile>> rows_;  // by place; trace: none
  std::vector<PerTensor<bool>> can_align_;        // by tile
  std::vector<std::uint32_t> without_k_;          // by tile with K = 1: its place in `input_`
  mutable std::vector<run::MadeOnce<InputRows>> input_;
};

}  // namespace pimbb::dram_pim::mapper
