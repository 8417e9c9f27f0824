// Filling the row table, one entry for all tiles that agree on the input's dimensions.
#include "mapper/row_table.hpp"

#include <map>

#include "search/parallel_for.hpp"

namespace pimbb::mapper {
namespace {

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
                   const Lattice& lattice, RowModel model)
    : a_(architecture),
      w_(workload),
      lattice_(lattice),
      model_(model),
      plane_heights_(divisors_of(workload.input_height())),
      plane_widths_(divisors_of(workload.input_width())) {
  std::map<Factors, std::uint32_t> known;
  std::vector<TileIndex> samples;
  for (TileIndex i = 0; i < lattice.size(); ++i) {
    Factors key = lattice[i].c;
    key[index(Dim::K)] = 1;
    const auto [entry, fresh] = known.emplace(key, static_cast<std::uint32_t>(samples.size()));
    if (fresh) samples.push_back(i);
    input_of_.push_back(entry->second);
  }
  input_ = std::vector<InputRows>(samples.size());
  search::parallel_for(samples.size(), [&](std::size_t k) { find_blocks(samples[k], input_[k]); });
  rows_.resize(lattice.size());
  search::parallel_for(lattice.size(),
                       [&](std::size_t i) { rows_[i] = tile_rows(static_cast<TileIndex>(i)); });
  if (model == RowModel::trace) {
    for (const Tensor t : kAllTensors) least_[index(t)] = least_rows(t) * a_.row_bytes();
  }
}

std::vector<Block> RowTable::admissible_blocks(TileIndex i) const {
  const Factors& c = lattice_[i].c;
  const auto at = [&](Dim d) { return c[index(d)]; };
  const std::int64_t depth = at(Dim::C) * at(Dim::N) * a_.element_bytes(Tensor::input);
  std::vector<Block> blocks;
  const std::int64_t high = w_.extent_h(at(Dim::Q), at(Dim::S));
  const std::int64_t wide = w_.extent_w(at(Dim::P), at(Dim::R));
  for (const std::int64_t h : plane_heights_) {
    if (h < high) continue;
    for (const std::int64_t v : plane_widths_) {
      if (v < wide) continue;
      if (static_cast<Int128>(h) * v * depth > a_.row_bytes()) break;
      blocks.push_back({h, v});
    }
  }
  return blocks;
}

void RowTable::find_blocks(TileIndex i, InputRows& rows) const {
  const std::vector<Block> blocks = admissible_blocks(i);
  rows.blocks = blocks.size();
  if (model_ == RowModel::trace) return;
  for (const Block& block : blocks) {
    const std::int64_t cross = dram::crossing_tiles(w_, lattice_[i].c, block);
    if (rows.block.h != 0 && cross >= rows.cross) continue;
    rows.cross = cross;
    rows.block = block;
  }
}

/// Everything of a tile's rows, with a lower bound in the place of A.
PerTensor<dram::RowTile> RowTable::tile_rows(TileIndex i) const {
  PerTensor<dram::RowTile> rows;
  for (const Tensor t : kAllTensors) rows[index(t)] = dram::row_tile(a_, w_, t, lattice_[i].c);
  dram::RowTile& input = rows[index(Tensor::input)];
  input.cross = input_[input_of_[i]].cross;
  if (model_ == RowModel::hybrid) {
    input.micro = dram::least_micro_trace_sum(a_, w_, lattice_[i].c);
  }
  return rows;
}

Int128 RowTable::micro(TileIndex i) const {
  InputRows& rows = input_[input_of_[i]];
  std::call_once(rows.micro_known,
                 [&] { rows.micro = dram::micro_trace_sum(a_, w_, lattice_[i].c); });
  return rows.micro;
}

Int128 RowTable::least_rows(Tensor t) const {
  Int128 elements = w_.tensor_elements(t);
  if (t == Tensor::input) {
    elements = static_cast<Int128>(w_.bound(Dim::N)) * w_.bound(Dim::C) *
               used_positions(w_.stride_w, w_.bound(Dim::P), w_.dilation_w, w_.bound(Dim::R)) *
               used_positions(w_.stride_h, w_.bound(Dim::Q), w_.dilation_h, w_.bound(Dim::S));
  }
  const std::int64_t bytes = a_.element_bytes(t);
  const std::int64_t a_row_holds = (a_.row_bytes() + bytes - 1) / bytes;
  return (elements + a_row_holds - 1) / a_row_holds;
}

bool RowTable::can_align(TileIndex i, Tensor t) const {
  if (t == Tensor::input) return input_[input_of_[i]].blocks > 0;
  return lattice_[i].elements[index(t)] * a_.element_bytes(t) <= a_.row_bytes();
}

std::uint64_t RowTable::combinations(TileIndex i) const {
  return (1 + input_[input_of_[i]].blocks) * (can_align(i, Tensor::weight) ? 2U : 1U) *
         (can_align(i, Tensor::output) ? 2U : 1U);
}

RowChoice RowTable::best(TileIndex i, const PerTensor<dram::RowReuse>& reuse) const {
  if (model_ == RowModel::trace) return {least_, {}};
  PerTensor<dram::RowTile> rows = rows_[i];
  dram::RowTile& input = rows[index(Tensor::input)];
  if (model_ == RowModel::hybrid && !input.tensor_fits) input.micro = micro(i);
  return choose(i, rows, reuse);
}

PerTensor<Int128> RowTable::least(TileIndex i, const PerTensor<dram::RowReuse>& reuse) const {
  return model_ == RowModel::trace ? least_ : choose(i, rows_[i], reuse).activations;
}

RowChoice RowTable::choose(TileIndex i, const PerTensor<dram::RowTile>& rows,
                           const PerTensor<dram::RowReuse>& reuse) const {
  RowChoice choice;
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    const auto count = [&](Layout layout) {
      return dram::activations(model_, t, layout, a_.row_bytes(), rows[k], reuse[k]);
    };
    choice.activations[k] = count(Layout::sequential);
    if (!can_align(i, t)) continue;
    const Int128 aligned = count(Layout::row_aligned);
    if (aligned < choice.activations[k]) {
      choice.activations[k] = aligned;
      choice.layout[k] = Layout::row_aligned;
    }
  }
  return choice;
}

}  // namespace pimbb::mapper
