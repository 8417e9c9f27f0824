// The question and the limits of one solve in one place, which is handy where a test varies both.
// The overloads hand them on, each to its parameter.
#pragma once

#include <functional>
#include <vector>

#include "pimbb/dram_pim.hpp"

namespace testkit {

struct SolveOptions : pimbb::dram_pim::Question, pimbb::RunLimits {};

inline pimbb::dram_pim::Solution solve(const pimbb::dram_pim::Architecture& architecture,
                                       const pimbb::Workload& workload,
                                       const SolveOptions& options) {
  return pimbb::dram_pim::solve(architecture, workload, options, options);
}

inline pimbb::dram_pim::Audit audit(const pimbb::dram_pim::Architecture& architecture,
                                    const pimbb::Workload& workload,
                                    const pimbb::dram_pim::Mapping& mapping,
                                    const SolveOptions& options) {
  return pimbb::dram_pim::audit(architecture, workload, mapping, options, options);
}

inline void prove(const pimbb::dram_pim::Architecture& architecture,
                  const pimbb::Workload& workload, const SolveOptions& options,
                  const pimbb::dram_pim::Solution& solution,
                  const std::vector<pimbb::dram_pim::ProofTracer*>& tracers) {
  pimbb::dram_pim::prove(architecture, workload, options, options, solution, tracers);
}

inline pimbb::dram_pim::Proof prove(const pimbb::dram_pim::Architecture& architecture,
                                    const pimbb::Workload& workload, const SolveOptions& options,
                                    const pimbb::dram_pim::Solution& solution) {
  return pimbb::dram_pim::prove(architecture, workload, options, options, solution);
}

inline pimbb::dram_pim::NetworkSolution solve_network(
    const pimbb::dram_pim::Architecture& architecture, const pimbb::Network& network,
    const SolveOptions& options,
    const std::function<void(const pimbb::dram_pim::LayerSolution&)>& on_layer = {},
    const pimbb::dram_pim::JointOptions& joint = {}) {
  return pimbb::dram_pim::solve_network(architecture, network, options, options, on_layer, joint);
}

inline pimbb::dram_pim::LayoutPlan plan_layouts(const pimbb::dram_pim::Architecture& architecture,
                                                const pimbb::Network& network,
                                                const SolveOptions& options) {
  return pimbb::dram_pim::plan_layouts(architecture, network, options, options);
}

}  // namespace testkit
