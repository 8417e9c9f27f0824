// Filling the row table: cheap parts for all tiles, the rest on demand.
#include "dram_pim/mapper/row_table.hpp"

#include <algorithm>
#include <utility>

#include "dram_pim/mapper/for_each_tile.hpp"
#include "dram_pim/rows/micro_trace.hpp"
#include "exact/factors.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// Tiles whose rows or blocks one task looks at.
constexpr std::size_t kTilesAtATime = 64;

/// Number of distinct positions stride * i + dilation * j, 0 <= i < n, 0 <= j < m; at least n of
/// them, which is what a plane too large to tabulate is credited with.
std::int64_t used_positions(std::int64_t stride, std::int64_t n, std::int64_t dilation,
                            std::int64_t m) {
  constexpr std::int64_t kTooMany = 1 << 24;
  if (n * m > kTooMany || stride * (n - 1) + dilation * (m - 1) > kTooMany) return n;
  std::vector<bool> used(static_cast<std::size_t>(stride * (n - 1) + dilation * (m - 1) + 1));
  std::int64_t count = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < m; ++j) {
      auto bit = used[static_cast<std::size_t>(stride * i + dilation * j)];
      count += bit ? 0 : 1;
      bit = true;
    }
  }
  return count;
}

}  // namespace

RowTable::RowTable(const Architecture& architecture, const Workload& workload,
                   const Lattice& lattice, RowModel model, LayoutRanges layouts,
                   const run::Guard& guard, const ArrivalScreen* screen)
    : a_(architecture),
      w_(workload),
      lattice_(lattice),
      model_(model),
      layouts_(std::move(layouts)),
      sequential_inputs_(orders_of_input()),
      plane_heights_(divisors_of(workload.input_height())),
      plane_widths_(divisors_of(workload.input_width())),
      can_align_(lattice.size()),
      without_k_(lattice.size()),
      input_(lattice.with_anchor(Tensor::input, 0).size()) {
  const std::vector<TileIndex>& without_k = lattice.with_anchor(Tensor::input, 0);
  constexpr std::size_t kInput = index(Tensor::input);
  run::for_each_chunk(without_k.size(), kTilesAtATime, [&](const run::Chunk& chunk) {
    guard.check();
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      can_align_[without_k[i]][kInput] = some_block_fits(lattice[without_k[i]].c);
    }
  });
  for_each_tile(lattice, guard, [&](TileIndex i) {
    const Tile& tile = lattice[i];
    for (const Tensor t : {Tensor::weight, Tensor::output}) {
      can_align_[i][index(t)] = alignable(t, tile);
    }
    const TileIndex same_input = lattice.without(tile, Dim::K);
    if (same_input != i) can_align_[i][kInput] = can_align_[same_input][kInput];
  });
  std::uint32_t place = 0;
  for (const TileIndex i : without_k) without_k_[i] = place++;
  if (is_traced(model)) {
    for (const Tensor t : kAllTensors) least_[index(t)] = least_rows(t) * a_.row_units();
  } else {
    fill_rows(guard, screen);
  }
}

void RowTable::fill_rows(const run::Guard& guard, const ArrivalScreen* screen) {
  std::vector<TileIndex> wanted;
  if (screen != nullptr) {
    place_.assign(lattice_.size(), kNoRows);
    for (TileIndex i = 0; i < lattice_.size(); ++i) {
      if (!screen->hopeful(i)) continue;
      place_[i] = static_cast<std::uint32_t>(wanted.size());
      wanted.push_back(i);
    }
  }
  rows_.resize(screen != nullptr ? wanted.size() : lattice_.size());
  run::for_each_chunk(rows_.size(), kTilesAtATime, [&](const run::Chunk& chunk) {
    guard.check();
    for (std::size_t k = chunk.begin; k < chunk.end; ++k) {
      rows_[k] = tile_rows(lattice_[screen != nullptr ? wanted[k] : static_cast<TileIndex>(k)]);
    }
  });
}

