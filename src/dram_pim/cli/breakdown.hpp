// A mapping's cost taken apart: which terms make up the latency and the energy.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/cost.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::cli {

struct Term {
  std::string name;
  Rational value;
};

/// The cycle counts whose maximum is the latency: compute, the on-chip levels innermost first, the
/// DRAM for each tensor, the interconnect where it is bounded.
std::vector<Term> cycle_terms(const Architecture& architecture, const Metrics& metrics);

/// What a tensor's DRAM cycles are made of: the transfer into the row buffer, and row activations.
std::vector<Term> dram_parts(const Architecture& architecture, const Metrics& metrics, Tensor t);

/// Names of the terms that are the latency: "compute", or several of them.
std::vector<std::string> bottlenecks(const Architecture& architecture, const Metrics& metrics);

/// The parts whose sum is the energy: MACs, each level's accesses, row activations.
std::vector<Term> energy_terms(const Architecture& architecture, const Workload& workload,
                               const Metrics& metrics);

/// How full a level is: the sum of its tensors, or at the row buffer the fullest tensor, since each
/// has a row buffer of its own.
Rational fill(const Architecture& architecture, const Metrics& metrics, std::size_t m);

}  // namespace pimbb::dram_pim::cli
