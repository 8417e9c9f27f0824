// Terms of the chains around a fill.
#include "dram_pim/trace/moves_around.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "dram_pim/rows/dense_tensor.hpp"
#include "dram_pim/rows/micro_trace.hpp"
#include "dram_pim/trace/sequential_rows.hpp"
#include "exact/factors.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

constexpr std::int64_t kUnknownRows = std::numeric_limits<std::int64_t>::max();

constexpr bool moves_in_plane(Dim j) {
  return j == Dim::P || j == Dim::Q || j == Dim::R || j == Dim::S;
}

constexpr DimMask relevant_dims(Tensor t) { return static_cast<DimMask>(~irrelevant_mask(t)); }

}  // namespace

Multiples::Multiples(const Factors& bounds, const Factors& tile) {
  for (std::size_t k = kDims; k-- > 0;) {
    Axis& axis = axes_[k];
    axis.stride = size_;
    axis.factors = divisors_of(bounds[k]);
    std::erase_if(axis.factors, [&](std::int64_t factor) { return factor % tile[k] != 0; });
    size_ *= axis.factors.size();
    for (const std::int64_t from : axis.factors) {
      auto& above = axis.above.emplace_back();
      for (std::size_t i = 0; i < axis.factors.size(); ++i) {
        const std::int64_t to = axis.factors[i];
        if (to % from == 0 && is_prime(to / from)) above.push_back(static_cast<std::uint16_t>(i));
      }
    }
  }
}

std::size_t Multiples::number(const Factors& c) const {
  std::size_t number = 0;
  for (std::size_t k = 0; k < kDims; ++k) {
    const auto& factors = axes_[k].factors;
    const auto place = std::ranges::lower_bound(factors, c[k]) - factors.begin();
    number += axes_[k].stride * static_cast<std::size_t>(place);
  }
  return number;
}

Multiples::Places Multiples::places(std::size_t number) const {
  Places places{};
  for (std::size_t k = 0; k < kDims; ++k) {
    places[k] = static_cast<std::uint16_t>(number / axes_[k].stride);
    number %= axes_[k].stride;
  }
  return places;
}

Factors Multiples::at(const Places& places) const {
  Factors c{};
  for (std::size_t k = 0; k < kDims; ++k) c[k] = axes_[k].factors[places[k]];
  return c;
}

TileAround::TileAround(const Multiples& multiples, std::size_t number)
    : at(multiples.places(number)) {
  c = multiples.at(at);
  const Factors bounds = multiples.bounds();
  for (const Tensor t : kAllTensors) {
    const DimMask own = relevant_dims(t);
    const DimMask others = irrelevant_mask(t);
    relevant_loops[index(t)] = product_over(bounds, own) / product_over(c, own);
    irrelevant_loops[index(t)] = product_over(bounds, others) / product_over(c, others);
  }
}

MovesAround::MovesAround(const Architecture& a, const Workload& w, const Storage& storage)
    : architecture_(a),
      workload_(w),
      row_(a.row_units()),
      row_time_(storage.scale().activation_cycles * storage.scale().row) {
  const std::size_t level = a.row_buffer() - 1;
  for (const Tensor t : kAllTensors) {
    if (!storage.stores(level, t)) continue;
    counted_ |= bit_of(t);
    element_time_[index(t)] = storage.costs_into(level, t).cycles;
  }
}

Int128 MovesAround::time(Tensor t, const TileAround& tile) const {
  const Int128 moves = Int128{tile.relevant_loops[index(t)]} * tile.irrelevant_loops[index(t)];
  return moves * workload_.tile_elements(t, tile.c) * element_time_[index(t)] +
         (1 + Int128{opened(t, tile)}) * row_time_;
}

bool MovesAround::fits_row(Tensor t, const Factors& c) const {
  return Int128{workload_.tile_elements(t, c)} * architecture_.element_units(t) <= row_;
}

