// Plans with agreeing layouts whose goals are sums over layers and copies.
#pragma once

#include "pimbb/layout_plan.hpp"

namespace pimbb::network {

/// The plan of least latency, energy, activations, blend, or list of them. Input is checked.
LayoutPlan plan_sums(const Architecture& architecture, const Graph& graph,
                     const SolveOptions& options);

}  // namespace pimbb::network
