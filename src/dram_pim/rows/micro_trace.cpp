// Differences over the offsets, collected run by run and summed up; or, of tiles with many runs, a
// table over the offsets that every axis turns into the sum of its copies.
#include "dram_pim/rows/micro_trace.hpp"

#include <algorithm>
#include <cassert>
#include <numeric>
#include <utility>
#include <vector>

namespace pimbb::dram_pim::rows {
namespace {

/// With more runs than this for each offset a table is faster: it takes as long for any number of
/// runs, as long as one run for each offset if rows are short, and less than two if they are long.
constexpr std::int64_t kRunsPerOffset = 2;

/// Accumulates functions of the offset o in [0, row) that are constant but for a few steps.
class OffsetSum {
 public:
  /// `runs` calls are to come, or so: they decide whether steps are kept by offset or as a list.
  OffsetSum(std::int64_t row, std::int64_t runs)
      : row_(row), step_(row / 16 <= runs ? static_cast<std::size_t>(row) + 1 : 0) {}

  /// Adds sign * floor((o + x) / row).
  void add_floor(std::int64_t x, std::int64_t sign) {
    assert(x >= 0);
    base_ += sign * (x / row_);
    const std::int64_t rest = x % row_;
    if (rest != 0) add_step(row_ - rest, sign);
  }

  /// Adds [the rows of o + x and o + x + distance differ].
  void add_change(std::int64_t x, std::int64_t distance) {
    assert(x >= 0 && distance > 0);  // addresses ascend
    if (distance >= row_) {
      ++base_;
      return;
    }
    // They differ iff (o + x) mod row lies in [row - distance, row): a cyclic interval of o.
    const std::int64_t begin = (2 * row_ - distance - x % row_) % row_;
    const std::int64_t end = begin + distance;
    add_step(begin, 1);
    if (end <= row_) {
      add_step(end, -1);
    } else {
      ++base_;
      add_step(end - row_, -1);
      // The interval wraps: it is everything but [end - row, begin).
    }
  }

  [[nodiscard]] StepFunction total() && {
    list_steps();
    StepFunction result{{{0, base_}}};
    for (const auto& [offset, step] : steps_) {
      if (offset == row_) break;
      const std::int64_t value = result.pieces.back().value + step;
      assert(value >= 1);  // a tile touches a row, wherever it starts
      if (result.pieces.back().from == offset) {
        result.pieces.back().value = value;
      } else {
        result.pieces.push_back({offset, value});
      }
    }
    return result;
  }

 private:
  void add_step(std::int64_t offset, std::int64_t step) {
    if (step_.empty()) {
      steps_.emplace_back(offset, step);
    } else {
      step_[static_cast<std::size_t>(offset)] += step;
    }
  }

  /// All steps as a list in ascending order.
  void list_steps() {
    if (step_.empty()) std::sort(steps_.begin(), steps_.end());
    for (std::size_t o = 0; o < step_.size(); ++o) {
      if (step_[o] != 0) steps_.emplace_back(static_cast<std::int64_t>(o), step_[o]);
    }
  }

  std::int64_t row_;
  std::int64_t base_ = 1;  // the first access opens a row
  std::vector<std::int64_t> step_;
  std::vector<std::pair<std::int64_t, std::int64_t>> steps_;
};

/// Changes of row inside a part of the tile, for each offset in [0, row) of its first element.
class OffsetTable {
 public:
  /// A run from its first element to its last.
  OffsetTable(std::int64_t row, std::int64_t run_span)
      : row_(row), span_(run_span), changes_(static_cast<std::size_t>(row)) {
    const std::int64_t rest = run_span % row;
    for (std::int64_t o = 0; o < row; ++o) {
      changes_[static_cast<std::size_t>(o)] = run_span / row + (o + rest >= row ? 1 : 0);
    }
  }

  /// As many copies of the part as the axis has, one behind the other.
  void repeat(const AddressAxis& axis) {
    const std::vector<std::int64_t> step = with_next(axis.stride);
    const std::int64_t steps = axis.count - 1;
    const std::int64_t advance = axis.stride % row_;
    const std::int64_t orbits = std::gcd(advance, row_);
    const std::int64_t period = row_ / orbits;
    const std::int64_t window = steps % period;  // steps that are not whole rounds of an orbit
    const auto forward = [&](std::int64_t place) {
      place += advance;
      return place >= row_ ? place - row_ : place;
    };
    std::vector<std::int64_t> sums(changes_.size());
    for (std::int64_t first = 0; first < orbits; ++first) {
      std::int64_t sum = 0;
      if (steps >= period) {
        for (std::int64_t place = first; place < row_; place += orbits) sum += step[index(place)];
        sum *= steps / period;
      }
      std::int64_t last = first;  // where the last copy begins
      for (std::int64_t i = 0; i < window; ++i, last = forward(last)) sum += step[index(last)];
      std::int64_t place = first;
      for (std::int64_t i = 0; i < period; ++i) {
        sums[index(place)] = sum + changes_[index(last)];
        sum += step[index(last)] - step[index(place)];
        place = forward(place);
        last = forward(last);
      }
    }
    changes_ = std::move(sums);
    span_ += steps * axis.stride;
  }