std::int64_t MovesAround::seams(Tensor t, Dim j, const TileAround& from, const TileAround& to) {
  const std::size_t k = index(t);
  if (!relevant(t, j)) {
    return from.relevant_loops[k] * (from.irrelevant_loops[k] - to.irrelevant_loops[k]);
  }
  return from.irrelevant_loops[k] * (from.relevant_loops[k] - to.relevant_loops[k]);
}

std::int64_t MovesAround::aligned_changes(Tensor t, Dim j, const TileAround& from,
                                          const TileAround& to) const {
  if (fits_row(t, to.c) || (t == Tensor::input && moves_in_plane(j))) return 0;
  return seams(t, j, from, to);
}

std::vector<Architecture> MovesAround::orders(Tensor t) const {
  if (t != Tensor::input || !architecture_.has_free_input_order()) return {architecture_};
  return {architecture_.with_input_order(InputOrder::nchw),
          architecture_.with_input_order(InputOrder::nhwc)};
}

FewMoves::FewMoves(const Architecture& a, const Workload& w, const Storage& storage,
                   TensorSet sequential)
    : MovesAround(a, w, storage), sequential_(sequential) {
  for (const Tensor t : kAllTensors) {
    for (const Architecture& order : orders(t)) {
      orders_[index(t)].push_back({order, rows::loop_strides(order, w, t)});
    }
  }
}

std::int64_t FewMoves::changes(Tensor t, Dim j, const TileAround& from,
                               const TileAround& to) const {
  for (const Order& order : orders_[index(t)]) {
    // From the end of one sweep to the beginning of the next.
    std::int64_t distance = relevant(t, j) ? from.c[index(j)] * order.steps[index(j)] : 0;
    for (const Dim i : kAllDims) {
      if (relevant(t, i)) distance -= (from.c[index(i)] - 1) * order.steps[index(i)];
    }
    if (std::abs(distance) < row()) return 0;
  }
  return contains(sequential_, t) ? seams(t, j, from, to) : aligned_changes(t, j, from, to);
}

std::int64_t FewMoves::opened(Tensor t, const TileAround& tile) const {
  if (!contains(sequential_, t)) return 0;
  std::int64_t least = kUnknownRows;
  for (const Order& order : orders_[index(t)]) {
    const auto box = rows::tile_box(order.architecture, workload_, t, tile.c);
    least = std::min(least, rows::least_rows(box, row()));
  }
  return tile.relevant_loops[index(t)] * tile.irrelevant_loops[index(t)] * (least - 1);
}

MovesOfFill::MovesOfFill(const Architecture& a, const Workload& w, const Storage& storage,
                         const Multiples& around, const run::Guard& guard)
    : MovesAround(a, w, storage) {
  const Factors fill = around.at({});
  for (const Tensor t : kAllTensors) {
    if (!contains(counted(), t)) continue;
    opened_[index(t)] = kUnknownRows;
    for (const Architecture& order : orders(t)) {
      rows::SeamLine line = sequential_line(order, w, t);
      for (auto& axis : line.axes) axis.sizes = around.factors(index(axis.dim));
      guard.need(rows::LineSeams::bytes_to_build(line));
      lines_[index(t)].emplace_back(line, guard);
      opened_[index(t)] = std::min(opened_[index(t)], changes_inside_moves(order, w, t, fill));
    }
  }
}

std::int64_t MovesOfFill::changes(Tensor t, Dim j, const TileAround& from,
                                  const TileAround& to) const {
  if (contains(aligned_, t)) return aligned_changes(t, j, from, to);
  std::int64_t least = kUnknownRows;
  for (const rows::LineSeams& line : lines_[index(t)]) {
    least = std::min(least, changes_at_seams(line, t, j, from, to));
  }
  return least;
}

std::int64_t MovesOfFill::opened(Tensor t, const TileAround& tile) const {
  return contains(aligned_, t) ? 0 : tile.irrelevant_loops[index(t)] * opened_[index(t)];
}

}  // namespace pimbb::dram_pim::mapper
