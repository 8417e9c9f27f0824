// A network as one problem: lists of goals over its totals, EDP among them, with or without an
// agreement between the layers.
//
// agreement.hpp minimises sums. With EDP, total latency times total energy, in the list:
//
//   - If earlier goals fix the latency, the energy or a blend of both, EDP is minimised on a line
//     (or a point). On a line the product is least at an end: least latency or least energy. Both
//     are found as lists of sums.
//   - Otherwise (EDP is first, or after the activations) search/least_product.hpp searches the
//   lower
//     left convex hull; each direction is a list of sums.
//   - Later goals choose among the mappings of least EDP. These have the pairs of total latency and
//     energy that search/least_product.hpp finds as minimisers, usually one, and each is the only
//     minimum of its own direction. The mappings with this pair are those that minimise this blend;
//     their latency, energy, EDP and blends are fixed, and only the activations remain to minimise.
#pragma once

#include "dram_pim/network/agreement.hpp"
#include "dram_pim/network/fitting_blend.hpp"

namespace pimbb::dram_pim::network {

struct JointOutcome : Outcome {
  Objective layers_objective;  ///< what the layers were solved for
};

class JointSearch {
 public:
  /// Keeps a reference to the pool.
  JointSearch(LayerPool& pool, const JointOptions& joint);

  /// Every layer must have a mapping. No layers in the outcome: no agreement is feasible.
  JointOutcome run();

 private:
  JointOutcome sums(const std::vector<Goal>& goals, const search::Blend& blend);
  JointOutcome on_a_line(std::size_t edp);
  JointOutcome on_the_hull(std::size_t edp);
  search::Support support(const search::Blend& asked);
  JointOutcome choose(const search::ProductMinimum& minimum, std::size_t edp);
  JointOutcome best_at(const search::ProductPoint& point);
  [[nodiscard]] search::Blend fitting(const search::Blend& direction);
  [[nodiscard]] NetworkTotals totals(const Outcome& outcome) const;
  void report(Goal goal, const Rational* best, const Rational& bound) const;

  LayerPool& pool_;
  const Objective& objective_;
  AgreementSearch search_;
  std::uint64_t parts_ = 0;

  // While EDP is searched for.
  bool on_the_hull_ = false;
  std::optional<FittingBlend> fitting_;  // made when it is needed
  std::vector<Goal> before_;             // goals before it
  bool before_proven_ = true;            // bounds hold among the mappings that are best for them
  std::vector<JointOutcome> asked_;      // one for each direction
};

}  // namespace pimbb::dram_pim::network
