// Three nested odometers: over moves, over the blocks that a tile touches, over rows of elements.
#include "dram_pim/rows/accesses.hpp"

#include <algorithm>

namespace pimbb::dram_pim::rows {
namespace {

std::int64_t all_iterations(const Mapping& m) {
  std::int64_t product = 1;
  for (const MappingLevel& level : m.levels) {
    for (const Loop& loop : level.loops) product *= loop.factor;
  }
  return product;
}

}  // namespace

void TileRuns::begin(const Indices& origin, const Indices& extent) {
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const std::size_t i = axes_[k].index;
    spans_[k].begin = origin[i];
    spans_[k].end = origin[i] + extent[i];
    enter_block(k, origin[i] / axes_[k].block);
  }
  more_ = true;
}

void TileRuns::enter_block(std::size_t k, std::int64_t block) {
  Span& span = spans_[k];
  span.block = block;
  span.low = std::max(span.begin, block * axes_[k].block);
  span.high = std::min(span.end, (block + 1) * axes_[k].block);
  span.at = span.low;
}

bool TileRuns::next(Run& run) {
  if (!more_) return false;
  run.address = first_;
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const ElementAxis& axis = axes_[k];
    const Span& span = spans_[k];
    run.address +=
        span.block * axis.block_stride + (span.at - span.block * axis.block) * axis.stride;
    run.first[axis.index] = span.at;
  }
  run.count = spans_.back().high - spans_.back().low;
  run.step = axes_.back().stride;
  run.axis = axes_.back().index;
  more_ = advance();
  return true;
}

/// To the next run of this block, or else to the first one of the next block.
bool TileRuns::advance() {
  for (std::size_t k = kAxes - 1; k-- > 0;) {
    if (++spans_[k].at < spans_[k].high) return true;
    spans_[k].at = spans_[k].low;
  }
  for (std::size_t k = kAxes; k-- > 0;) {
    if (spans_[k].high < spans_[k].end) {
      enter_block(k, spans_[k].block + 1);
      return true;
    }
    enter_block(k, spans_[k].begin / axes_[k].block);
  }
  return false;
}

TensorMoves::TensorMoves(const Architecture& a, const Mapping& m, Tensor t)
    : stream_(stream_of(a, m, t)), at_(stream_.loops.size()) {
  std::int64_t inside = all_iterations(m);
  for (const MoveLoop& loop : stream_.loops) weights_.push_back(inside /= loop.trips);
}

void TensorMoves::advance() {
  ++iteration_;
  if (++repeat_ < stream_.repeats) return;
  iteration_ -= repeat_;
  repeat_ = 0;
  for (std::size_t k = stream_.loops.size(); k-- > 0;) {
    const MoveLoop& loop = stream_.loops[k];
    if (++at_[k] < loop.trips) {
      start_[index(loop.dim)] += loop.advance;
      iteration_ += weights_[k];
      return;
    }
    start_[index(loop.dim)] -= (loop.trips - 1) * loop.advance;
    iteration_ -= (loop.trips - 1) * weights_[k];
    at_[k] = 0;
  }
  finished_ = true;
}

AccessStream::AccessStream(const Architecture& a, const Workload& w, const Mapping& m,
                           const TensorFlags& which)
    : workload_(w) {
  for (const Tensor t : kAllTensors) {
    if (!which[index(t)]) continue;
    sources_.push_back({t, extents(w, t, stream_of(a, m, t).tile), TensorMoves(a, m, t),
                        TileRuns(element_map(a, w, m, t))});
  }
}

bool AccessStream::next(Run& run) {
  while (moving_ == nullptr || !moving_->runs.next(run)) {
    if (!begin_tile()) return false;
  }
  run.tensor = moving_->tensor;
  run.iteration = iteration_;
  return true;
}

bool AccessStream::begin_tile() {
  moving_ = nullptr;
  for (Source& source : sources_) {  // the first of equals: input, weight, output
    if (source.moves.finished()) continue;
    if (moving_ == nullptr || source.moves.iteration() < moving_->moves.iteration()) {
      moving_ = &source;
    }
  }
  if (moving_ == nullptr) return false;
  iteration_ = moving_->moves.iteration();
  moving_->runs.begin(first_element(workload_, moving_->tensor, moving_->moves.start()),
                      moving_->extent);
  moving_->moves.advance();
  return true;
}

std::int64_t count_accesses(const Architecture& a, const Workload& w, const Mapping& m, Tensor t) {
  const Stream stream = stream_of(a, m, t);
  Int128 count = stream.repeats * w.tile_elements(t, stream.tile);
  for (const MoveLoop& loop : stream.loops) count *= loop.trips;
  return static_cast<std::int64_t>(count);
}

}  // namespace pimbb::dram_pim::rows
