// The bounds to begin with, and which bound tells what.
#include "dram_pim/mapper/known_bounds.hpp"

namespace pimbb::dram_pim::mapper {

KnownBounds::KnownBounds(const Architecture& architecture, const Workload& workload,
                         RowModel row_model, const Scale& scale) {
  Int128 parallel = 1;
  for (const Direction d : kAllDirections) parallel *= architecture.pe_array.extent(d);
  least_.latency = workload.macs() * scale.cycle / parallel;
  const Int128 moved =
      workload.tensor_elements(Tensor::weight) + workload.tensor_elements(Tensor::output);
  least_.energy = scale.mac_energy + moved * scale.access[architecture.dram()];
  if (row_model != RowModel::none) {
    least_.activations = static_cast<Int128>(kTensors) * scale.row;  // a row of each tensor
  }
}

void KnownBounds::raise(const Target& target, const Wide& bound) {
  if (bound == Wide::infinity()) return;
  const auto value = static_cast<Int128>(bound.low);  // of these three goals it is never larger
  if (target.goal() == Goal::latency) raise_latency(value);
  if (target.goal() == Goal::energy) raise_energy(value);
  if (target.goal() == Goal::activations) {
    least_.activations = std::max(least_.activations, value);
  }
}

}  // namespace pimbb::dram_pim::mapper
