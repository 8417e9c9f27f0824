// Addresses grow by strides inside a block, and are worked out anew where one begins.
#include "dram_pim/rows/element_runs.hpp"

#include <algorithm>

namespace pimbb::dram_pim::rows {

void ElementRuns::begin(const Indices& origin, const Indices& extent) {
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    const std::size_t i = axes_[k].index;
    assert(origin[i] >= 0 && extent[i] > 0);
    spans_[k].begin = origin[i];
    spans_[k].end = origin[i] + extent[i];
    enter_block(k, origin[i] / axes_[k].block);
  }
  more_ = true;
}

void ElementRuns::enter_block(std::size_t k, std::int64_t block) {
  const ElementAxis& axis = axes_[k];
  Span& span = spans_[k];
  span.block = block;
  span.low = std::max(span.begin, block * axis.block);
  span.high = std::min(span.end, (block + 1) * axis.block);
  span.at = span.low;
  span.offset = block * axis.block_stride + (span.at - block * axis.block) * axis.stride;
}

bool ElementRuns::next(ElementRun& run) {
  if (!more_) return false;
  run.address = first_;
  for (std::size_t k = 0; k < axes_.size(); ++k) {
    run.address += spans_[k].offset;
    run.first[axes_[k].index] = spans_[k].at;
  }
  run.count = spans_.back().high - spans_.back().low;
  run.step = axes_.back().stride;
  run.axis = axes_.back().index;
  more_ = advance();
  return true;
}

/// To the next run of this block, or else to the first one of the next block.
bool ElementRuns::advance() {
  for (std::size_t k = kAxes - 1; k-- > 0;) {
    Span& span = spans_[k];
    if (++span.at < span.high) {
      span.offset += axes_[k].stride;
      return true;
    }
    span.offset -= (span.at - 1 - span.low) * axes_[k].stride;
    span.at = span.low;
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

}  // namespace pimbb::dram_pim::rows
