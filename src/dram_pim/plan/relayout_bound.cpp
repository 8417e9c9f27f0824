// Counting boxes, and visits of the source's boxes while the target's are filled.
//
// A box of the target is filled in the order n c h w. Within it the source's box changes with every
// step along the innermost axis k that has more than one of them, and nothing further in is a
// change; so there are as many such steps as the box is long along the axes outside of k. Summed
// over all boxes of the target, with S_j the length of axis j, W_j the target's blocks along it
// that lie within one block of the source, and P_j the pieces of all others,
//
//     V = W_0 W_1 W_2 W_3 + sum over k of  S_0 .. S_(k-1)  P_k  W_(k+1) .. W_3
//
// is how often a box of the source is come to, each box of the target for itself. The first may be
// open still: from one box of the target to the next, block b of axis k is followed by b + 1, those
// further in go from the last back to the first, those further out stay. Along axis k, J_k blocks
// and their next ones meet in one block of the source; O_k is 1 if the last and the first lie in
// one, else 0; those further out begin and end in one block of the source W_j times. So
//
//     N_src = V - sum over k of  W_0 .. W_(k-1)  J_k  O_(k+1) .. O_3.
#include "dram_pim/plan/relayout_bound.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::network {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

rows::Indices touched(const LayoutBox& box, const Placement& place, const Rectangle& part) {
  return rows::touched_blocks(indices_of(box), place.first(part), place.extent(part));
}

/// The edges that boxes have along each axis, and which of them each box has.
struct Grid {
  std::array<std::vector<std::int64_t>, 4> edges;
  std::vector<std::array<std::size_t, 4>> place;

  explicit Grid(const std::vector<LayoutBox>& boxes) {
    for (const LayoutBox& box : boxes) {
      place.emplace_back();
      for (std::size_t k = 0; k < box.size(); ++k) {
        const auto known = std::ranges::find(edges[k], box[k]);
        place.back()[k] = static_cast<std::size_t>(known - edges[k].begin());
        if (known == edges[k].end()) edges[k].push_back(box[k]);
      }
    }
  }
};

/// Along one axis: how many of the target's blocks lie in a single block of the source (W), and how
/// many blocks of the source the others meet, one after the other, in all (P); how often one ends
/// in the block of the source in which the next begins (J); whether the last ends in that in which
/// the first begins (O).
struct Overlap {
  std::int64_t whole = 0;
  std::int64_t pieces = 0;
  std::int64_t joined = 0;
  std::int64_t closed = 0;
};

/// Where the block of the first index ends.
std::int64_t first_end(const Blocks& blocks) { return blocks.edge - blocks.first % blocks.edge; }

Overlap overlap(const Blocks& source, const Blocks& target, std::int64_t length) {
  Overlap overlap;
  std::int64_t source_end = first_end(source);
  overlap.closed = source_end >= length ? 1 : 0;
  std::int64_t begin = 0;
  for (std::int64_t next = first_end(target); begin < length; next += target.edge) {
    const std::int64_t end = std::min(next, length);
    std::int64_t met = 1;  // blocks of the source
    for (; source_end < end; source_end += source.edge) ++met;
    (met == 1 ? overlap.whole : overlap.pieces) += met;
    if (source_end == end) {
      source_end += source.edge;
    } else if (end < length) {
      ++overlap.joined;
    }
    begin = end;
  }
  return overlap;
}

/// N_src, given how the boxes overlap along each axis, from the outermost in.
template <class OverlapAlong>
std::int64_t visits(const LayoutBox& size, const OverlapAlong& along) {
  std::int64_t all = 1;  // outside of axis k: those of the boxes so far
  std::int64_t open = 0;
  std::int64_t outside = 1;
  std::int64_t inside_one = 1;  // W_0 .. W_(k-1)
  for (std::size_t k = 0; k < size.size(); ++k) {
    const Overlap& o = along(k);
    all = all * o.whole + outside * o.pieces;
    open = open * o.closed + inside_one * o.joined;
    outside *= size[k];
    inside_one *= o.whole;
  }
  return all - open;
}

/// N_src for every pair of boxes, from what each pair of edges along each axis adds to it.
class Visits {
 public:
  Visits(const Placement& from, const std::vector<LayoutBox>& sources, const Placement& to,
         const std::vector<LayoutBox>& targets, const Rectangle& part)
      : sources_(sources), targets_(targets), size_(plane_axes(from.extent(part))) {
    const LayoutBox source = plane_axes(from.first(part));
    const LayoutBox target = plane_axes(to.first(part));
    for (std::size_t k = 0; k < overlaps_.size(); ++k) {
      for (const std::int64_t edge : sources_.edges[k]) {
        for (const std::int64_t other : targets_.edges[k]) {
          overlaps_[k].push_back(overlap({source[k], edge}, {target[k], other}, size_[k]));
        }
      }
      for (const std::int64_t edge : targets_.edges[k]) {
        const Blocks blocks{target[k], edge};
        blocks_[k].push_back(blocks.of(size_[k] - 1) - blocks.of(0) + 1);
      }
    }
  }

  /// N_dst: the boxes of a target that have an element of the part.
  [[nodiscard]] std::int64_t target_boxes(std::size_t target) const {
    std::int64_t boxes = 1;
    for (std::size_t k = 0; k < blocks_.size(); ++k) {
      boxes *= blocks_[k][targets_.place[target][k]];
    }
    return boxes;
  }
  /// The fewest N_src for each target, on several threads.
  [[nodiscard]] std::vector<std::int64_t> fewest() const {
    const std::vector<std::size_t> largest = largest_sources();
    std::vector<std::int64_t> fewest(targets_.place.size(), kNone);
    const std::size_t at_a_time = 1 + kPairsAtATime / largest.size();
    run::for_each_chunk(fewest.size(), at_a_time, [&](const run::Chunk& chunk) {
      for (std::size_t j = chunk.begin; j < chunk.end; ++j) {
        for (const std::size_t i : largest) fewest[j] = std::min(fewest[j], of(i, j));
      }
    });
    return fewest;
  }
  /// The first source with so many for the target.
  [[nodiscard]] std::size_t source_with(std::int64_t rows, std::size_t target) const {
    std::size_t i = 0;
    while (of(i, target) != rows) ++i;
    return i;
  }

