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

Int128 ActivationCounter::kept_rows(const std::vector<MoveLoop>& loops, std::size_t from) {
  for (Line& line : lines_) line.restart(loops);
  auto groups_to_come = std::count_if(loops.begin(), loops.end(), [&](const MoveLoop& loop) {
    return geometry_.changes_group(loop.dim, loop.advance);
  });
  others_ = 1;
  Int128 kept = 0;
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const MoveLoop& loop = loops[k];
    Int128 seams = groups_to_come > 0 ? 0 : others_;
    if (geometry_.changes_group(loop.dim, loop.advance)) --groups_to_come;
    if (!acts_on_a_line(loop)) {
      seams *= loop.trips - 1;
      others_ *= loop.trips;
    }
    for (Line& line : lines_) seams *= line.seams_kept(loop);
    if (k >= from) kept += seams;
  }
  return kept;
}

Int128 ActivationCounter::all_rows() const {
  Int128 rows = others_;
  for (const Line& line : lines_) rows *= line.starts.weigh(line.is.rows);
  return rows;
}

Int128 ActivationCounter::activations(const std::vector<MoveLoop>& loops, Int128 repeats) {
  assert(repeats >= 1);
  const Int128 kept = kept_rows(loops, 0);
  const Int128 rows = all_rows();
  Int128 in_one_row = others_;
  for (const Line& line : lines_) {
    if (repeats > 1) in_one_row *= line.starts.weigh(line.one_row);
  }
  assert(kept >= 0 && kept < rows);  // the first move finds no row open
  assert(repeats == 1 || in_one_row <= rows);
  // Moved again, a tile finds its last row open: it opens all of its rows unless it has just one.
  return repeats * rows - (repeats - 1) * in_one_row - kept;
}

Int128 ActivationCounter::activations(const std::vector<MoveLoop>& loops, const Kept& kept) {
  Int128 open = kept_rows(loops, kept.from);
  const Int128 rows = all_rows();
  if (kept.lost) {
    std::vector<MoveLoop> first(loops.begin(),
                                loops.begin() + static_cast<std::ptrdiff_t>(*kept.lost));
    first.push_back(loops.back());
    first.back().trips = 2;
    open -= kept_rows(first, *kept.lost);
  }
  assert(open >= 0 && open < rows);
  return rows - open;
}

Int128 count_activations(const Architecture& architecture, const Workload& workload,
                         const Mapping& mapping, Tensor t) {
  const Stream stream = stream_of(architecture, mapping, t);
  ActivationCounter counter(architecture, workload, t, mapping.layout[index(t)], stream.tile,
                            mapping.tile(architecture.row_buffer()), mapping.input_block);
  if (has_own_bank(t, architecture.banks())) {
    return counter.activations(stream.loops, stream.repeats);
  }
  PerTensor<std::size_t> moving{};
  for (const Tensor u : kAllTensors) {
    moving[index(u)] = stream_of(architecture, mapping, u).moving_loops();
  }
  std::vector<MoveLoop> loops = stream.loops;
  loops.insert(loops.end(), stream.idle.begin(), stream.idle.end());
  return counter.activations(loops, kept_seams(t, moving, architecture.banks()));
}

}  // namespace pimbb::dram_pim::rows
