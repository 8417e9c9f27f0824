// From the outermost level inwards: residues of sets of loops, and the seams of each.
#include "dram_pim/rows/seam_table.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <optional>

namespace pimbb::dram_pim::rows {
namespace {

std::int64_t advance(const RowLine& line, const MoveLoop& loop) {
  return line.step[index(loop.dim)] * loop.advance;
}

/// What the address changes when all loops of `set` go from their last iteration to the first.
std::int64_t wrap_of(const RowLine& line, const std::vector<MoveLoop>& loops, std::uint32_t set) {
  std::int64_t wrap = 0;
  for (std::size_t k = 0; k < loops.size(); ++k) {
    if ((set >> k & 1U) != 0) wrap += (loops[k].trips - 1) * advance(line, loops[k]);
  }
  return wrap;
}

/// Positions A with 0 <= A mod row + distance < row.
std::int64_t in_row(const RowLine& line, const OffsetCounts& starts, std::int64_t distance) {
  if (distance <= -line.row || distance >= line.row) return 0;
  return starts.within(std::max<std::int64_t>(0, -distance),
                       std::min(line.row, line.row - distance));
}

}  // namespace

/// The sets of a level's loops outside something, and where they put tiles, line by line.
class SeamTable::Sets {
 public:
  Sets(const RowLines& lines, const std::vector<MoveLoop>& loops,
       const PerLine<OffsetCounts>& outside)
      : lines_(lines), loops_(loops) {
    const std::size_t sets = std::size_t{1} << loops.size();
    for (std::size_t l = 0; l < outside.size(); ++l) {
      const RowLine& line = lines.lines[l];
      acts_.push_back(0);
      for (std::size_t k = 0; k < loops.size(); ++k) {
        if (advance(line, loops[k]) > 0) acts_[l] |= 1U << k;
      }
      starts_.emplace_back(sets);
      starts_[l][0] = outside[l];
      for (std::uint32_t set = 1; set < sets; ++set) {
        if ((set & ~acts_[l]) != 0) continue;
        const auto k = static_cast<std::size_t>(std::countr_zero(set));
        starts_[l][set] = starts_[l][set & (set - 1)];
        starts_[l][set]->repeat(loops[k].trips, advance(line, loops[k]));
      }
    }
  }

  [[nodiscard]] const OffsetCounts& starts(std::size_t line, std::uint32_t set) const {
    return *starts_[line][set & acts_[line]];
  }
  [[nodiscard]] bool acts(std::size_t line, std::size_t k) const {
    return (acts_[line] >> k & 1U) != 0;
  }
  /// Trips of the loops of `set` that act on no line.
  [[nodiscard]] std::int64_t others(std::uint32_t set) const {
    std::int64_t trips = 1;
    for (std::size_t k = 0; k < loops_.size(); ++k) {
      if ((set >> k & 1U) != 0 && !acts_on_a_line(k)) trips *= loops_[k].trips;
    }
    return trips;
  }
  [[nodiscard]] bool acts_on_a_line(std::size_t k) const {
    return std::any_of(acts_.begin(), acts_.end(),
                       [&](std::uint32_t acts) { return (acts >> k & 1U) != 0; });
  }

  /// Seams of loop k, under the loops `beyond` of this level, at which a row stays open on every
  /// line; `distance` leads from the last element of a sweep to the first of the next, by line.
  [[nodiscard]] std::int64_t seams_kept(std::size_t k, std::uint32_t beyond,
                                        const PerLine<std::int64_t>& distance) const {
    std::int64_t seams = others(beyond);
    if (!acts_on_a_line(k)) seams *= loops_[k].trips - 1;
    for (std::size_t l = 0; l < distance.size() && seams > 0; ++l) {
      const RowLine& line = lines_.lines[l];
      const std::int64_t there = distance[l] - advance(line, loops_[k]);
      std::int64_t count = in_row(line, starts(l, beyond), there);
      if (acts(l, k)) {  // less those with k at its first iteration
        count = in_row(line, starts(l, beyond | 1U << k), there) - count;
      }
      assert(count >= 0);
      seams *= count;
    }
    return seams;
  }

