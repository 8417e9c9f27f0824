// Boxes of replications for `ll`: what search and proof agree on.
//
// A replication is looked for among those where no node has more replicas than its fastest provider
// has use for: every other one has an equal `ll` with fewer.
#pragma once

#include <functional>

#include "crossbar/assign/allocation.hpp"

namespace pimbb::crossbar::assign {

class LatencyBoxes {
 public:
  explicit LatencyBoxes(const Problem& problem)
      : problem_(problem), paths_(problem), allocation_(problem, paths_) {}

  /// All replications; not yet tightened.
  [[nodiscard]] Box root() const;
  /// Lowers what has no room beside the least of the others, then what is of no use.
  void tighten(Box& box) const;
  /// Some family has no replication left.
  [[nodiscard]] static bool is_empty(const Box& box);
  /// Crossbars.
  [[nodiscard]] std::int64_t used(const std::vector<std::int64_t>& replication) const;
  [[nodiscard]] bool has_room(const Box& box) const;

  /// `ll` in ns, exactly.
  [[nodiscard]] Rational value(const std::vector<std::int64_t>& replication) const;
  /// A lower bound by a mix of cuts.
  Allocation::Bound bound(const Box& box, const std::function<bool()>& stop);
  /// The same with as many rounds as the first box deserves.
  Allocation::Bound first_bound(const Box& root, const std::function<bool()>& stop);

  /// Where a box of several replications is halved: at most so many replicas of a family, or more.
  /// Where rounding costs most in the last bound, which is to be that of the box; else where the
  /// replicas of the box take most room.
  struct Halving {
    std::size_t family = 0;
    std::int64_t most = 0;
  };
  [[nodiscard]] Halving halving(const Box& box) const;
  [[nodiscard]] static Box low_half(Box box, const Halving& at);
  [[nodiscard]] static Box high_half(Box box, const Halving& at);

  [[nodiscard]] const Paths& paths() const { return paths_; }
  [[nodiscard]] const Allocation& allocation() const { return allocation_; }

 private:
  const Problem& problem_;
  Paths paths_;
  Allocation allocation_;
};

}  // namespace pimbb::crossbar::assign
