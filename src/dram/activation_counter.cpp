// From the outermost loop inwards: the seams of each loop, then the rows of all moves.
#include "dram/activation_counter.hpp"

#include <algorithm>
#include <numeric>

#include "dram/micro_trace.hpp"

namespace pimbb::dram {
namespace {

StepFunction where_one(StepFunction rows) {
  for (StepFunction::Piece& piece : rows.pieces) piece.value = piece.value == 1 ? 1 : 0;
  return rows;
}

/// `length` neighbouring positions of a plane's edge.
Box edge(std::int64_t length) {
  constexpr Axis one{1, 0};
  return {one, one, one, Axis{length, 1}};
}

}  // namespace

ActivationCounter::ActivationCounter(const Architecture& a, const Workload& w, Tensor t,
                                     Layout layout, const Factors& tile, const Factors& rb_tile,
                                     const Block& block) {
  const auto at = [&](Dim d) { return tile[index(d)]; };
  if (layout == Layout::sequential) {
    add_line(a.row_bytes(), tile_box(a, w, t, tile), loop_strides(a, w, t), tile, w.bounds);
    return;
  }
  for (const Dim j : kAllDims) {
    if (relevant(t, j)) group_[index(j)] = rb_tile[index(j)];
  }
  if (t != Tensor::input) return;
  for (const Dim j : {Dim::R, Dim::S, Dim::P, Dim::Q}) group_[index(j)] = 0;
  Factors high{};
  high[index(Dim::Q)] = w.stride_h;
  high[index(Dim::S)] = w.dilation_h;
  add_line(block.h, edge(w.extent_h(at(Dim::Q), at(Dim::S))), high, tile, w.bounds);
  Factors wide{};
  wide[index(Dim::P)] = w.stride_w;
  wide[index(Dim::R)] = w.dilation_w;
  add_line(block.w, edge(w.extent_w(at(Dim::P), at(Dim::R))), wide, tile, w.bounds);
}

void ActivationCounter::add_line(std::int64_t row, const Box& box, const Factors& step,
                                 const Factors& tile, const Factors& bounds) {
  std::int64_t unit = row;
  std::int64_t end = span(box);
  for (std::size_t j = 0; j < kDims; ++j) {
    end += (bounds[j] - tile[j]) * step[j];
    // Loops advance by multiples of the moved tile.
    if (tile[j] < bounds[j]) unit = std::gcd(unit, step[j] * tile[j]);
  }
  if (end < row) return;  // all of it is one row, which no loop leaves
  StepFunction rows = rows_by_offset(box, row);
  StepFunction one_row = where_one(rows);
  lines_.push_back(
      {row, span(box), step, std::move(rows), std::move(one_row), OffsetCounts(row, unit), 0});
}

bool ActivationCounter::changes_group(const MoveLoop& loop) const {
  const std::int64_t tile = group_[index(loop.dim)];
  return tile > 0 && loop.advance >= tile;
}

bool ActivationCounter::acts_on_a_line(const MoveLoop& loop) const {
  return std::any_of(lines_.begin(), lines_.end(),
                     [&](const Line& line) { return line.advance(loop) > 0; });
}

std::int64_t ActivationCounter::Line::advance(const MoveLoop& loop) const {
  return step[index(loop.dim)] * loop.advance;
}

void ActivationCounter::Line::restart(const std::vector<MoveLoop>& loops) {
  starts.restart();
  wrap = 0;
  for (const MoveLoop& loop : loops) wrap += (loop.trips - 1) * advance(loop);
}

std::int64_t ActivationCounter::Line::seams_kept(const MoveLoop& loop) {
  const std::int64_t s = advance(loop);
  wrap -= (loop.trips - 1) * s;
  const std::int64_t distance = wrap - s + span;
  const auto kept = [&] {
    if (distance <= -row || distance >= row) return std::int64_t{0};
    return starts.within(std::max<std::int64_t>(0, -distance), std::min(row, row - distance));
  };
  if (s == 0) return kept();
  const std::int64_t first_iteration = kept();
  starts.repeat(loop.trips, s);
  return kept() - first_iteration;
}

Int128 ActivationCounter::activations(const std::vector<MoveLoop>& loops, Int128 repeats) {
  for (Line& line : lines_) line.restart(loops);
  auto groups_to_come = std::count_if(loops.begin(), loops.end(),
                                      [&](const MoveLoop& loop) { return changes_group(loop); });
  Int128 others = 1;  // trips of the loops so far that act on no line
  Int128 kept = 0;    // moves that find their first row open
  for (const MoveLoop& loop : loops) {
    Int128 seams = groups_to_come > 0 ? 0 : others;
    if (changes_group(loop)) --groups_to_come;
    if (!acts_on_a_line(loop)) {
      seams *= loop.trips - 1;
      others *= loop.trips;
    }
    for (Line& line : lines_) seams *= line.seams_kept(loop);
    kept += seams;
  }
  Int128 rows = others;
  Int128 in_one_row = others;
  for (const Line& line : lines_) {
    rows *= line.starts.weigh(line.rows);
    if (repeats > 1) in_one_row *= line.starts.weigh(line.one_row);
  }
  // Moved again, a tile finds its last row open: it opens all of its rows unless it has just one.
  return repeats * rows - (repeats - 1) * in_one_row - kept;
}

Int128 count_activations(const Architecture& architecture, const Workload& workload,
                         const Mapping& mapping, Tensor t) {
  const Stream stream = stream_of(architecture, mapping, t);
  ActivationCounter counter(architecture, workload, t, mapping.layout[index(t)], stream.tile,
                            mapping.tile(architecture.row_buffer()), mapping.input_block);
  return counter.activations(stream.loops, stream.repeats);
}

}  // namespace pimbb::dram
