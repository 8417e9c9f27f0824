// Zones one after the other.
#include "answers/front_search.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <set>

#include "run/clock.hpp"

namespace pimbb::answers {
namespace {

class FrontSearch {
 public:
  FrontSearch(const Problem& problem, const RunLimits& limits,
              const std::function<std::uint64_t()>& spent, FrontStart&& start)
      : problem_(problem),
        limits_(limits),
        spent_(spent),
        clock_(limits),
        zones_{Zone(problem.goals().size())},
        empty_(std::move(start.empty)),
        order_(problem.goals().size()),
        patience_(start.patience) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    for (const Point& point : start.known) take(point);
  }

  SearchedFront run() {
    if (patience_ > 0) {
      ask_in_passes();
    } else {
      bool stopped = false;
      for (const Zone* zone = next(); zone != nullptr && !stopped; zone = next()) {
        stopped = !settle(*zone, std::nullopt);
      }
    }
    std::ranges::sort(front_.points, {}, &Point::costs);
    leave_open();
    return std::move(front_);
  }

 private:
  [[nodiscard]] bool is_settled(const Zone& zone) const {
    return std::ranges::any_of(empty_, [&](const Zone& other) { return is_part(zone, other); });
  }

  [[nodiscard]] const Zone* next() const {
    const auto open = std::ranges::find_if(zones_, [&](const Zone& z) { return !is_settled(z); });
    return open == zones_.end() ? nullptr : &*open;
  }

  [[nodiscard]] bool is_over() const {
    return clock_.stopped() || (limits_.node_limit && spent_() >= *limits_.node_limit);
  }

  [[nodiscard]] RunLimits rest(std::optional<std::uint64_t> nodes) const {
    RunLimits rest = limits_;
    rest.time_limit = clock_.left();
    if (rest.node_limit) *rest.node_limit -= std::min(*rest.node_limit, spent_());
    if (nodes) rest.node_limit = std::min(*nodes, rest.node_limit.value_or(*nodes));
    return rest;
  }

  /// Until all zones are settled, the limits end it, or no question of a pass needed half of the
  /// nodes it had (a search may stop before a step that would need more than are left): with more
  /// nodes it would not be settled either.
  void ask_in_passes() {
    for (std::uint64_t nodes = patience_; !is_over() && next() != nullptr; nodes *= 4) {
      std::set<Zone> asked;
      bool cut_short = false;
      for (auto zone = largest(asked); zone && !is_over(); zone = largest(asked)) {
        asked.insert(*zone);
        const std::uint64_t before = spent_();
        if (!settle(*zone, nodes)) cut_short = cut_short || spent_() - before >= nodes / 2;
      }
      if (!cut_short || nodes > ~std::uint64_t{0} / 8) break;
    }
  }

  /// The open zone to ask about next, among those that were not asked about in this pass.
  [[nodiscard]] std::optional<Zone> largest(const std::set<Zone>& asked) const {
    std::optional<Zone> best;
    double most = -1;
    for (const Zone& zone : zones_) {
      if (is_settled(zone) || asked.contains(zone)) continue;
      const double size = size_of(zone);
      if (size <= most) continue;
      best = zone;
      most = size;
    }
    return best;
  }

  /// Of the part of the zone above the least costs of the points: a guide only.
  [[nodiscard]] double size_of(const Zone& zone) const {
    double size = 1;
    for (std::size_t k = 0; k < zone.size(); ++k) {
      if (!zone[k]) return std::numeric_limits<double>::infinity();
      Rational least = *zone[k];
      for (const Point& point : front_.points) least = std::min(least, point.costs[k]);
      size *= (*zone[k] - least).to_double();
    }
    return size;
  }

  /// Adds a solution; those that it dominates are no longer of interest.
  void take(const Point& point) {
    const auto covers = [&](const Point& known) { return no_worse(known.costs, point.costs); };
    if (std::ranges::any_of(front_.points, covers)) return;
    split_zones(zones_, point.costs);
    std::erase_if(front_.points,
                  [&](const Point& known) { return no_worse(point.costs, known.costs); });
    front_.points.push_back(point);
  }

  /// Asks for the least solution of a zone; false if a limit ended the search.
  bool settle(const Zone& asked, std::optional<std::uint64_t> nodes) {
    Zone zone = asked;
    if (is_over()) return false;
    std::vector<Limit> limits;
    for (std::size_t k = 0; k < zone.size(); ++k) {
      if (zone[k]) limits.push_back({k, *zone[k], /*strict=*/true});
    }
    const Answer answer = problem_.least(order_, limits, rest(nodes));
    if (answer.status == Status::infeasible) {
      empty_.push_back(std::move(zone));
      return true;
    }
    const bool proven = answer.status == Status::optimal;
    const Rational& bound = proven ? answer.point->costs.front() : answer.bound;
    zone.front() = zone.front() ? std::min(*zone.front(), bound) : bound;
    empty_.push_back(std::move(zone));
    if (answer.point) take(*answer.point);
    return proven;
  }

  /// The part of a zone above what is known to be empty in it, axis by axis.
  [[nodiscard]] FrontBox open_part(const Zone& zone) const {
    FrontBox box{Vector(zone.size()), zone};
    for (const Zone& other : empty_) {
      for (std::size_t k = 0; k < zone.size(); ++k) {
        if (!other[k]) continue;
        Zone below = zone;
        below[k] = zone[k] ? std::min(*zone[k], *other[k]) : *other[k];
        if (is_part(below, other)) box.from[k] = max(box.from[k], *other[k]);
      }
    }
    return box;
  }

  void leave_open() {
    for (const Zone& zone : zones_) {
      if (!is_settled(zone)) front_.open.push_back(open_part(zone));
    }
    std::ranges::sort(front_.open, {}, &FrontBox::from);
    std::vector<Vector> costs;
    for (const Point& point : front_.points) costs.push_back(point.costs);
    front_.covered = covered_share(costs, front_.open);
    if (costs.empty()) {
      front_.status = front_.open.empty() ? FrontStatus::infeasible : FrontStatus::unknown;
    } else {
      front_.status = front_.open.empty() ? FrontStatus::complete : FrontStatus::partial;
    }
  }

  const Problem& problem_;
  const RunLimits& limits_;
  const std::function<std::uint64_t()>& spent_;
  run::Clock clock_;
  std::vector<Zone> zones_;  // what no point covers
  std::vector<Zone> empty_;  // without solutions, proven
  std::vector<std::size_t> order_;
  std::uint64_t patience_;
  SearchedFront front_;
};

}  // namespace

SearchedFront search_front(const Problem& problem, const RunLimits& limits,
                           const std::function<std::uint64_t()>& spent, FrontStart start) {
  return FrontSearch(problem, limits, spent, std::move(start)).run();
}

}  // namespace pimbb::answers
