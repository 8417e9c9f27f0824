// Difference arrays over the offsets for rows_by_offset; orbit-wise sliding windows for counts.
#include "dram/micro_trace.hpp"

#include <numeric>

namespace pimbb::dram {
namespace {

/// Accumulates functions of the offset o in [0, row) that are constant but for a few steps.
class OffsetSum {
 public:
  explicit OffsetSum(std::int64_t row) : row_(row), step_(static_cast<std::size_t>(row) + 1) {}

  /// Adds sign * floor((o + x) / row).
  void add_floor(std::int64_t x, std::int64_t sign) {
    base_ += sign * (x / row_);
    const std::int64_t rest = x % row_;
    if (rest != 0) step_[static_cast<std::size_t>(row_ - rest)] += sign;
  }

  /// Adds [the rows of o + x and o + x + distance differ].
  void add_change(std::int64_t x, std::int64_t distance) {
    if (distance >= row_) {
      ++base_;
      return;
    }
    // They differ iff (o + x) mod row lies in [row - distance, row): a cyclic interval of o.
    const std::int64_t begin = (2 * row_ - distance - x % row_) % row_;
    const std::int64_t end = begin + distance;
    ++step_[static_cast<std::size_t>(begin)];
    if (end <= row_) {
      --step_[static_cast<std::size_t>(end)];
    } else {
      ++base_;
      --step_[static_cast<std::size_t>(end - row_)];
      // The interval wraps: it is everything but [end - row, begin).
    }
  }

  [[nodiscard]] std::vector<std::int64_t> values() const {
    std::vector<std::int64_t> result(static_cast<std::size_t>(row_));
    std::int64_t value = base_;
    for (std::size_t o = 0; o < result.size(); ++o) {
      value += step_[o];
      result[o] = value;
    }
    return result;
  }

