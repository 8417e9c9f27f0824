// The oracle's own reading of the dataflows, for exhaustive searches within one.
#pragma once

#include "pimbb/dram_pim/method.hpp"
#include "support/brute_force.hpp"

namespace oracle {

/// What of a mapping is within the dataflow: its loops and factors, and each tensor's storage. The
/// architecture and the layer must outlive it.
Restriction within(const Architecture& a, const Workload& w, pimbb::dram_pim::Method method);

}  // namespace oracle