  [[nodiscard]] StepFunction rows() const {
    StepFunction result;
    for (std::int64_t o = 0; o < row_; ++o) {
      const std::int64_t value = 1 + changes_[index(o)];  // the first access opens a row
      if (o == 0 || value != result.pieces.back().value) result.pieces.push_back({o, value});
    }
    return result;
  }

 private:
  static std::size_t index(std::int64_t place) { return static_cast<std::size_t>(place); }

  /// The changes of a copy, and the one from its end to the next copy's begin if there is one.
  [[nodiscard]] std::vector<std::int64_t> with_next(std::int64_t stride) const {
    const std::int64_t distance = stride - span_;
    assert(distance > 0);  // addresses ascend
    std::vector<std::int64_t> step = changes_;
    std::int64_t end = span_ % row_;
    for (std::int64_t& changes : step) {
      changes += end >= row_ - distance ? 1 : 0;
      if (++end == row_) end = 0;
    }
    return step;
  }

  std::int64_t row_;
  std::int64_t span_;  // from the first element to the last
  std::vector<std::int64_t> changes_;
};

/// Merges axes that continue each other, so that the innermost one is a run as long as can be.
std::vector<AddressAxis> merged(const AddressBox& box) {
  std::vector<AddressAxis> axes;
  for (const AddressAxis& axis : box) {
    if (axis.count == 1) continue;
    if (!axes.empty() && axes.back().stride == axis.count * axis.stride) {
      axes.back() = {axes.back().count * axis.count, axis.stride};
    } else {
      axes.push_back(axis);
    }
  }
  return axes;
}

/// Calls visit(first address) for every run, in ascending order.
template <class Visit>
void for_each_run(const std::vector<AddressAxis>& outer, std::size_t depth, std::int64_t start,
                  const Visit& visit) {
  if (depth == outer.size()) {
    visit(start);
    return;
  }
  for (std::int64_t i = 0; i < outer[depth].count; ++i) {
    for_each_run(outer, depth + 1, start + i * outer[depth].stride, visit);
  }
}

}  // namespace

StepFunction rows_by_offset(const AddressBox& box, std::int64_t row) {
  std::vector<AddressAxis> axes = merged(box);
  // Inside a run the row index grows by at most one from element to element, so the number of
  // changes is the difference of the end rows. Elements further apart than a row are runs of one.
  std::int64_t run_span = 0;
  if (!axes.empty() && axes.back().stride <= row) {
    run_span = (axes.back().count - 1) * axes.back().stride;
    axes.pop_back();
  }
  std::int64_t runs = 1;
  for (const AddressAxis& axis : axes) runs *= axis.count;
  if (runs > kRunsPerOffset * row) {
    OffsetTable table(row, run_span);
    for (std::size_t k = axes.size(); k-- > 0;) table.repeat(axes[k]);
    return table.rows();
  }
  OffsetSum rows(row, runs);
  std::int64_t previous_end = -1;
  for_each_run(axes, 0, 0, [&](std::int64_t start) {
    if (previous_end >= 0) rows.add_change(previous_end, start - previous_end);
    rows.add_floor(start + run_span, 1);
    rows.add_floor(start, -1);
    previous_end = start + run_span;
  });
  return std::move(rows).total();
}

std::int64_t least_rows(const AddressBox& box, std::int64_t row) {
  std::int64_t rows = 1;
  std::int64_t reach = 0;  // from the first to the last element of the axes so far, innermost first
  bool gapless = true;     // no row between them is left out
  for (std::size_t k = box.size(); k-- > 0;) {
    const auto [count, stride] = box[k];
    if (count == 1) continue;
    gapless = gapless && stride - reach <= row;
    const std::int64_t apart = (reach + row + stride - 1) / stride;  // copies that share no row
    rows *= (count + apart - 1) / apart;
    reach += (count - 1) * stride;
    if (gapless) rows = reach / row + 1;
  }
  return rows;
}

}  // namespace pimbb::dram_pim::rows
