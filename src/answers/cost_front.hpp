// The front of cost against the objective, and what is known to be behind it.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <vector>

#include "pimbb/explore.hpp"

namespace pimbb::answers {

/// Least values at places of an order, for all beginnings of the order at once.
class LeastSoFar {
 public:
  void add(std::size_t place, const Rational& value);
  /// The least value at a place before this one; nothing if there is none.
  [[nodiscard]] std::optional<Rational> before(std::size_t place) const;

 private:
  std::map<std::size_t, Rational> steps_;  // each less than all before it
};

/// Marks the points that no other is better than: in cost and value no worse, in one of them
/// better; without costs those of the least value. Marks the best: least value, then least cost,
/// then the first.
void mark_front(std::vector<ExploredPoint>& points);

}  // namespace pimbb::answers
