// Directions of latency and energy whose weights the searches of all layers can compute with.
//
// A layer's search keeps costs as 128-bit integers; the weights of a blend, over a common
// denominator, have to fit them. A direction that does not fit is rounded to fewer bits, which is
// still a valid direction: only its bound touches the hull somewhere else.
#pragma once

#include <vector>

#include "dram_pim/mapper/scale.hpp"
#include "search/least_product.hpp"

namespace pimbb::dram_pim::network {

class FittingBlend {
 public:
  /// For blends of these layers' costs. Throws InputError where costs themselves do not fit.
  FittingBlend(const Architecture& architecture, const std::vector<const Workload*>& layers);

  /// `wanted` if its weights fit; else `exact` rounded to `bits` bits, or half as many, and so on.
  [[nodiscard]] search::Blend of(const search::Blend& wanted, const search::Blend& exact,
                                 unsigned bits) const;

 private:
  [[nodiscard]] bool fits(const search::Blend& blend) const;

  std::vector<mapper::Scale> scales_;
};

}  // namespace pimbb::dram_pim::network
