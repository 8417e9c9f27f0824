// From the outermost loop inwards: its seams first, then the starts that it adds.
#include "row_counter.hpp"

#include <algorithm>
#include <numeric>

namespace pimbb_check {

/// Starts on a line, those of the loops so far; places are offsets over `unit`.
struct RowCounter::Starts {
  const Line& line;
  std::int64_t unit;
  std::int64_t wrap = 0;  // of the loops still to come
  std::vector<std::int64_t> at;

  Starts(const Line& on, const std::vector<MoveLoop>& loops) : line(on), unit(on.row) {
    for (const MoveLoop& loop : loops) {
      wrap += (loop.trips - 1) * step(loop);
      unit = std::gcd(unit, step(loop));
    }
    at.assign(static_cast<std::size_t>(line.row / unit), 0);
    at[0] = 1;
  }
  [[nodiscard]] std::int64_t step(const MoveLoop& loop) const {
    return line.step[loop.dim] * loop.advance;
  }

  /// Starts A with 0 <= A mod row + distance < row.
  [[nodiscard]] std::int64_t in_one_row(std::int64_t distance) const {
    const std::int64_t low = std::max<std::int64_t>(0, -distance);
    const std::int64_t high = std::min(line.row, line.row - distance);
    std::int64_t count = 0;
    for (std::int64_t k = (low + unit - 1) / unit; k * unit < high; ++k) {
      count += at[static_cast<std::size_t>(k)];
    }
    return count;
  }
  /// Seams of the next loop at which the row stays the same; takes the loop in.
  std::int64_t kept(const MoveLoop& loop) {
    const std::int64_t s = step(loop);
    wrap -= (loop.trips - 1) * s;
    const std::int64_t distance = wrap - s + line.span;
    if (s == 0) return in_one_row(distance);
    const std::int64_t first_iterations = in_one_row(distance);
    at = swept(at, loop.trips, s / unit % static_cast<std::int64_t>(at.size()));
    return in_one_row(distance) - first_iterations;
  }
  /// Rows of all moves, and moves with a single row.
  [[nodiscard]] std::pair<Count, Count> rows() const {
    Count all = 0;
    Count single = 0;
    for (std::size_t k = 0; k < at.size(); ++k) {
      const std::int64_t touched = line.rows[k * static_cast<std::size_t>(unit)];
      all += Count{at[k]} * touched;
      if (touched == 1) single += at[k];
    }
    return {all, single};
  }
};

RowCounter::RowCounter(const Problem& p, std::size_t t, const Factors& tile) : t_(t) {
  add_line(p.row_units, box(p, t, tile), strides(p, t));
}

RowCounter::RowCounter(const Problem& p, std::size_t t, const Factors& tile,
                       const Factors& row_tile, const Block& block)
    : t_(t) {
  for (std::size_t j = 0; j < kDims; ++j) {
    if (relevant(t, j) && (t != kInput || j == N || j == G || j == C)) group_[j] = row_tile[j];
  }
  if (t != kInput) return;  // a group is a row
  const auto edge = [](std::int64_t length) {
    return Box{{{1, 0}, {1, 0}, {1, 0}, {1, 0}, {length, 1}}};
  };
  Factors high{};
  high[Q] = p.stride_h;
  high[S] = p.dilation_h;
  add_line(block.h, edge(p.height(tile[Q], tile[S])), high);
  Factors wide{};
  wide[P] = p.stride_w;
  wide[R] = p.dilation_w;
  add_line(block.w, edge(p.width(tile[P], tile[R])), wide);
}

void RowCounter::add_line(std::int64_t row, const Box& box, const Factors& step) {
  lines_.push_back({row, span(box), step, rows_by_offset(box, row)});
}

Count RowCounter::rows(const Stream& stream) const {
  std::vector<MoveLoop> loops = stream.loops;
  Count repeats = 1;  // moves at each position
  for (; !loops.empty() && !relevant(t_, loops.back().dim); loops.pop_back()) {
    if (stream.again) repeats = times<Count>(repeats, loops.back().trips);
  }
  std::vector<Starts> lines;
  for (const Line& line : lines_) lines.emplace_back(line, loops);
  const auto changes_group = [&](const MoveLoop& loop) {
    return group_[loop.dim] > 0 && loop.advance >= group_[loop.dim];
  };
  auto groups = std::count_if(loops.begin(), loops.end(), changes_group);  // from here inwards
  Count others = 1;  // trips so far of loops that move along no line
  Count kept = 0;    // moves that find their first row open
  for (const MoveLoop& loop : loops) {
    Count seams = groups > 0 ? 0 : others;
    if (changes_group(loop)) --groups;
    if (std::all_of(lines.begin(), lines.end(), [&](auto& line) { return line.step(loop) == 0; })) {
      seams *= loop.trips - 1;
      others *= loop.trips;
    }
    for (Starts& line : lines) seams *= line.kept(loop);
    kept += seams;
  }
  Count all = others;
  Count single = others;
  for (const Starts& line : lines) {
    const auto [rows, single_rows] = line.rows();
    all = times(all, rows);
    single = times(single, single_rows);
  }
  // Moved again, a tile finds its last row open: all of its rows are opened but if it has just one.
  return times(repeats, all) - times<Count>(repeats - 1, single) - kept;
}

}  // namespace pimbb_check
