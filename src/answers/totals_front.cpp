// Sums, selected and with what is open.
#include "answers/totals_front.hpp"

#include <algorithm>

#include "answers/front_sum.hpp"
#include "answers/selection.hpp"

namespace pimbb::answers {
namespace {

constexpr std::size_t kMostSums = std::size_t{1} << 17U;       // on two axes
constexpr std::size_t kMostSumsThree = std::size_t{1} << 14U;  // thinning takes longer
constexpr std::uint64_t kBytesOfSum = 64;
constexpr std::size_t kCorners = 128;  // from which open boxes are made
/// From how many points some are selected; of more, those within a small share of all.
constexpr std::size_t kSelectable = 2048;

/// By layer the costs of its points, and of its corners if these count.
std::vector<SumPart> parts_of(std::span<const LayerPoints> layers, bool with_corners) {
  std::vector<SumPart> parts;
  for (const LayerPoints& layer : layers) {
    parts.push_back({layer.points, layer.times});
    if (!with_corners) continue;
    std::vector<Vector>& points = parts.back().points;
    points.insert(points.end(), layer.corners.begin(), layer.corners.end());
  }
  return parts;
}

std::vector<Vector> costs_of(const FrontSum& sum) {
  std::vector<Vector> costs;
  for (const FrontSum::Point& point : sum.points) costs.push_back(point.costs);
  return costs;
}

/// Some of the points, of very many those within a small share of all; how close they come.
std::optional<Rational> select_points(FrontSum& sum, std::uint64_t wanted_points) {
  const std::vector<SumPart> all{{costs_of(sum), 1}};
  const FrontSum some = front_of_sums(all, {.most = kSelectable});
  FrontOptions wanted;
  wanted.points = wanted_points;
  const Selection selection = select(costs_of(some), wanted);
  std::vector<FrontSum::Point> kept;
  for (const std::size_t chosen : selection.chosen) {
    kept.push_back(std::move(sum.points[some.points[chosen].chosen.front()]));
  }
  sum.points = std::move(kept);
  if (!selection.within) return std::nullopt;
  return (Rational(1) + sum.within) * (Rational(1) + some.within) *
             (Rational(1) + *selection.within) -
         1;
}

void leave_open(TotalsFront& front, std::span<const LayerPoints> layers, std::size_t axes) {
  std::vector<Vector> points;
  const std::size_t step = (front.points.size() + kCorners - 1) / kCorners;
  for (std::size_t p = 0; p < front.points.size(); ++p) {
    if (p % step == 0 || p + 1 == front.points.size()) points.push_back(front.points[p].costs);
  }
  front.open = open_boxes(points, floor_of_sums(parts_of(layers, true), kCorners), axes);
  front.covered = covered_share(points, front.open);
}

}  // namespace

TotalsFront front_of_totals(std::span<const LayerPoints> layers, std::size_t axes,
                            const FrontOptions& options, std::uint64_t memory_limit,
                            const std::function<bool()>& stop) {
  SumLimits limits;
  limits.within = options.within.value_or(0);
  limits.most = axes == 2 ? kMostSums : kMostSumsThree;
  const std::uint64_t each = kBytesOfSum * (layers.size() + 1);
  limits.most =
      std::max<std::size_t>(64, std::min<std::uint64_t>(limits.most, memory_limit / each));
  limits.stop = stop;
  FrontSum sum = front_of_sums(parts_of(layers, false), limits);
  TotalsFront front;
  front.found = sum.points.size();
  front.within = sum.within;
  front.complete =
      sum.within <= limits.within &&
      std::ranges::all_of(layers, [](const LayerPoints& l) { return l.corners.empty(); });
  if (options.points && sum.points.size() > *options.points) {
    front.within = select_points(sum, *options.points);
  }
  for (FrontSum::Point& point : sum.points) {
    front.points.push_back({std::move(point.costs), {point.chosen.begin(), point.chosen.end()}});
  }
  front.covered = 1;
  if (!front.complete) leave_open(front, layers, axes);
  return front;
}

}  // namespace pimbb::answers
