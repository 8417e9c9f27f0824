// From the outermost loop inwards: the seams of each loop, then the rows of all moves.
#include "dram_pim/rows/activation_counter.hpp"

#include <algorithm>
#include <cassert>

namespace pimbb::dram_pim::rows {
namespace {

StepFunction where_one(StepFunction rows) {
  for (StepFunction::Piece& piece : rows.pieces) piece.value = piece.value == 1 ? 1 : 0;
  return rows;
}

}  // namespace

ActivationCounter::ActivationCounter(const Architecture& a, const Workload& w, Tensor t,
                                     Layout layout, const Factors& tile, const Factors& rb_tile,
                                     const Block& block)
    : geometry_(a, w, t, layout, tile, rb_tile, block) {
  for (const RowLine& line : geometry_.lines) {
    lines_.push_back(
        {line, where_one(line.rows), OffsetCounts(line.row, line.unit, line.first), 0});
  }
}

bool ActivationCounter::acts_on_a_line(const MoveLoop& loop) const {
  return std::any_of(lines_.begin(), lines_.end(),
                     [&](const Line& line) { return line.advance(loop) > 0; });
}

std::int64_t ActivationCounter::Line::advance(const MoveLoop& loop) const {
  return is.step[index(loop.dim)] * loop.advance;
}

void ActivationCounter::Line::restart(const std::vector<MoveLoop>& loops) {
  starts.restart();
  wrap = 0;
  for (const MoveLoop& loop : loops) wrap += (loop.trips - 1) * advance(loop);
}

std::int64_t ActivationCounter::Line::seams_kept(const MoveLoop& loop) {
  const std::int64_t s = advance(loop);
  wrap -= (loop.trips - 1) * s;
  const std::int64_t distance = wrap - s + is.span;
  const auto kept = [&] {
    if (distance <= -is.row || distance >= is.row) return std::int64_t{0};
    return starts.within(std::max<std::int64_t>(0, -distance), std::min(is.row, is.row - distance));
  };
  if (s == 0) return kept();
  const std::int64_t first_iteration = kept();
  starts.repeat(loop.trips, s);
  return kept() - first_iteration;
}

Int128 ActivationCounter::activations(const std::vector<MoveLoop>& loops, Int128 repeats) {
  for (Line& line : lines_) line.restart(loops);
  auto groups_to_come = std::count_if(loops.begin(), loops.end(), [&](const MoveLoop& loop) {
    return geometry_.changes_group(loop.dim, loop.advance);
  });
  assert(repeats >= 1);
  Int128 others = 1;  // trips of the loops so far that act on no line
  Int128 kept = 0;    // moves that find their first row open
  for (const MoveLoop& loop : loops) {
    Int128 seams = groups_to_come > 0 ? 0 : others;
    if (geometry_.changes_group(loop.dim, loop.advance)) --groups_to_come;
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
    rows *= line.starts.weigh(line.is.rows);
    if (repeats > 1) in_one_row *= line.starts.weigh(line.one_row);
  }
  assert(kept >= 0 && kept < rows);  // the first move finds no row open
  assert(repeats == 1 || in_one_row <= rows);
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

}  // namespace pimbb::dram_pim::rows