std::vector<Architecture> RowTable::orders_of_input() const {
  const LayoutRange& range = layouts_[index(Tensor::input)];
  if (!a_.has_free_input_order()) {
    return range.sequential ? std::vector<Architecture>{a_} : std::vector<Architecture>{};
  }
  const Frame plane = w_.frame(Tensor::input);
  const bool alike = (!is_traced(model_) && !traits(model_).micro) ||
                     w_.bound(Dim::C) * w_.bound(Dim::G) == 1 || plane.height * plane.width == 1;
  std::vector<Architecture> orders;
  if (range.sequential) orders.push_back(a_.with_input_order(InputOrder::nchw));
  if (range.channels_last && (orders.empty() || !alike)) {
    orders.push_back(a_.with_input_order(InputOrder::nhwc));
  }
  return orders;
}

PerTensor<rows::RowTile> RowTable::tile_rows(const Tile& tile) const {
  PerTensor<rows::RowTile> rows;
  for (const Tensor t : kAllTensors) rows[index(t)] = rows::row_tile(a_, w_, t, tile.c);
  if (traits(model_).micro) rows[index(Tensor::input)].micro = least_micro(tile);
  return rows;
}

/// Of a tensor whose boxes are its tiles.
bool RowTable::alignable(Tensor t, const Tile& tile) const {
  const LayoutRange& range = layouts_[index(t)];
  return tile.elements[index(t)] * a_.element_units(t) <= a_.row_units() && range.row_aligned &&
         range.admits(layout_box(t, tile.c, {}));
}

/// The input can be aligned iff the smallest block around its window fits a row, unless a range
/// asks for more.
bool RowTable::some_block_fits(const Factors& c) const {
  if (layouts_[index(Tensor::input)] != LayoutRange{}) {
    bool any = false;
    for_each_block(c, [&](const Block&) {
      any = true;
      return false;
    });
    return any;
  }
  const auto at = [&](Dim d) { return c[index(d)]; };
  const auto smallest = [](const std::vector<std::int64_t>& edges, std::int64_t window) {
    return *std::lower_bound(edges.begin(), edges.end(), window);
  };
  const Int128 area =
      static_cast<Int128>(smallest(plane_heights_, w_.extent_h(at(Dim::Q), at(Dim::S)))) *
      smallest(plane_widths_, w_.extent_w(at(Dim::P), at(Dim::R)));
  return area * at(Dim::C) * at(Dim::N) * at(Dim::G) * a_.element_units(Tensor::input) <=
         a_.row_units();
}

/// A is at least the number of tiles times the rows that a tile touches at any alignment.
Int128 RowTable::least_micro(const Tile& tile) const {
  Int128 least = 0;  // what a tensor that may not be sequential has
  for (const Architecture& a : sequential_inputs_) {
    const Int128 rows =
        static_cast<Int128>(tile.relevant_loops[index(Tensor::input)]) *
        rows::least_rows(rows::tile_box(a, w_, Tensor::input, tile.c), a_.row_units());
    least = &a == &sequential_inputs_.front() ? rows : std::min(least, rows);
  }
  return least;
}

bool RowTable::admits(TileIndex i) const {
  return std::all_of(kAllTensors.begin(), kAllTensors.end(),
                     [&](Tensor t) { return can_be_sequential(t) || can_align(i, t); });
}

std::vector<Block> RowTable::admissible_blocks(TileIndex i) const {
  return blocks_of(lattice_[i].c);
}

std::vector<Block> RowTable::blocks_of(const Factors& c) const {
  std::vector<Block> blocks;
  for_each_block(c, [&](const Block& block) {
    blocks.push_back(block);
    return true;
  });
  return blocks;
}

template <class Visit>
void RowTable::for_each_block(const Factors& c, const Visit& visit) const {
  const LayoutRange& range = layouts_[index(Tensor::input)];
  if (!range.row_aligned) return;
  const auto at = [&](Dim d) { return c[index(d)]; };
  const std::int64_t depth = at(Dim::C) * at(Dim::N) * at(Dim::G) * a_.element_units(Tensor::input);
  const std::int64_t high = w_.extent_h(at(Dim::Q), at(Dim::S));
  const std::int64_t wide = w_.extent_w(at(Dim::P), at(Dim::R));
  for (const std::int64_t h : plane_heights_) {
    if (h < high) continue;
    for (const std::int64_t v : plane_widths_) {
      if (v < wide) continue;
      if (static_cast<Int128>(h) * v * depth > a_.row_units()) break;
      if (range.admits(layout_box(Tensor::input, c, {h, v})) && !visit(Block{h, v})) return;
    }
  }
}

