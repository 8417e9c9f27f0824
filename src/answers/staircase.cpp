// Zones, boxes and volumes.
#include "answers/staircase.hpp"

#include <algorithm>
#include <set>

namespace pimbb::answers {
namespace {

/// A box within the bounding box of the points.
struct Block {
  Vector from;
  Vector to;
};

/// The volume of a union of blocks, on the axes from `axis` on: slab by slab.
Rational volume(const std::vector<Block>& blocks, std::size_t axis) {
  if (blocks.empty()) return 0;
  if (axis == blocks.front().from.size()) return 1;
  std::set<Rational> cuts;
  for (const Block& block : blocks) {
    cuts.insert(block.from[axis]);
    cuts.insert(block.to[axis]);
  }
  Rational sum = 0;
  for (auto low = cuts.begin(); std::next(low) != cuts.end(); ++low) {
    const Rational& high = *std::next(low);
    std::vector<Block> inside;
    std::ranges::copy_if(blocks, std::back_inserter(inside), [&](const Block& block) {
      return block.from[axis] <= *low && high <= block.to[axis];
    });
    sum += (high - *low) * volume(inside, axis + 1);
  }
  return sum;
}

bool contains(const Zone& zone, const Vector& point) {
  for (std::size_t k = 0; k < zone.size(); ++k) {
    if (zone[k] && point[k] >= *zone[k]) return false;
  }
  return true;
}

}  // namespace

bool is_part(const Zone& a, const Zone& b) {
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (b[k] && (!a[k] || *a[k] > *b[k])) return false;
  }
  return true;
}

bool no_worse(const Vector& a, const Vector& b) {
  return std::ranges::equal(a, b, std::ranges::less_equal{});
}

void split_zones(std::vector<Zone>& zones, const Vector& point) {
  std::vector<Zone> parts;
  std::erase_if(zones, [&](const Zone& zone) {
    if (!contains(zone, point)) return false;
    for (std::size_t k = 0; k < zone.size(); ++k) {
      parts.push_back(zone);
      parts.back()[k] = point[k];
    }
    return true;
  });
  // A part of a zone that was not split, or of another part, adds nothing. Equal parts: the first.
  for (std::size_t p = 0; p < parts.size(); ++p) {
    const auto has_it = [&](const Zone& other) { return is_part(parts[p], other); };
    bool redundant = std::ranges::any_of(zones, has_it);
    for (std::size_t q = 0; q < parts.size() && !redundant; ++q) {
      redundant = q != p && has_it(parts[q]) && (q < p || !is_part(parts[q], parts[p]));
    }
    if (redundant) {
      parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(p));
      --p;
    }
  }
  zones.insert(zones.end(), parts.begin(), parts.end());
}

std::vector<Zone> zones_below(std::span<const Vector> points, std::size_t axes) {
  std::vector<Zone> zones{Zone(axes)};
  for (const Vector& point : points) split_zones(zones, point);
  return zones;
}

std::vector<FrontBox> open_boxes(std::span<const Vector> points, std::span<const Vector> corners,
                                 std::size_t axes) {
  std::vector<FrontBox> boxes;
  for (Zone& zone : zones_below(points, axes)) {
    std::optional<Vector> least;
    for (const Vector& corner : corners) {
      if (!contains(zone, corner)) continue;
      if (!least) least = corner;
      for (std::size_t k = 0; k < axes; ++k) (*least)[k] = std::min((*least)[k], corner[k]);
    }
    if (least) boxes.push_back({std::move(*least), std::move(zone)});
  }
  std::ranges::sort(boxes, {}, &FrontBox::from);
  return boxes;
}

Rational covered_share(std::span<const Vector> points, std::span<const FrontBox> open) {
  if (points.empty()) return 0;
  Block all{points.front(), points.front()};
  for (const Vector& point : points) {
    for (std::size_t k = 0; k < point.size(); ++k) {
      all.from[k] = std::min(all.from[k], point[k]);
      all.to[k] = std::max(all.to[k], point[k]);
    }
  }
  const Rational whole = volume({all}, 0);
  if (whole.sign() == 0) return open.empty() ? 1 : 0;
  std::vector<Block> blocks;
  for (const FrontBox& box : open) {
    Block block = all;
    bool empty = false;
    for (std::size_t k = 0; k < box.from.size(); ++k) {
      block.from[k] = std::max(block.from[k], box.from[k]);
      if (box.below[k]) block.to[k] = std::min(block.to[k], *box.below[k]);
      empty = empty || block.from[k] >= block.to[k];
    }
    if (!empty) blocks.push_back(std::move(block));
  }
  return (whole - volume(blocks, 0)) / whole;
}

}  // namespace pimbb::answers
