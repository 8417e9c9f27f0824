// The terms of which the latency is the greatest, one by one.
#pragma once

#include <vector>

#include "pimbb/dram_pim/cost.hpp"

namespace pimbb::dram_pim {

/// Cycles of computation, of the interconnect, of the DRAM and of each on-chip level; one term for
/// each tensor where these move at the same time. Metrics::latency is the greatest. Each term is
/// linear in every time of the architecture and in the reciprocal of every bandwidth, and the
/// terms of two architectures that differ in nothing else are in the same order.
std::vector<Rational> latency_terms(const Architecture& architecture, const Mapping& mapping,
                                    const Metrics& metrics);

}  // namespace pimbb::dram_pim
