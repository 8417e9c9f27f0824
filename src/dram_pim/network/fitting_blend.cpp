// Rounding until every layer's integers hold the weights.
#include "dram_pim/network/fitting_blend.hpp"

#include <algorithm>

#include "dram_pim/mapper/target.hpp"

namespace pimbb::dram_pim::network {

FittingBlend::FittingBlend(const Architecture& architecture,
                           const std::vector<const Workload*>& layers) {
  for (const Workload* layer : layers) scales_.push_back(mapper::make_scale(architecture, *layer));
}

bool FittingBlend::fits(const search::Blend& blend) const {
  Objective objective;
  objective.alpha = blend.alpha;
  objective.beta = blend.beta;
  return std::ranges::all_of(scales_, [&](const mapper::Scale& scale) {
    return mapper::Target::weights_fit(scale, objective);
  });
}

search::Blend FittingBlend::of(const search::Blend& wanted, const search::Blend& exact,
                               unsigned bits) const {
  search::Blend blend = wanted;
  for (; bits >= 1 && !fits(blend); bits /= 2) blend = search::coarser(exact, bits);
  return blend;
}

}  // namespace pimbb::dram_pim::network
