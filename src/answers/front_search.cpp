// Zones one after the other.
#include "answers/front_search.hpp"

#include <algorithm>
#include <numeric>

#include "run/clock.hpp"

namespace pimbb::answers {
namespace {

class FrontSearch {
 public:
  FrontSearch(const Problem& problem, const RunLimits& limits,
              const std::function<std::uint64_t()>& spent)
      : problem_(problem),
        limits_(limits),
        spent_(spent),
        clock_(limits),
        zones_{Zone(problem.goals().size())},
        order_(problem.goals().size()) {
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  SearchedFront run() {
    bool stopped = false;
    for (const Zone* zone = next(); zone != nullptr && !stopped; zone = next()) {
      stopped = !settle(*zone);
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

  [[nodiscard]] RunLimits rest() const {
    RunLimits rest = limits_;
    rest.time_limit = clock_.left();
    if (rest.node_limit) *rest.node_limit -= std::min(*rest.node_limit, spent_());
    return rest;
  }

  /// Asks for the least solution of a zone; false if a limit ended the search.
  bool settle(const Zone& asked) {
    Zone zone = asked;
    if (clock_.stopped() || (limits_.node_limit && spent_() >= *limits_.node_limit)) return false;
    std::vector<Limit> limits;
    for (std::size_t k = 0; k < zone.size(); ++k) {
      if (zone[k]) limits.push_back({k, *zone[k], /*strict=*/true});
    }
    const Answer answer = problem_.least(order_, limits, rest());
    if (answer.status == Status::infeasible) {
      empty_.push_back(std::move(zone));
      return true;
    }
    const bool proven = answer.status == Status::optimal;
    const Rational& bound = proven ? answer.point->costs.front() : answer.bound;
    zone.front() = zone.front() ? std::min(*zone.front(), bound) : bound;
    empty_.push_back(std::move(zone));
    if (answer.point) {
      split_zones(zones_, answer.point->costs);
      std::erase_if(front_.points,
                    [&](const Point& known) { return no_worse(answer.point->costs, known.costs); });
      front_.points.push_back(*answer.point);
    }
    return proven;
  }

  void leave_open() {
    for (const Zone& zone : zones_) {
      if (is_settled(zone)) continue;
      FrontBox box{Vector(zone.size()), zone};
      for (const Zone& other : empty_) {  // nothing in the zone is below what is empty
        Zone below = zone;
        if (!other.front()) continue;
        below.front() = zone.front() ? std::min(*zone.front(), *other.front()) : *other.front();
        if (is_part(below, other)) box.from.front() = max(box.from.front(), *other.front());
      }
      front_.open.push_back(std::move(box));
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
  SearchedFront front_;
};

}  // namespace

SearchedFront search_front(const Problem& problem, const RunLimits& limits,
                           const std::function<std::uint64_t()>& spent) {
  return FrontSearch(problem, limits, spent).run();
}

}  // namespace pimbb::answers
