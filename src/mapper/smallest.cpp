// Building the smallest mapping, and saying what does not fit.
#include "mapper/smallest.hpp"

#include "pimbb/feasibility.hpp"

namespace pimbb::mapper {

Mapping smallest_mapping(const Architecture& architecture, const Workload& workload) {
  Mapping smallest;
  smallest.levels.resize(architecture.levels.size());
  for (std::size_t m = 0; m < architecture.levels.size(); ++m) {
    const bool free = m < architecture.row_buffer() && architecture.levels[m].bypass_free;
    smallest.levels[m].stores = free ? TensorFlags{} : architecture.storable(m);
  }
  for (const Dim j : kAllDims) {
    if (workload.bound(j) > 1) smallest.levels.back().loops.push_back({j, workload.bound(j)});
  }
  return smallest;
}

std::string obstacle(const Architecture& architecture, const Workload& workload) {
  const auto violation =
      find_violation(architecture, workload, smallest_mapping(architecture, workload));
  if (!violation) return {};
  const bool in_dram = violation->message.starts_with(architecture.levels.back().name);
  return violation->message + (in_dram ? ": the DRAM must hold the whole layer"
                                       : ": not even one element of each tensor it stores fits");
}

}  // namespace pimbb::mapper
