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

RowCounter::RowCounter(const Problem& p, std::size_t t, const Factors& tile, bool channels_last)
    : t_(t) {
  add_line(p.row_units, box(p, t, tile, channels_last), strides(p, t, channels_last));
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

RowCounter::Sums RowCounter::count(const std::vector<MoveLoop>& loops, std::size_t from) const {
  std::vector<Starts> lines;
  for (const Line& line : lines_) lines.emplace_back(line, loops);
  const auto changes_group = [&](const MoveLoop& loop) {
    return group_[loop.dim] > 0 && loop.advance >= group_[loop.dim];
  };
  auto groups = std::count_if(loops.begin(), loops.end(), changes_group);  // from here inwards
  Sums sums;
  Count others = 1;  // trips so far of loops that move along no line
  for (std::size_t k = 0; k < loops.size(); ++k) {
    const MoveLoop& loop = loops[k];
    Count seams = groups > 0 ? 0 : others;
    if (changes_group(loop)) --groups;
    if (std::all_of(lines.begin(), lines.end(), [&](auto& line) { return line.step(loop) == 0; })) {
      seams *= loop.trips - 1;
      others *= loop.trips;
    }
    for (Starts& line : lines) seams *= line.kept(loop);
    if (k >= from) sums.kept += seams;
  }
  sums.rows = others;
  sums.single = others;
  for (const Starts& line : lines) {
    const auto [rows, single_rows] = line.rows();
    sums.rows = times(sums.rows, rows);
    sums.single = times(sums.single, single_rows);
  }
  return sums;
}

Count RowCounter::rows_alone(const Stream& stream) const {
  std::vector<MoveLoop> loops = stream.loops;
  Count repeats = 1;  // moves at each position
  for (; !loops.empty() && !relevant(t_, loops.back().dim); loops.pop_back()) {
    if (stream.again) repeats = times<Count>(repeats, loops.back().trips);
  }
  const Sums sums = count(loops, 0);
  // Moved again, a tile finds its last row open: all of its rows are opened but if it has just one.
  return times(repeats, sums.rows) - times<Count>(repeats - 1, sums.single) - sums.kept;
}

Count RowCounter::rows(const Stream& stream, const Mates& mates) const {
  if (mates.none) return rows_alone(stream);
  std::vector<MoveLoop> loops = stream.loops;
  loops.resize(reach(t_, stream));
  const Sums all = count(loops, mates.longer ? loops.size() : mates.before);
  if (mates.longer || !mates.after) return all.rows - all.kept;
  // The seams lost: those of the innermost loop from its first to its second iteration, with none
  // of the loops between it and the reach of the tensor after this one.
  std::vector<MoveLoop> lost(loops.begin(),
                             loops.begin() + static_cast<std::ptrdiff_t>(*mates.after));
  lost.push_back(loops.back());
  lost.back().trips = 2;
  return all.rows - all.kept + count(lost, *mates.after).kept;
}

std::size_t reach(std::size_t t, const Stream& stream) {
  std::size_t loops = stream.loops.size();
  while (!stream.again && loops > 0 && !relevant(t, stream.loops[loops - 1].dim)) --loops;
  return loops;
}

Mates mates(const Problem& p, std::size_t t, const PerTensor<std::size_t>& reach) {
  Mates mates;
  for (std::size_t u = 0; u < 3; ++u) {
    if (u == t || u % p.banks != t % p.banks) continue;
    mates.none = false;
    mates.longer = mates.longer || reach[u] >= reach[t];
    if (u < t) mates.before = std::max(mates.before, reach[u]);
    if (u > t) mates.after = std::max(mates.after.value_or(0), reach[u]);
  }
  return mates;
}

}  // namespace pimbb_check