 private:
  static constexpr std::size_t kPairsAtATime = std::size_t{1} << 14;

  [[nodiscard]] std::int64_t of(std::size_t source, std::size_t target) const {
    return visits(size_, [&](std::size_t k) -> const Overlap& {
      return overlaps_[k][sources_.place[source][k] * targets_.edges[k].size() +
                          targets_.place[target][k]];
    });
  }

  /// The sources that divide no other one. If a box divides another, each of its blocks lies in
  /// one block of the other, as both count from the origin of the place: so whatever changes from
  /// one block of the other to the next, changes blocks of the box too, and the box has no fewer
  /// visits. (A multiple comes later in an ascending list; one that comes before is kept as well,
  /// which does no harm.)
  [[nodiscard]] std::vector<std::size_t> largest_sources() const {
    std::array<std::vector<char>, 4> divides;  // by pairs of edges
    for (std::size_t k = 0; k < divides.size(); ++k) {
      for (const std::int64_t edge : sources_.edges[k]) {
        for (const std::int64_t other : sources_.edges[k]) {
          divides[k].push_back(other % edge == 0 ? 1 : 0);
        }
      }
    }
    std::vector<std::size_t> largest;
    for (std::size_t i = sources_.place.size(); i-- > 0;) {
      const bool is_largest = std::ranges::none_of(largest, [&](std::size_t other) {
        for (std::size_t k = 0; k < divides.size(); ++k) {
          const std::size_t pair =
              sources_.place[i][k] * sources_.edges[k].size() + sources_.place[other][k];
          if (divides[k][pair] == 0) return false;
        }
        return true;
      });
      if (is_largest) largest.push_back(i);
    }
    return largest;
  }

  Grid sources_;
  Grid targets_;
  LayoutBox size_;
  std::array<std::vector<Overlap>, 4> overlaps_;     // by edge of the source, edge of the target
  std::array<std::vector<std::int64_t>, 4> blocks_;  // of the targets, by edge
};

/// Of all counts those that no other ones are below in both.
std::vector<PassRows> undominated(std::vector<PassRows> all) {
  std::ranges::sort(all, [](const PassRows& a, const PassRows& b) {
    return std::tie(a.target, a.source) < std::tie(b.target, b.source);
  });
  std::vector<PassRows> left;
  for (const PassRows& rows : all) {
    if (left.empty() || rows.source < left.back().source) left.push_back(rows);
  }
  return left;
}

}  // namespace

std::int64_t touched_boxes(const Placement& place, const Rectangle& part) {
  return rows::volume(touched(place.box, place, part));
}

std::int64_t whole_boxes(const Placement& place, const Rectangle& part) {
  return rows::volume(
      rows::whole_blocks(indices_of(place.box), place.first(part), place.extent(part)));
}

/// Along the innermost axis with more than one box every step to the next box and every wrap is a
/// change, and nothing further in is.
std::int64_t box_changes(const Placement& place, const Rectangle& part, bool channels_last) {
  const rows::Indices boxes = touched(place.box, place, part);
  const rows::Indices size = place.extent(part);
  const rows::AxisOrder& order = channels_last ? rows::kChannelsLast : rows::kRowMajor;
  std::size_t k = order.size() - 1;
  while (k > 0 && boxes[order[k]] == 1) --k;
  std::int64_t changes = boxes[order[k]];
  while (k-- > 0) changes *= size[order[k]];
  return changes;
}

PassRows rows_between(const Placement& from, const Placement& to, const Rectangle& part) {
  const LayoutBox source = plane_axes(from.first(part));
  const LayoutBox target = plane_axes(to.first(part));
  const LayoutBox size = plane_axes(from.extent(part));
  std::array<Overlap, 4> overlaps;
  for (std::size_t k = 0; k < overlaps.size(); ++k) {
    overlaps[k] = overlap({source[k], from.box[k]}, {target[k], to.box[k]}, size[k]);
  }
  return {visits(size, [&](std::size_t k) -> const Overlap& { return overlaps[k]; }),
          touched_boxes(to, part)};
}

FewestRows fewest_rows(const Placement& from, const std::vector<LayoutBox>& sources,
                       const Placement& to, const std::vector<LayoutBox>& targets) {
  assert(!sources.empty() && !targets.empty());
  const Rectangle part = intersection(from.own, to.own);
  const Visits visits(from, sources, to, targets, part);
  const std::vector<std::int64_t> rows_of = visits.fewest();
  FewestRows fewest;
  std::int64_t in_all = kNone;
  std::size_t target = 0;
  std::vector<PassRows> all;
  all.reserve(targets.size());
  for (std::size_t j = 0; j < targets.size(); ++j) {
    const auto& [source_rows, target_rows] =
        all.emplace_back(PassRows{rows_of[j], visits.target_boxes(j)});
    if (source_rows + target_rows >= in_all) continue;
    in_all = source_rows + target_rows;
    target = j;
  }
  fewest.source = sources[visits.source_with(rows_of[target], target)];
  fewest.target = targets[target];
  fewest.undominated = undominated(std::move(all));
  return fewest;
}

}  // namespace pimbb::dram_pim::network
