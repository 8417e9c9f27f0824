// Building the smallest mapping, and saying what does not fit.
#include "dram_pim/mapper/smallest.hpp"

#include "dram_pim/model/dataflow.hpp"
#include "pimbb/dram_pim/feasibility.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// Takes a factor of j out of what is left for the DRAM and unrolls it where it fits.
void unroll(const PeArray& array, Dim j, std::int64_t factor, Mapping& mapping, Factors& left) {
  for (const Direction d : {Direction::H, Direction::W}) {
    Factors& in = mapping.spatial[index(d)];
    std::int64_t used = factor;
    for (const std::int64_t f : in) used *= f;
    if (factor == 1 || !array.allows(d, j) || used > array.extent(d)) continue;
    in[index(j)] = factor;
    left[index(j)] /= factor;
    return;
  }
}

/// Filter rows first, in either direction: if both fit together, one of the two orders finds how.
void place_rows(const Architecture& a, const Workload& w, Mapping& mapping, Factors& left) {
  const model::RowUnrolling rows = model::row_unrolling(a.pe_array, w);
  const auto place = [&](Dim first, std::int64_t n, Dim second, std::int64_t m) {
    mapping.spatial = {kOnes, kOnes, kOnes};
    left = w.bounds;
    unroll(a.pe_array, first, n, mapping, left);
    unroll(a.pe_array, second, m, mapping, left);
  };
  place(Dim::S, rows.filter_rows, Dim::Q, rows.output_rows);
  if (mapping.spatial_tile()[index(Dim::Q)] != rows.output_rows) {
    place(Dim::Q, rows.output_rows, Dim::S, rows.filter_rows);
  }
  if (left[index(Dim::R)] > 1) {
    mapping.levels[0].loops.push_back({Dim::R, left[index(Dim::R)]});
    left[index(Dim::R)] = 1;
  }
}

}  // namespace

Mapping smallest_mapping(const Architecture& architecture, const Workload& workload,
                         Method method) {
  Mapping smallest;
  smallest.levels.resize(architecture.levels.size());
  for (std::size_t m = 0; m < architecture.levels.size(); ++m) {
    const bool free = m < architecture.row_buffer() && architecture.levels[m].bypass_free;
    smallest.levels[m].stores = free ? TensorFlags{} : architecture.storable(m);
    for (const Tensor t : kAllTensors) {
      if (model::must_store(architecture, method, m, t)) {
        smallest.levels[m].stores[index(t)] = true;
      }
    }
  }
  Factors left = workload.bounds;
  if (method == Method::rs) place_rows(architecture, workload, smallest, left);
  const auto kept = stationary_tensor(method);
  for (const bool innermost : {false, true}) {
    for (const Dim j : kAllDims) {
      const bool in_run = kept && !relevant(*kept, j);
      if (in_run != innermost || left[index(j)] == 1) continue;
      smallest.levels.back().loops.push_back({j, left[index(j)]});
    }
  }
  return smallest;
}

std::string obstacle(const Architecture& architecture, const Workload& workload, Method method) {
  const auto without = [&](Method m) {
    return find_violation(architecture, workload, smallest_mapping(architecture, workload, m));
  };
  if (const auto violation = without(Method::exact)) {
    const bool in_dram = violation->message.starts_with(architecture.levels.back().name);
    return violation->message + (in_dram ? ": the DRAM must hold the whole layer"
                                         : ": not even one element of each tensor it stores fits");
  }
  const auto violation = without(method);
  if (!violation) return {};
  return "within the dataflow " + std::string(name(method)) + ", " + violation->message +
         ": not even its smallest mapping fits";
}

}  // namespace pimbb::dram_pim::mapper
