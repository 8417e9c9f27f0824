// Staircases.
#include "answers/cost_front.hpp"

#include <algorithm>

namespace pimbb::answers {

void LeastSoFar::add(std::size_t place, const Rational& value) {
  auto next = steps_.lower_bound(place);
  if (next != steps_.begin() && std::prev(next)->second <= value) return;
  while (next != steps_.end() && value <= next->second) next = steps_.erase(next);
  if (next != steps_.end() && next->first == place) return;
  steps_.emplace_hint(next, place, value);
}

std::optional<Rational> LeastSoFar::before(std::size_t place) const {
  const auto next = steps_.lower_bound(place);
  if (next == steps_.begin()) return std::nullopt;
  return std::prev(next)->second;
}

void mark_front(std::vector<ExploredPoint>& points) {
  std::vector<ExploredPoint*> order;
  for (ExploredPoint& point : points) {
    if (point.has_value()) order.push_back(&point);
  }
  const auto cost = [](const ExploredPoint& point) { return point.cost.value_or(Rational()); };
  std::ranges::stable_sort(order, [&](const ExploredPoint* a, const ExploredPoint* b) {
    const Rational left = cost(*a);
    const Rational right = cost(*b);
    return left != right ? left < right : a->value < b->value;
  });
  const ExploredPoint* last = nullptr;  // the last one on the front
  ExploredPoint* best = nullptr;
  for (ExploredPoint* point : order) {
    point->on_front = last == nullptr || point->value < last->value ||
                      (point->value == last->value && cost(*point) == cost(*last));
    if (point->on_front) last = point;
    if (best == nullptr || point->value < best->value) best = point;
  }
  if (best != nullptr) best->best = true;
}

}  // namespace pimbb::answers
