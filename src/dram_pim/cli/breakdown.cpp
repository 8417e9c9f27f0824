// Naming the terms of Metrics in the order of the hardware, from the PEs outwards.
#include "dram_pim/cli/breakdown.hpp"

#include "dram_pim/cost/energy.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {

std::vector<Term> cycle_terms(const Architecture& architecture, const Metrics& metrics) {
  std::vector<Term> terms{{"compute", metrics.compute_cycles}};
  for (std::size_t m = 0; m < architecture.row_buffer(); ++m) {
    if (metrics.levels[m].cycles) {
      terms.push_back({printable(architecture.levels[m].name), *metrics.levels[m].cycles});
    }
  }
  if (architecture.shared_streams) terms.push_back({"DRAM", dram_busy(architecture, metrics)});
  for (const Tensor t : kAllTensors) {
    if (architecture.shared_streams) break;
    terms.push_back({"DRAM " + std::string(name(t)), metrics.dram_cycles[index(t)]});
  }
  if (architecture.interconnect_bandwidth) {
    terms.push_back({"interconnect", metrics.interconnect_cycles});
  }
  return terms;
}

std::vector<Term> dram_parts(const Architecture& architecture, const Metrics& metrics,
                             const std::string& term) {
  std::vector<Term> parts;
  for (const Tensor t : kAllTensors) {
    const std::string tensor(name(t));
    if (term != "DRAM" && term != "DRAM " + tensor) continue;
    const std::string prefix = term == "DRAM" ? tensor + " " : "";
    const Rational rows = metrics.row_activations[index(t)] * architecture.activation_cycles();
    parts.push_back({prefix + "transfer", metrics.dram_cycles[index(t)] - rows});
    parts.push_back({prefix + "activations", rows});
  }
  return parts;
}

std::vector<std::string> bottlenecks(const Architecture& architecture, const Metrics& metrics) {
  std::vector<std::string> names;
  for (const Term& term : cycle_terms(architecture, metrics)) {
    if (term.value == metrics.latency) names.push_back(term.name);
  }
  return names;
}

std::vector<Term> energy_terms(const Architecture& architecture, const Workload& workload,
                               const Metrics& metrics) {
  const EnergyParts parts = energy_parts(architecture, workload, metrics);
  std::vector<Term> terms{{"MACs", parts.macs}};
  for (std::size_t m = 0; m < architecture.levels.size(); ++m) {
    terms.push_back({printable(architecture.levels[m].name), parts.accesses_to(m)});
  }
  Rational activations;
  for (const Rational& part : parts.activations) activations += part;
  terms.push_back({"row activations", activations});
  return terms;
}

Rational fill(const Architecture& architecture, const Metrics& metrics, std::size_t m) {
  Rational total;
  for (const auto& part : metrics.levels[m].buffer_utilization) {
    if (!part) continue;
    total = m == architecture.row_buffer() ? max(total, *part) : total + *part;
  }
  return total;
}

}  // namespace pimbb::dram_pim::cli