 private:
  const RowLines& lines_;
  const std::vector<MoveLoop>& loops_;
  PerLine<std::vector<std::optional<OffsetCounts>>> starts_;  // by set of acts_
  PerLine<std::uint32_t> acts_;                               // the loops that move along it
};

SeamTable::SeamTable(const RowLines& lines, const std::vector<std::vector<MoveLoop>>& levels)
    : levels_(levels.size()) {
  // Of the levels further in.
  boost::container::small_vector<PerLine<std::int64_t>, 5> wrap(levels.size() + 1);
  boost::container::small_vector<bool, 5> groups(levels.size() + 1);
  wrap[0].resize(lines.lines.size());
  std::size_t counts = 0;
  for (std::size_t m = 0; m < levels.size(); ++m) {
    const std::size_t loops = levels[m].size();
    const std::size_t sets = std::size_t{1} << loops;
    levels_[m] = {loops, counts, counts + sets * loops};
    counts += sets * (loops + 1);
    wrap[m + 1] = wrap[m];
    for (std::size_t l = 0; l < lines.lines.size(); ++l) {
      wrap[m + 1][l] += wrap_of(lines.lines[l], levels[m], ~0U);
    }
    groups[m + 1] = groups[m] || std::any_of(levels[m].begin(), levels[m].end(), [&](auto& loop) {
                      return lines.changes_group(loop.dim, loop.advance);
                    });
  }
  counts_.resize(counts);
  Outside outside;
  for (const RowLine& line : lines.lines)
    outside.starts.emplace_back(line.row, line.unit, line.first);
  for (std::size_t m = levels.size(); m-- > 0;) {
    fill(levels_[m], lines, levels[m], wrap[m], groups[m], outside);
  }
  all_rows_ = outside.others;
  for (std::size_t l = 0; l < lines.lines.size(); ++l) {
    all_rows_ *= static_cast<std::int64_t>(outside.starts[l].weigh(lines.lines[l].rows));
  }
}

SeamTable::SeamTable(const SeamTable& other, const allocator_type& allocator)
    : levels_(other.levels_), counts_(other.counts_, allocator), all_rows_(other.all_rows_) {}

/// Seams of one level; then adds its loops to what is outside.
void SeamTable::fill(const Level& level, const RowLines& lines, const std::vector<MoveLoop>& loops,
                     const PerLine<std::int64_t>& wrap, bool groups_inside, Outside& outside) {
  const Sets sets(lines, loops, outside.starts);
  const std::uint32_t all = (1U << loops.size()) - 1;
  std::uint32_t groups = 0;
  for (std::size_t k = 0; k < loops.size(); ++k) {
    if (lines.changes_group(loops[k].dim, loops[k].advance)) groups |= 1U << k;
  }
  std::int64_t* const kept = counts_.data() + level.kept;
  std::int64_t* const stays = counts_.data() + level.stays;
  for (std::uint32_t inside = 0; inside <= all; ++inside) {
    if (groups_inside || (inside & groups) != 0) continue;  // the row is always another one
    // From the last element of a sweep to the first of the next.
    PerLine<std::int64_t> distance;
    for (std::size_t l = 0; l < lines.lines.size(); ++l) {
      distance.push_back(wrap[l] + wrap_of(lines.lines[l], loops, inside) + lines.lines[l].span);
    }
    stays[inside] = outside.others * sets.others(all & ~inside);
    for (std::size_t l = 0; l < distance.size(); ++l) {
      stays[inside] *= in_row(lines.lines[l], sets.starts(l, all & ~inside), distance[l]);
    }
    for (std::size_t k = 0; k < loops.size(); ++k) {
      if (((inside | groups) >> k & 1U) != 0) continue;
      kept[inside * loops.size() + k] =
          outside.others * sets.seams_kept(k, all & ~inside & ~(1U << k), distance);
    }
  }
  for (std::size_t l = 0; l < outside.starts.size(); ++l) {
    outside.starts[l] = sets.starts(l, all);
  }
  outside.others *= sets.others(all);
}

std::uint64_t SeamTable::bytes() const {
  return sizeof(*this) + counts_.size() * sizeof(std::int64_t);
}

}  // namespace pimbb::dram_pim::rows
