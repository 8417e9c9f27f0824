// Plans with agreeing layouts whose goals are sums over layers and copies.
#pragma once

#include "pimbb/dram_pim/layout_plan.hpp"

namespace pimbb::dram_pim::network {

/// The plan that minimises latency, energy, activations, a blend, or a list of these. The caller
/// has validated the input.
LayoutPlan plan_sums(const Architecture& architecture, const Graph& graph, const Question& question,
                     const RunLimits& limits);

}  // namespace pimbb::dram_pim::network