 private:
  std::int64_t row_;
  std::int64_t base_ = 1;  // the first access opens a row
  std::vector<std::int64_t> step_;
};

/// Merges axes that continue each other, so that the innermost one is a run as long as can be.
std::vector<Axis> merged(const Box& box) {
  std::vector<Axis> axes;
  for (const Axis& axis : box) {
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
void for_each_run(const std::vector<Axis>& outer, std::size_t depth, std::int64_t start,
                  const Visit& visit) {
  if (depth == outer.size()) {
    visit(start);
    return;
  }
  for (std::int64_t i = 0; i < outer[depth].count; ++i) {
    for_each_run(outer, depth + 1, start + i * outer[depth].stride, visit);
  }
}

Box plane_box(std::int64_t width, std::int64_t tile_h, std::int64_t tile_w) {
  return {Axis{1, 0}, Axis{1, 0}, Axis{tile_h, width}, Axis{tile_w, 1}};
}

}  // namespace

std::vector<std::int64_t> rows_by_offset(const Box& box, std::int64_t row) {
  std::vector<Axis> axes = merged(box);
  // Inside a run the row index grows by at most one from element to element, so the number of
  // changes is the difference of the end rows. Elements further apart than a row are runs of one.
  std::int64_t run_span = 0;
  if (!axes.empty() && axes.back().stride <= row) {
    run_span = (axes.back().count - 1) * axes.back().stride;
    axes.pop_back();
  }
  OffsetSum rows(row);
  std::int64_t previous_end = -1;
  for_each_run(axes, 0, 0, [&](std::int64_t start) {
    if (previous_end >= 0) rows.add_change(previous_end, start - previous_end);
    rows.add_floor(start + run_span, 1);
    rows.add_floor(start, -1);
    previous_end = start + run_span;
  });
  return rows.values();
}

std::int64_t least_rows(const Box& box, std::int64_t row) {
  std::int64_t rows = 1;
  std::int64_t inner_span = 0;
  std::int64_t outer_count = 1;
  for (const Axis& axis : box) outer_count *= axis.count;
  for (std::size_t k = box.size(); k-- > 0;) {
    outer_count /= box[k].count;
    if (box[k].stride - inner_span >= row) rows += outer_count * (box[k].count - 1);
    inner_span += (box[k].count - 1) * box[k].stride;
  }
  return rows;
}

std::int64_t span(const Box& box) {
  std::int64_t bytes = 0;
  for (const Axis& axis : box) bytes += (axis.count - 1) * axis.stride;
  return bytes;
}

OffsetCounts::OffsetCounts(std::int64_t row) : row_(row), count_(static_cast<std::size_t>(row)) {
  count_[0] = 1;
}

void OffsetCounts::repeat(std::int64_t trips, std::int64_t step) {
  if (trips == 1) return;
  const std::int64_t advance = step % row_;
  const std::int64_t orbits = std::gcd(advance, row_);
  const std::int64_t period = row_ / orbits;
  const std::int64_t rounds = trips / period;
  const std::int64_t window = trips % period;
  std::vector<std::int64_t> next(count_.size());
  std::vector<std::int64_t> orbit(static_cast<std::size_t>(period));
  for (std::int64_t first = 0; first < orbits; ++first) {
    std::int64_t total = 0;
    std::int64_t position = first;
    for (auto& value : orbit) {
      value = count_[static_cast<std::size_t>(position)];
      total += value;
      position = (position + advance) % row_;
    }
    // next at orbit place k = rounds * total + the last `window` values up to and including k.
    std::int64_t sum = 0;
    for (std::int64_t k = 0; k < window; ++k) {
      sum += orbit[static_cast<std::size_t>((period - k) % period)];
    }
    position = first;
    for (std::int64_t k = 0; k < period; ++k) {
      next[static_cast<std::size_t>(position)] = rounds * total + sum;
      position = (position + advance) % row_;
      if (window > 0) {
        sum += orbit[static_cast<std::size_t>((k + 1) % period)];
        sum -= orbit[static_cast<std::size_t>((k + 1 - window + period) % period)];
      }
    }
  }
  count_ = std::move(next);
}

Int128 OffsetCounts::weigh(const std::vector<std::int64_t>& cost) const {
  Int128 sum = 0;
  for (std::size_t o = 0; o < count_.size(); ++o) sum += static_cast<Int128>(count_[o]) * cost[o];
  return sum;
}

std::array<std::int64_t, 4> input_strides(const Architecture& architecture,
                                          const Workload& workload) {
  const std::int64_t element = architecture.element_bytes(Tensor::input);
  const std::int64_t channels = workload.bound(Dim::C);
  const std::int64_t width = workload.input_width();
  const std::int64_t plane = workload.input_height() * width;
  if (architecture.input_order == InputOrder::nhwc) {
    return {plane * channels * element, element, width * channels * element, channels * element};
  }
  return {plane * channels * element, plane * element, width * element, element};
}

Box input_box(const Architecture& architecture, const Workload& workload, const Factors& tile) {
  const auto at = [&](Dim d) { return tile[index(d)]; };
  const auto [n, c, h, w] = input_strides(architecture, workload);
  const Axis batch{at(Dim::N), n};
  const Axis channel{at(Dim::C), c};
  const Axis high{workload.extent_h(at(Dim::Q), at(Dim::S)), h};
  const Axis wide{workload.extent_w(at(Dim::P), at(Dim::R)), w};
  if (architecture.input_order == InputOrder::nhwc) return {batch, high, wide, channel};
  return {batch, channel, high, wide};
}

Rational mean_rows_estimate(std::int64_t width, std::int64_t tile_h, std::int64_t tile_w,
                            std::int64_t stride, std::int64_t row) {
  const std::vector<std::int64_t> rows = rows_by_offset(plane_box(width, tile_h, tile_w), row);
  const std::int64_t g = std::gcd(stride * width, row);
  std::int64_t sum = 0;
  for (std::int64_t o = 0; o < row; o += g) sum += rows[static_cast<std::size_t>(o)];
  return {sum, row / g};
}

Rational mean_rows_walked(std::int64_t height, std::int64_t width, std::int64_t tile_h,
                          std::int64_t tile_w, std::int64_t stride, std::int64_t row) {
  const std::vector<std::int64_t> rows = rows_by_offset(plane_box(width, tile_h, tile_w), row);
  const std::int64_t positions = (height - tile_h) / stride + 1;
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < positions; ++i) {
    sum += rows[static_cast<std::size_t>(i * stride * width % row)];
  }
  return {sum, positions};
}

}  // namespace pimbb::dram
