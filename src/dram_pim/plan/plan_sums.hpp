// Plans with agreeing layouts whose goals are sums over layers and copies.
#pragma once

#include "pimbb/dram_pim/layout_plan.hpp"

namespace pimbb::dram_pim::network {

/// The plan of least latency, energy, activations, blend, or list of them. Input is checked.
LayoutPlan plan_sums(const Architecture& architecture, const Graph& graph, const Question& question,
                     const RunLimits& limits);

}  // namespace pimbb::dram_pim::network
