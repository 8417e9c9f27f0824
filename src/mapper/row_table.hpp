// Row activations of every row-buffer tile, ready for any loop order.
//
// All that the closed row models need of a tile is computed once: stream cost, alignment, number of
// tiles and, for a row-aligned input, the block; the sum of micro-traces, which costs most, when a
// tile is first looked at closely. N_act grows with the crossings and
// every objective grows with N_act, so of all admissible blocks only one with the fewest crossings
// can matter. For the same reason each tensor takes the layout with the fewer activations: nothing
// else in the model depends on the layout.
//
// Under the trace model these figures are unknown before a mapping is complete. A lower bound takes
// their place: every element that the layer uses is read at least once, and a row holds at most
// ceil(Row / bytes) first bytes of elements.
#pragma once

#include <mutex>
#include <vector>

#include "dram/row_activations.hpp"
#include "mapper/lattice.hpp"
#include "pimbb/mapping.hpp"

namespace pimbb::mapper {

struct RowChoice {
  PerTensor<Int128> activations{};  ///< N_act in units of 1/row (trace: a lower bound)
  PerTensor<Layout> layout{};
};

class RowTable {
 public:
  RowTable(const Architecture& architecture, const Workload& workload, const Lattice& lattice,
           RowModel model);

  /// The best layouts for row-buffer tile `i` under the given loop orders. Thread-safe.
  [[nodiscard]] RowChoice best(TileIndex i, const PerTensor<dram::RowReuse>& reuse) const;
  /// A lower bound of its activations that is cheap to have for every tile.
  [[nodiscard]] PerTensor<Int128> least(TileIndex i, const PerTensor<dram::RowReuse>& reuse) const;
  /// The block that a row-aligned input of this tile takes.
  [[nodiscard]] Block block(TileIndex i) const { return input_[input_of_[i]].block; }
  /// Number of feasible combinations of layouts and blocks.
  [[nodiscard]] std::uint64_t combinations(TileIndex i) const;
  /// Whether weight or output may be row-aligned; the input may if it has admissible blocks.
  [[nodiscard]] bool can_align(TileIndex i, Tensor t) const;
  [[nodiscard]] std::vector<Block> admissible_blocks(TileIndex i) const;

 private:
  struct InputRows {  ///< what tiles that differ only in K have in common
    std::once_flag micro_known;
    Int128 micro = 0;
    std::int64_t cross = 0;
    Block block;
    std::uint64_t blocks = 0;
  };

  void find_blocks(TileIndex i, InputRows& rows) const;
  [[nodiscard]] PerTensor<dram::RowTile> tile_rows(TileIndex i) const;
  [[nodiscard]] Int128 least_rows(Tensor t) const;
  [[nodiscard]] Int128 micro(TileIndex i) const;
  [[nodiscard]] RowChoice choose(TileIndex i, const PerTensor<dram::RowTile>& rows,
                                 const PerTensor<dram::RowReuse>& reuse) const;

  const Architecture& a_;
  const Workload& w_;
  const Lattice& lattice_;
  RowModel model_;
  std::vector<std::int64_t> plane_heights_;  // divisors of the input's height and width
  std::vector<std::int64_t> plane_widths_;
  PerTensor<Int128> least_{};  // trace: lower bounds, the same for every tile
  std::vector<PerTensor<dram::RowTile>> rows_;
  std::vector<std::uint32_t> input_of_;  // per tile, into input_
  mutable std::vector<InputRows> input_;
};

}  // namespace pimbb::mapper
