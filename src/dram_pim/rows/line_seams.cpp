// Distributions of positions modulo the row, from the bounds inwards.
#include "dram_pim/rows/line_seams.hpp"

#include <algorithm>
#include <numeric>

namespace pimbb::dram_pim::rows {
namespace {

std::size_t boxes_of(const SeamLine& line) {
  std::size_t boxes = 1;
  for (const SeamLine::Axis& axis : line.axes) boxes *= axis.sizes.size();
  return boxes;
}

/// For every box the greatest divisor of the row by which all its positions differ: that of the
/// steps of the loops around it.
std::vector<std::int64_t> units_of(const SeamLine& line) {
  std::vector<std::int64_t> units{line.row};
  for (const SeamLine::Axis& axis : line.axes) {
    std::vector<std::int64_t> next;
    next.reserve(units.size() * axis.sizes.size());
    for (const std::int64_t unit : units) {
      for (const std::int64_t size : axis.sizes) {
        const bool whole = size == axis.sizes.back();
        next.push_back(whole ? unit : std::gcd(unit, size * axis.step));
      }
    }
    units = std::move(next);
  }
  return units;
}

/// For every box the number of its positions below each place of a row that one may have. These
/// places are a unit apart.
class Starts {
 public:
  explicit Starts(const SeamLine& line)
      : row_(line.row), first_(line.first % line.row), units_(units_of(line)) {
    begins_.reserve(units_.size());
    std::size_t all = 0;
    std::size_t most = 0;
    for (std::size_t box = 0; box < units_.size(); ++box) {
      begins_.push_back(all);
      all += places(box) + 1;
      most = std::max(most, places(box));
    }
    below_.resize(all);
    counts_.resize(most);
  }

  [[nodiscard]] static std::uint64_t bytes(const SeamLine& line) {
    std::uint64_t bytes = 0;
    for (const std::int64_t unit : units_of(line)) {
      bytes += (static_cast<std::uint64_t>(line.row / unit) + 3) * sizeof(std::int64_t);
    }
    return bytes;
  }

  /// The only position of the whole.
  void put_first(std::size_t box) {
    counts_[0] = 1;
    store(box);
  }
  /// The positions of `outer`, each repeated `trips` times, a step apart.
  void put_repeated(std::size_t box, std::size_t outer, std::int64_t trips, std::int64_t step) {
    const std::size_t all = places(box);
    std::fill_n(counts_.begin(), all, 0);
    const auto ratio = static_cast<std::size_t>(units_[outer] / units_[box]);
    const auto offset = static_cast<std::size_t>((residue(outer) - residue(box)) / units_[box]);
    const auto advance = static_cast<std::size_t>(step % row_ / units_[box]);
    // After `period` iterations places repeat: no more distinct shifts than places.
    const std::size_t period = advance == 0 ? 1 : all / std::gcd(advance, all);
    const auto shifts = static_cast<std::int64_t>(period);
    const auto distinct = static_cast<std::size_t>(std::min(trips, shifts));
    std::size_t shift = offset;
    for (std::size_t i = 0; i < distinct; ++i) {
      const auto at = static_cast<std::int64_t>(i);
      add(outer, trips / shifts + (at < trips % shifts ? 1 : 0), shift, ratio, all);
      shift = (shift + advance) % all;
    }
    store(box);
  }
  [[nodiscard]] std::int64_t all(std::size_t box) const {
    return below_[begins_[box] + places(box)];
  }
  /// Positions from which a place `distance` further on is in the same row.
  [[nodiscard]] std::int64_t in_row(std::size_t box, std::int64_t distance) const {
    if (distance <= -row_ || distance >= row_) return 0;
    const std::int64_t* const below = &below_[begins_[box]];
    const auto place = [&](std::int64_t offset) {
      const std::int64_t beyond = std::max<std::int64_t>(0, offset - residue(box));
      return static_cast<std::size_t>((beyond + units_[box] - 1) / units_[box]);
    };
    return below[place(std::min(row_, row_ - distance))] -
           below[place(std::max<std::int64_t>(0, -distance))];
  }

 private:
  [[nodiscard]] std::size_t places(std::size_t box) const {
    return static_cast<std::size_t>(row_ / units_[box]);
  }
  /// The first place of a row that a position of the box may have.
  [[nodiscard]] std::int64_t residue(std::size_t box) const { return first_ % units_[box]; }

  /// Adds the positions of `outer`, so many times, to the counts of a box with `all` places: its
  /// places are `ratio` of these apart, and shifted.
  void add(std::size_t outer, std::int64_t times, std::size_t shift, std::size_t ratio,
           std::size_t all) {
    const std::int64_t* const below = &below_[begins_[outer]];
    const std::size_t wraps = (all - shift + ratio - 1) / ratio;
    for (std::size_t p = 0; p < wraps; ++p) {
      counts_[shift + p * ratio] += times * (below[p + 1] - below[p]);
    }
    for (std::size_t p = wraps; p < places(outer); ++p) {
      counts_[shift + p * ratio - all] += times * (below[p + 1] - below[p]);
    }
  }

  /// The counts become those of a box.
  void store(std::size_t box) {
    std::int64_t* const below = &below_[begins_[box]];
    for (std::size_t p = 0; p < places(box); ++p) below[p + 1] = below[p] + counts_[p];
  }

  std::int64_t row_;
  std::int64_t first_;
  std::vector<std::int64_t> units_;  // by box
  std::vector<std::size_t> begins_;  // by box, in `below_`
  std::vector<std::int64_t> below_;
  std::vector<std::int64_t> counts_;  // by place, of one box
};

}  // namespace

std::uint64_t LineSeams::bytes_to_build(const SeamLine& line) {
  return boxes_of(line) * (2 + line.axes.size()) * sizeof(std::int64_t) + Starts::bytes(line);
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
  Starts starts(line);
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
      starts.put_first(box);
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
