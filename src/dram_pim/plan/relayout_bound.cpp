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
#include <map>

#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::network {
namespace {

constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::max();

rows::Indices touched(const LayoutBox& box, const Placement& place, const Rectangle& part) {
  return rows::touched_blocks(indices_of(box), place.first(part), place.extent(part));
}

std::vector<std::int64_t> touched_by_each(const std::vector<LayoutBox>& boxes,
                                          const Placement& place, const Rectangle& part) {
  std::vector<std::int64_t> counts;
  for (const LayoutBox& box : boxes) counts.push_back(rows::volume(touched(box, place, part)));
  return counts;
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

Overlap overlap(const Blocks& source, const Blocks& target, std::int64_t length) {
  Overlap overlap;
  for_each_piece(target, length, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t touched = source.of(end - 1) - source.of(begin) + 1;
    (touched == 1 ? overlap.whole : overlap.pieces) += touched;
    if (end < length && source.of(end) == source.of(end - 1)) ++overlap.joined;
  });
  overlap.closed = source.of(0) == source.of(length - 1) ? 1 : 0;
  return overlap;
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
    }
  }

  struct Fewest {
    std::int64_t rows = kNone;
    std::size_t source = 0;  ///< the first with as few
  };
  /// For each target the source with the fewest, on several threads.
  [[nodiscard]] std::vector<Fewest> fewest() const {
    std::vector<Fewest> fewest(targets_.place.size());
    run::parallel_for(fewest.size(), [&](std::size_t j) {
      for (std::size_t i = 0; i < sources_.place.size(); ++i) {
        if (const std::int64_t rows = of(i, j); rows < fewest[j].rows) fewest[j] = {rows, i};
      }
    });
    return fewest;
  }

 private:
  [[nodiscard]] std::int64_t of(std::size_t source, std::size_t target) const {
    std::int64_t all = 1;  // outside of axis k, from the outermost in: those of the boxes so far
    std::int64_t open = 0;
    std::int64_t outside = 1;
    std::int64_t inside_one = 1;  // W_0 .. W_(k-1)
    for (std::size_t k = 0; k < overlaps_.size(); ++k) {
      const Overlap& o = overlaps_[k][sources_.place[source][k] * targets_.edges[k].size() +
                                      targets_.place[target][k]];
      all = all * o.whole + outside * o.pieces;
      open = open * o.closed + inside_one * o.joined;
      outside *= size_[k];
      inside_one *= o.whole;
    }
    return all - open;
  }

  Grid sources_;
  Grid targets_;
  LayoutBox size_;
  std::array<std::vector<Overlap>, 4> overlaps_;  // by edge of the source, edge of the target
};

/// Of pairs with ascending rows of the target, those with fewer rows of the source than any before.
std::vector<PassRows> undominated(const std::map<std::int64_t, std::int64_t>& source_by_target) {
  std::vector<PassRows> pairs;
  for (const auto& [target, source] : source_by_target) {
    if (pairs.empty() || source < pairs.back().source) pairs.push_back({source, target});
  }
  return pairs;
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

FewestRows fewest_rows(const Placement& from, const std::vector<LayoutBox>& sources,
                       const Placement& to, const std::vector<LayoutBox>& targets) {
  assert(!sources.empty() && !targets.empty());
  const Rectangle part = intersection(from.own, to.own);
  const Visits visits(from, sources, to, targets, part);
  const std::vector<std::int64_t> target_boxes = touched_by_each(targets, to, part);
  const std::vector<Visits::Fewest> sources_of = visits.fewest();
  FewestRows fewest;
  std::int64_t in_all = kNone;
  std::map<std::int64_t, std::int64_t> source_by_target;
  for (std::size_t j = 0; j < targets.size(); ++j) {
    const auto [rows, source] = sources_of[j];
    std::int64_t& known = source_by_target.try_emplace(target_boxes[j], rows).first->second;
    known = std::min(known, rows);
    if (rows + target_boxes[j] >= in_all) continue;
    in_all = rows + target_boxes[j];
    fewest.source = sources[source];
    fewest.target = targets[j];
  }
  fewest.undominated = undominated(source_by_target);
  return fewest;
}

}  // namespace pimbb::dram_pim::network
