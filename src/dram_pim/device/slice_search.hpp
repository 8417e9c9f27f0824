// The least value of a goal of the device over the mappings of one slice under one offer.
//
// A linear goal is one question to the slice's solver: latency, energy, activations or a blend. The
// product of latency and energy is quasi-concave on a region, so its minima are vertices of the
// lower left hull of all (L, E); these are found chord by chord, and a part of the hull is left out
// whose corner is not below the best known value.
//
// Optima of earlier goals become caps. A blend that has attained its optimum leaves the mappings on
// one line, where L tells E: a second blend is then least at one end of it.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "dram_pim/device/region.hpp"
#include "dram_pim/slices/slice_solver.hpp"

namespace pimbb::dram_pim::device {

/// A mapping of a slice that is better than the best known value.
struct Better {
  const Solution* slice = nullptr;  ///< kept by the slice solver
  Rational value;
};

/// One slice, with lower bounds of its costs.
struct Slice {
  Workload layer;
  GoalCosts floor;
  mapper::ChoiceFloors choices;  ///< the same of storage choices
};

class SliceSearch {
 public:
  /// Keeps references.
  SliceSearch(const Device& device, const Question& question, slices::SliceSolver& solver)
      : device_(device), question_(question), solver_(solver) {}

  /// The best mapping of a slice under an offer that keeps what earlier goals attained, if it is
  /// below `below`. If a limit ends the search, see stopped(), there may be a better one.
  std::optional<Better> least(const Slice& slice, const Offer& offer, Goal goal,
                              const std::vector<GoalCap>& attained,
                              const std::optional<Rational>& below);
  /// Whether a limit has ended any search.
  [[nodiscard]] bool stopped() const { return stopped_; }

 private:
  using Weights = std::optional<std::pair<Rational, Rational>>;  // of L and E
  using Limit = std::optional<Rational>;                         // excluded
  /// The costs of a mapping on one unit.
  struct Point {
    GoalCosts costs;
    const Solution* solution = nullptr;
  };
  /// A walk along the hull: the least product so far, or all vertices of a known least product.
  struct HullWalk {
    const Region& region;
    Limit below;
    bool ties = false;
    std::vector<Point> found;

    [[nodiscard]] Rational product(const Rational& latency, const Rational& energy) const;
    [[nodiscard]] bool worth(const Rational& bound) const;
    void meet(const Point& point);
  };

  std::optional<Better> least_in(const Region& region, Goal goal, const Limit& below);
  [[nodiscard]] std::optional<Region> narrowed(Region region, const Rational& below) const;
  std::optional<Better> least_on(const Region& region, const Line& line, const Limit& below);
  std::optional<Better> fastest(const Offer& offer, const Limit& below,
                                const std::vector<GoalCap>& caps);
  std::optional<Point> ask(const Region& region, std::vector<Goal> goals, const Weights& weights,
                           const Limit& below);

  std::vector<Region> regions(const Offer& offer, const std::vector<GoalCap>& attained);
  [[nodiscard]] std::vector<GoalCap> caps_of(const Offer& offer,
                                             const std::vector<GoalCap>& attained) const;
  std::vector<Region> keeping(Region region, const GoalCap& attained);

  void walk(HullWalk& hull);
  void between(HullWalk& hull, const Point& a, const Point& b);

  const Device& device_;
  const Question& question_;
  slices::SliceSolver& solver_;
  const Slice* slice_ = nullptr;
  bool stopped_ = false;
};

}  // namespace pimbb::dram_pim::device
