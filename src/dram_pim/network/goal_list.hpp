// A list of goals over the totals of a network, EDP among them, by means of lists of sums alone.
//
//   - If earlier goals fix the latency, the energy or a blend of both, EDP is minimised on a line
//     (or a point). On a line the product is least at an end: least latency or least energy. Both
//     are found as lists of sums.
//   - Otherwise (EDP is first, or after the activations) search/least_product.hpp searches the
//     lower left convex hull; each direction is a list of sums.
//   - Later goals choose among the mappings of least EDP. These have the pairs of total latency and
//     energy that search/least_product.hpp finds as minimisers, usually one, and each is the only
//     minimum of its own direction. The mappings with this pair are those that minimise this blend;
//     their latency, energy, EDP and blends are fixed, and only the activations remain to minimise.
//
// None of this depends on what the layers have in common, or share: only on a solver for sums.
#pragma once

#include <optional>
#include <vector>

#include "dram_pim/network/totals.hpp"
#include "search/least_product.hpp"

namespace pimbb::dram_pim::network {

/// What minimises a list of sums over the layers, with a proven bound.
struct LeastSums {
  bool found = false;
  Values value;
  Values floor;      ///< nothing is better, in the order of the list
  GoalCosts totals;  ///< of what was found
  [[nodiscard]] bool proven() const { return value == floor; }
};

/// How much of an answer is needed.
struct SumsTask {
  bool rough = false;                ///< anything, with a bound that comes with it
  std::optional<Rational> enough{};  ///< a bound of the first goal that will do
};

class SumsSolver {
 public:
  SumsSolver() = default;
  SumsSolver(const SumsSolver&) = delete;
  SumsSolver& operator=(const SumsSolver&) = delete;
  virtual ~SumsSolver() = default;
  /// Goals that are sums, each once. What is found is kept under the number of the call: 0, 1, ...
  virtual LeastSums least(const Objective& sums, const SumsTask& task) = 0;
  /// Whether a limit ends the search.
  [[nodiscard]] virtual bool stopped() const = 0;
  /// The direction itself, or a close one whose weights fit the integers of every layer's search.
  virtual search::Blend fitting(const search::Blend& direction) = 0;
  /// A lower bound of the total energy, where the least energy itself is expensive.
  virtual std::optional<Rational> energy_floor() { return std::nullopt; }
  virtual void report(Goal goal, const Rational* best, const Rational& bound) = 0;
};

struct ListOutcome : LeastSums {
  std::size_t answer = 0;  ///< the number of the call
  Objective sums;          ///< what was asked there
};

class GoalListSearch {
 public:
  /// Keeps references.
  GoalListSearch(SumsSolver& solver, const Objective& objective)
      : solver_(solver), objective_(objective) {}

  ListOutcome run();
  /// Whether a direction of EDP is being asked for: its values are none of the objective.
  [[nodiscard]] bool on_the_hull() const { return on_the_hull_; }

 private:
  ListOutcome sums(const std::vector<Goal>& goals, const search::Blend& blend,
                   const SumsTask& task = {});
  ListOutcome on_a_line(std::size_t edp);
  ListOutcome least_product(std::size_t edp);
  search::Support support(const search::AskedBlend& asked);
  ListOutcome choose(const search::ProductMinimum& minimum, std::size_t edp);
  ListOutcome best_at(const search::ProductPoint& point);
  [[nodiscard]] Values values(const GoalCosts& totals) const;

  SumsSolver& solver_;
  const Objective& objective_;
  std::size_t calls_ = 0;

  // While EDP is searched for.
  bool on_the_hull_ = false;
  std::vector<Goal> before_;        // goals before it
  bool before_proven_ = true;       // bounds hold among the mappings that are best for them
  std::vector<ListOutcome> asked_;  // one for each direction
};

}  // namespace pimbb::dram_pim::network
