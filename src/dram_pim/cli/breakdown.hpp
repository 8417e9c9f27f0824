// The terms of a mapping's latency and energy.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/workload.hpp"
#include "terminal/bars.hpp"

namespace pimbb::dram_pim::cli {

/// The cycle counts whose maximum is the latency: compute, the on-chip levels innermost first, the
/// DRAM for each tensor (for all together if they share a stream), the interconnect if it is
/// bounded.
std::vector<Term> cycle_terms(const Architecture& architecture, const Metrics& metrics);

/// The parts of such a term of the DRAM: transfers into the row buffer, and row activations. None
/// of a term of any other resource.
std::vector<Term> dram_parts(const Architecture& architecture, const Metrics& metrics,
                             const std::string& term);

/// The names of the terms that are equal to the latency: "compute", or several terms.
std::vector<std::string> bottlenecks(const Architecture& architecture, const Metrics& metrics);

/// The parts whose sum is the energy: MACs, each level's accesses, row activations.
std::vector<Term> energy_terms(const Architecture& architecture, const Workload& workload,
                               const Metrics& metrics);

/// The utilisation of a level: the sum of its tensors; for the row buffer the fullest tensor,
/// because each tensor has its own row.
Rational fill(const Architecture& architecture, const Metrics& metrics, std::size_t m);

}  // namespace pimbb::dram_pim::cli
