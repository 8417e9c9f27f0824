// Distributions of positions modulo the row, from the bounds inwards.
#include "dram_pim/rows/line_seams.hpp"

#include <algorithm>
#include <numeric>

namespace pimbb::dram_pim::rows {
namespace {

std::int64_t unit_of(const SeamLine& line) {
  std::int64_t unit = std::gcd(line.row, line.first % line.row);
  for (const SeamLine::Axis& axis : line.axes) {
    if (axis.sizes.size() > 1) unit = std::gcd(unit, axis.step);
  }
  return unit;
}

std::size_t boxes_of(const SeamLine& line) {
  std::size_t boxes = 1;
  for (const SeamLine::Axis& axis : line.axes) boxes *= axis.sizes.size();
  return boxes;
}

/// For every box the number of its positions below each place of a row.
class Starts {
 public:
  Starts(const SeamLine& line, std::size_t boxes)
      : row_(line.row),
        unit_(unit_of(line)),
        places_(static_cast<std::size_t>(line.row / unit_)),
        below_(boxes * (places_ + 1)),
        counts_(places_),
        outer_(places_) {}

  /// The only position of the whole.
  void put_first(std::size_t box, std::int64_t first) {
    std::ranges::fill(counts_, 0);
    counts_[static_cast<std::size_t>(first % row_ / unit_)] = 1;
    store(box);
  }
  /// The positions of `outer`, each repeated `trips` times, a step apart.
  void put_repeated(std::size_t box, std::size_t outer, std::int64_t trips, std::int64_t step) {
    std::ranges::fill(counts_, 0);
    const std::int64_t* const below = &below_[outer * (places_ + 1)];
    for (std::size_t p = 0; p < places_; ++p) outer_[p] = below[p + 1] - below[p];
    const auto advance = static_cast<std::size_t>(step % row_ / unit_);
    // After `period` iterations places repeat: no more distinct shifts than places.
    const std::size_t period = advance == 0 ? 1 : places_ / std::gcd(advance, places_);
    const auto shifts = static_cast<std::int64_t>(period);
    const auto distinct = static_cast<std::size_t>(std::min(trips, shifts));
    std::size_t shift = 0;
    for (std::size_t i = 0; i < distinct; ++i) {
      const auto at = static_cast<std::int64_t>(i);
      const std::int64_t times = trips / shifts + (at < trips % shifts ? 1 : 0);
      const std::size_t wraps = places_ - shift;
      for (std::size_t p = 0; p < wraps; ++p) counts_[p + shift] += times * outer_[p];
      for (std::size_t p = wraps; p < places_; ++p) counts_[p - wraps] += times * outer_[p];
      shift = (shift + advance) % places_;
    }
    store(box);
  }
  [[nodiscard]] std::int64_t all(std::size_t box) const {
    return below_[box * (places_ + 1) + places_];
  }
  /// Positions from which a place `distance` further on is in the same row.
  [[nodiscard]] std::int64_t in_row(std::size_t box, std::int64_t distance) const {
    if (distance <= -row_ || distance >= row_) return 0;
    const std::int64_t* const below = &below_[box * (places_ + 1)];
    const auto place = [&](std::int64_t offset) {
      return static_cast<std::size_t>((offset + unit_ - 1) / unit_);
    };
    return below[place(std::min(row_, row_ - distance))] -
           below[place(std::max<std::int64_t>(0, -distance))];
  }

 private:
  /// The counts become those of a box.
  void store(std::size_t box) {
    std::int64_t* below = &below_[box * (places_ + 1)];
    for (const std::int64_t count : counts_) {
      below[1] = below[0] + count;
      ++below;
    }
  }

  std::int64_t row_;
  std::int64_t unit_;
  std::size_t places_;
  std::vector<std::int64_t> below_;
  std::vector<std::int64_t> counts_, outer_;  // by place, of one box and of that around it
};

}  // namespace

std::uint64_t LineSeams::bytes_to_build(const SeamLine& line) {
  const auto places = static_cast<std::uint64_t>(line.row / unit_of(line) + 1);
  return boxes_of(line) * (places + 2 + line.axes.size()) * sizeof(std::int64_t);
}

LineSeams::LineSeams(const SeamLine& line, const run::Guard& guard) : axes_(line.axes.size()) {
  std::size_t boxes = 1;
  for (std::size_t a = axes_; a-- > 0;) {
    const std::size_t k = index(line.axes[a].dim);
    axis_[k] = a;
    stride_[k] = boxes;
    last_[k] = line.axes[a].sizes.size() - 1;
    boxes *= line.axes[a].sizes.size();
  }
  positions_.resize(boxes);
  stays_.resize(boxes);
  full_.resize(boxes * axes_);
  Starts starts(line, boxes);
  std::vector<std::size_t> grown(axes_);
  std::vector<std::int64_t> advance(axes_);
  run::GuardedSteps step_done(guard, 256);
  for (std::size_t box = boxes; box-- > 0;) {  // those that are larger in one dimension come first
    step_done();
    std::ranges::fill(grown, box);
    std::int64_t span = 0;
    std::size_t outer = box;
    std::int64_t trips = 1;
    std::int64_t step = 0;
    for (std::size_t a = 0; a < axes_; ++a) {
      const SeamLine::Axis& axis = line.axes[a];
      const std::size_t k = index(axis.dim);
      const std::size_t at = box / stride_[k] % axis.sizes.size();
      span += (axis.sizes[at] - 1) * axis.step;
      advance[a] = axis.sizes[at] * axis.step;
      if (at == last_[k]) continue;
      grown[a] = box + stride_[k] * (last_[k] - at);
      if (outer != box) continue;
      std::size_t next = at + 1;  // the least multiple: few iterations
      while (axis.sizes[next] % axis.sizes[at] != 0) ++next;
      outer = box + stride_[k] * (next - at);
      trips = axis.sizes[next] / axis.sizes[at];
      step = advance[a];
    }
    if (outer == box) {
      starts.put_first(box, line.first);
    } else {
      starts.put_repeated(box, outer, trips, step);
    }
    positions_[box] = starts.all(box);
    stays_[box] = starts.in_row(box, span);
    for (std::size_t a = 0; a < axes_; ++a) {
      if (grown[a] == box) continue;
      // Each position but those of the loop's first iteration follows a seam; back from it to the
      // end of the sweep before.
      const std::int64_t back = span - advance[a];
      const std::int64_t seams = positions_[box] - positions_[grown[a]];
      const std::int64_t kept = starts.in_row(box, back) - starts.in_row(grown[a], back);
      full_[box * axes_ + a] = seams - kept;
    }
  }
}

}  // namespace pimbb::dram_pim::rows
