// The terms of a mapping's cycles and energy, for reports that show or compare them.
#pragma once

#include <vector>

#include "cim/cli/words.hpp"
#include "pimbb/cim/cost.hpp"
#include "terminal/bars.hpp"

namespace pimbb::cim::cli {

/// Cycles of the products and of each port, the DRAM first; zeros too, so that terms of several
/// mappings stand side by side.
std::vector<Term> cycle_terms(const Architecture& architecture, const Metrics& metrics);

/// Activations, leakage, and each level by tensor: their sum is the energy.
std::vector<Term> energy_terms(const Architecture& architecture, const Metrics& metrics);

}  // namespace pimbb::cim::cli
