// A network as one problem: lists of goals over its totals, EDP among them (goal_list.hpp), with or
// without an agreement between the layers, under which agreement.hpp minimises sums.
#pragma once

#include <deque>

#include "dram_pim/network/agreement.hpp"
#include "dram_pim/network/fitting_blend.hpp"
#include "dram_pim/network/goal_list.hpp"

namespace pimbb::dram_pim::network {

struct JointOutcome : Outcome {
  Objective layers_objective;  ///< what the layers were solved for
};

class JointSearch final : public SumsSolver {
 public:
  /// Keeps a reference to the pool.
  JointSearch(LayerPool& pool, const JointOptions& joint);

  /// Every layer must have a mapping. No layers in the outcome: no agreement is feasible.
  JointOutcome run();

  LeastSums least(const Objective& sums, const SumsTask& task) override;
  [[nodiscard]] bool stopped() const override { return pool_.stopped(); }
  search::Blend fitting(const search::Blend& direction) override;
  void report(Goal goal, const Rational* best, const Rational& bound) override;

 private:
  LayerPool& pool_;
  GoalListSearch goals_;
  AgreementSearch search_;
  std::uint64_t parts_ = 0;
  std::deque<Outcome> answers_;
  std::optional<FittingBlend> fitting_;  // made when it is needed
};

}  // namespace pimbb::dram_pim::network
