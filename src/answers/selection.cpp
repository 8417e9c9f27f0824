// Greedy choices.
#include "answers/selection.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "pimbb/error.hpp"

namespace pimbb::answers {
namespace {

/// The least E so that (1 + E) b is no less than a on any axis; nothing if there is none.
std::optional<Rational> distance(const Vector& a, const Vector& b) {
  Rational most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) {
    if (a[k] <= b[k]) continue;
    if (b[k].sign() == 0) return std::nullopt;
    most = max(most, a[k] / b[k] - 1);
  }
  return most;
}

/// Points that cover all of them within E, the one that covers most of what is left first; among
/// equal ones the first.
std::vector<std::size_t> cover(std::span<const Vector> points, const Rational& within) {
  std::vector<std::vector<std::size_t>> covers(points.size());
  for (std::size_t a = 0; a < points.size(); ++a) {
    for (std::size_t b = 0; b < points.size(); ++b) {
      if (no_worse_within(points[a], points[b], within)) covers[a].push_back(b);
    }
  }
  std::vector<std::size_t> chosen;
  std::vector<char> covered(points.size(), 0);
  std::size_t left = points.size();
  while (left > 0) {
    std::size_t best = 0;
    std::size_t most = 0;
    for (std::size_t a = 0; a < points.size(); ++a) {
      const auto gain = static_cast<std::size_t>(
          std::ranges::count_if(covers[a], [&](std::size_t b) { return covered[b] == 0; }));
      if (gain > most) {
        most = gain;
        best = a;
      }
    }
    chosen.push_back(best);
    for (const std::size_t b : covers[best]) covered[b] = 1;
    left -= most;
  }
  return chosen;
}

/// The volume of a zone above `from`, as far as it is within the bounding box that ends at `to`.
Rational extent(const Zone& zone, const Vector& from, const Vector& to) {
  Rational product = 1;
  for (std::size_t k = 0; k < zone.size(); ++k) {
    const Rational end = zone[k] ? std::min(*zone[k], to[k]) : to[k];
    product *= max(end - from[k], 0);
  }
  return product;
}

bool inside(const Zone& zone, const Vector& point) {
  for (std::size_t k = 0; k < zone.size(); ++k) {
    if (zone[k] && point[k] >= *zone[k]) return false;
  }
  return true;
}

/// Of the points in some zone the one that takes most of the largest zone.
std::optional<std::size_t> next_of(std::span<const Vector> points, const std::vector<Zone>& zones,
                                   const Vector& low, const Vector& high) {
  std::optional<std::size_t> best;
  std::pair<Rational, Rational> most;
  for (const Zone& zone : zones) {
    const Rational size = extent(zone, low, high);
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (!inside(zone, points[p])) continue;
      std::pair gain{size, extent(zone, points[p], high)};
      if (best && gain <= most) continue;
      most = std::move(gain);
      best = p;
    }
  }
  return best;
}

std::vector<std::size_t> spread(std::span<const Vector> points, std::uint64_t count) {
  const std::size_t axes = points.front().size();
  Vector low = points.front();
  Vector high = points.front();
  for (const Vector& point : points) {
    for (std::size_t k = 0; k < axes; ++k) {
      low[k] = std::min(low[k], point[k]);
      high[k] = max(high[k], point[k]);
    }
  }
  std::vector<std::size_t> chosen;
  std::vector<Zone> zones{Zone(axes)};
  const auto choose = [&](std::size_t p) {
    if (chosen.size() >= count || std::ranges::count(chosen, p) > 0) return;
    chosen.push_back(p);
    split_zones(zones, points[p]);
  };
  for (std::size_t k = 0; k < axes; ++k) {
    const auto end = std::ranges::min_element(points, [&](const Vector& a, const Vector& b) {
      return std::pair(a[k], a) < std::pair(b[k], b);
    });
    choose(static_cast<std::size_t>(end - points.begin()));
  }
  while (chosen.size() < std::min<std::uint64_t>(count, points.size())) {
    choose(*next_of(points, zones, low, high));
  }
  return chosen;
}

std::optional<Rational> within_of(std::span<const Vector> points,
                                  const std::vector<std::size_t>& chosen) {
  Rational most = 0;
  for (const Vector& point : points) {
    std::optional<Rational> least;
    for (const std::size_t c : chosen) {
      const auto d = distance(points[c], point);
      if (d && (!least || *d < *least)) least = d;
    }
    if (!least) return std::nullopt;
    most = max(most, *least);
  }
  return most;
}

}  // namespace

bool no_worse_within(const Vector& a, const Vector& b, const Rational& within) {
  const auto d = distance(a, b);
  return d && *d <= within;
}

Selection select(std::span<const Vector> points, const FrontOptions& options) {
  Selection selection;
  selection.chosen.resize(points.size());
  std::iota(selection.chosen.begin(), selection.chosen.end(), std::size_t{0});
  if (points.empty()) return selection;
  if (options.within) selection.chosen = cover(points, *options.within);
  if (options.points && selection.chosen.size() > *options.points) {
    selection.chosen = spread(points, *options.points);
  }
  std::ranges::sort(selection.chosen);
  selection.within = within_of(points, selection.chosen);
  return selection;
}

void check_whole(FrontStatus status, std::size_t listed, std::uint64_t found) {
  if (status != FrontStatus::complete && status != FrontStatus::infeasible) {
    throw InputError("proof: found a front whose status is '" + std::string(name(status)) +
                     "', allowed are complete and infeasible");
  }
  if (listed != found) {
    throw InputError("proof: found " + std::to_string(listed) + " of " + std::to_string(found) +
                     " points of a front, allowed are all of them");
  }
}

}  // namespace pimbb::answers
