// The stream of each tensor as an odometer over its moves; the moving tile as runs.
#include "dram_pim/rows/accesses.hpp"

#include <cassert>

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
                        ElementRuns(element_map(a, w, m, t))});
  }
}

bool AccessStream::next(AccessRun& run) {
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
  assert(moving_->moves.iteration() >= iteration_);  // the stream never goes back
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
