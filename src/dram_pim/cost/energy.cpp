// Counts times energies.
#include "dram_pim/cost/energy.hpp"

namespace pimbb::dram_pim {

Rational EnergyParts::accesses_to(std::size_t level) const {
  Rational sum;
  for (const auto& part : accesses[level]) {
    if (part) sum += *part;
  }
  return sum;
}

EnergyParts energy_parts(const Architecture& architecture, const Workload& workload,
                         const Metrics& metrics) {
  EnergyParts parts;
  parts.macs = architecture.pe_array.mac_energy * workload.macs();
  parts.accesses.resize(metrics.levels.size());
  for (const Tensor t : kAllTensors) {
    for (std::size_t m = 0; m < metrics.levels.size(); ++m) {
      const std::optional<Rational>& reads = metrics.levels[m].reads[index(t)];
      if (reads) parts.accesses[m][index(t)] = *reads * architecture.levels[m].access_cost;
    }
    parts.activations[index(t)] =
        metrics.row_activations[index(t)] * architecture.activation_energy;
  }
  return parts;
}

}  // namespace pimbb::dram_pim
