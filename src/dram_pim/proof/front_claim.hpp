// The claim that every mapping within the limits costs at least as much as one point of a front on
// every axis.
#pragma once

#include <vector>

#include "dram_pim/mapper/staircase.hpp"
#include "dram_pim/proof/claim.hpp"
#include "pimbb/dram_pim/question.hpp"

namespace pimbb::dram_pim::proof {

class FrontClaim : public AnyClaim {
 public:
  /// `objective`: the axes as its goals, and the weights of limits on a blend. Keeps a reference to
  /// the scale.
  FrontClaim(const mapper::Scale& scale, const Objective& objective,
             const std::vector<mapper::Costs>& points, const std::vector<GoalCap>& caps);

  [[nodiscard]] Verdict verdict(const mapper::Costs& least) const override;
  [[nodiscard]] bool settles(Verdict verdict) const override { return verdict != Verdict::open; }
  [[nodiscard]] bool has_closed_trees() const override { return true; }
  [[nodiscard]] const mapper::Target& target() const override { return target_; }
  /// Just below the latencies of points, spread evenly if there are too many of them.
  [[nodiscard]] std::vector<Int128> thresholds() const;

 private:
  mapper::Staircase points_;
  mapper::Target target_;
};

}  // namespace pimbb::dram_pim::proof