const RowTable::InputRows& RowTable::input_rows(TileIndex i) const {
  const TileIndex sample = lattice_.without(lattice_[i], Dim::K);
  return input_[without_k_[sample]].get([&] { return find_input_rows(sample); });
}

RowTable::InputRows RowTable::find_input_rows(TileIndex i) const {
  InputRows rows;
  const Factors& c = lattice_[i].c;
  for (const Block& block : admissible_blocks(i)) {
    const std::int64_t cross = rows::crossing_tiles(w_, c, block);
    if (rows.block.h != 0 && cross >= rows.cross) continue;
    rows.cross = cross;
    rows.block = block;
  }
  if (!traits(model_).micro) return rows;
  for (std::size_t k = 0; k < sequential_inputs_.size(); ++k) {
    const Int128 micro = rows::micro_trace_sum(sequential_inputs_[k], w_, c);
    if (k > 0 && micro >= rows.micro) continue;
    rows.micro = micro;
    rows.order = k;
  }
  return rows;
}

InputOrder RowTable::input_order(TileIndex i) const {
  if (!a_.has_free_input_order() || sequential_inputs_.empty()) return InputOrder::nchw;
  const bool counts = traits(model_).micro && !rows_of(i)[index(Tensor::input)].tensor_fits;
  return sequential_inputs_[counts ? input_rows(i).order : 0].input_order;
}

Int128 RowTable::least_rows(Tensor t) const {
  Int128 elements = w_.tensor_elements(t);
  if (t == Tensor::input) {
    elements = static_cast<Int128>(w_.bound(Dim::N)) * w_.bound(Dim::C) * w_.bound(Dim::G) *
               used_positions(w_.stride_w, w_.bound(Dim::P), w_.dilation_w, w_.bound(Dim::R)) *
               used_positions(w_.stride_h, w_.bound(Dim::Q), w_.dilation_h, w_.bound(Dim::S));
  }
  const std::int64_t one = a_.element_units(t);
  const std::int64_t a_row_holds = (a_.row_units() + one - 1) / one;
  return (elements + a_row_holds - 1) / a_row_holds;
}

bool RowTable::can_align(TileIndex i, Tensor t) const { return can_align_[i][index(t)]; }

std::uint64_t RowTable::combinations(TileIndex i) const {
  const auto sequential = [&](Tensor t) -> std::uint64_t {
    const LayoutRange& range = layouts_[index(t)];
    const bool has_orders = t == Tensor::input && a_.has_free_input_order();
    return (range.sequential ? 1 : 0) + (has_orders && range.channels_last ? 1 : 0);
  };
  const auto either = [&](Tensor t) { return sequential(t) + (can_align(i, t) ? 1U : 0U); };
  return (sequential(Tensor::input) + admissible_blocks(i).size()) * either(Tensor::weight) *
         either(Tensor::output);
}

RowChoice RowTable::best(TileIndex i, const PerTensor<rows::RowReuse>& reuse) const {
  if (is_traced(model_)) return {least_, {}};
  PerTensor<rows::RowTile> rows = rows_of(i);
  rows::RowTile& input = rows[index(Tensor::input)];
  // A sequential tensor within one row costs one activation, whatever its tiles.
  if (!input.tensor_fits || !can_be_sequential(Tensor::input)) {
    input.micro = input_rows(i).micro;
    input.cross = input_rows(i).cross;
  }
  return choose(i, rows, reuse);
}

PerTensor<Int128> RowTable::least(TileIndex i, const PerTensor<rows::RowReuse>& reuse) const {
  return is_traced(model_) ? least_ : choose(i, rows_of(i), reuse).activations;
}

RowChoice RowTable::choose(TileIndex i, const PerTensor<rows::RowTile>& rows,
                           const PerTensor<rows::RowReuse>& reuse) const {
  RowChoice choice;
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    const auto count = [&](Layout layout) {
      return rows::activations(model_, t, layout, a_.row_units(), rows[k], reuse[k]);
    };
    if (can_be_sequential(t)) choice.activations[k] = count(Layout::sequential);
    if (!can_align(i, t)) continue;
    const Int128 aligned = count(Layout::row_aligned);
    if (!can_be_sequential(t) || aligned < choice.activations[k]) {
      choice.activations[k] = aligned;
      choice.layout[k] = Layout::row_aligned;
    }
  }
  return choice;
}

}  // namespace pimbb::dram_pim::mapper
