// Tables of a scheme.
#include "cim/mapper/space.hpp"

#include <algorithm>

namespace pimbb::cim::mapper {

Problem::Problem(const Architecture& a, const Workload& w, const Question& q, const cost::Units& u,
                 const Elements& e)
    : architecture(a), layer(w), question(q), units(u), elements(e) {
  for (const Tensor t : kAllTensors) {
    for (const std::size_t m : a.chain(t)) {
      chain[index(t)].push_back(static_cast<std::uint8_t>(m));
    }
    innermost[index(t)] = chain[index(t)].front();
  }
  shared_index.fill(-1);
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    const auto& stores = a.levels[m].stores;
    if (!a.levels[m].size_bits || stores[0] + stores[1] + stores[2] < 2) continue;
    shared_index[m] = static_cast<std::int8_t>(shared.size());
    shared.push_back(static_cast<std::uint8_t>(m));
  }
  stationary = q.method == Method::ws;
}

Space::Space(const Problem& problem, const Scheme& scheme,
             const std::array<const FactorSteps*, kDims>& steps)
    : layer(problem.layer), unrolling(problem.architecture, scheme.spatial), problem_(problem) {
  Factors unrolled = kOnes;
  for (const Factors& factors : scheme.spatial) unrolled = times(unrolled, factors);
  layer.bounds = times(scheme.extents, unrolled);
  index_dimensions(steps);
  count_elements();
  const std::size_t dram = problem.architecture.dram();
  for (const Tensor t : kAllTensors) {
    const std::int64_t bits = problem.elements(t, layer.bounds) * problem.bits(t, false);
    boot[index(t)] = bits * problem.units.bit[dram];
    boot_energy[index(t)] =
        Energy{bits} * cost::bit_costs(problem.architecture, problem.units, t, dram).out;
  }
}

void Space::index_dimensions(const std::array<const FactorSteps*, kDims>& steps) {
  for (const Dim d : kAllDims) {
    Dimension& dim = dims[index(d)];
    dim.steps = steps[index(d)];
    const auto count = static_cast<std::uint32_t>(dim.steps->positions.size());
    dim.stride = cells;
    cells *= count;
    products *= dim.steps->positions.back().done;
    if (is_reduction(d)) reductions *= dim.steps->positions.back().done;
    for (const Tensor t : kAllTensors) {
      if (!relevant(t, d)) continue;
      dim.plot_stride[index(t)] = plots[index(t)];
      plots[index(t)] *= count;
    }
  }
}

std::uint32_t Space::plot(std::uint32_t cell, Tensor t) const {
  std::uint32_t plot = 0;
  for (std::size_t j = 0; j < kDims; ++j) {
    plot += dims[j].plot_stride[index(t)] * static_cast<std::uint32_t>(position(cell, j));
  }
  return plot;
}

void Space::count_elements() {
  for (const Tensor t : kAllTensors) {
    for (const std::uint8_t m : problem_.chain[index(t)]) {
      const Factors& tile = unrolling.at(t, m).tile;
      std::vector<std::int64_t>& table = elements_[index(t)][m];
      table.resize(plots[index(t)]);
      for (std::uint32_t plot = 0; plot < plots[index(t)]; ++plot) {
        Factors extents = tile;
        for (std::size_t j = 0; j < kDims; ++j) {
          const Dimension& dim = dims[j];
          if (dim.plot_stride[index(t)] == 0) continue;
          const auto& positions = dim.steps->positions;
          extents[j] *= positions[plot / dim.plot_stride[index(t)] % positions.size()].done;
        }
        table[plot] = problem_.elements(t, extents);
      }
    }
  }
}

Time Space::time(Tensor t, std::size_t from, std::size_t to, std::uint32_t plot, bool psum) const {
  const std::uint8_t innermost = problem_.innermost[index(t)];
  if (t == Tensor::weight && from == innermost) return 0;
  const cost::Units& units = problem_.units;
  const Time raw = data(t, from, plot, psum) * units.bit[from];
  const Time serial = to == kMac && from != innermost ? units.cycle : 0;
  switch (problem_.question.pricing.semantics) {
    case Semantics::recursion: return std::max(units.cycle, raw) + serial;
    case Semantics::table3: return raw;
    default: return (raw + units.cycle - 1) / units.cycle * units.cycle + serial;
  }
}

Energy Space::energy(Tensor t, std::size_t from, std::size_t to, std::uint32_t plot, bool psum,
                     bool psum_to) const {
  if (t == Tensor::weight && from == problem_.innermost[index(t)]) return 0;
  const auto part = [&](std::size_t level, bool partial, std::int64_t per_bit) {
    return Energy{data(t, level, plot, partial)} * unrolling.at(t, level).instances * per_bit;
  };
  const Architecture& a = problem_.architecture;
  Energy sum = part(from, psum, cost::bit_costs(a, problem_.units, t, from).out);
  if (to != kMac) sum += part(to, psum_to, cost::bit_costs(a, problem_.units, t, to).in);
  return sum;
}

Energy Space::charged(Tensor t) const {
  const std::uint8_t z = problem_.innermost[index(t)];
  if (!problem_.architecture.levels[z].always_charged) return 0;
  return Energy{products} * data(t, z, 0, reductions > 1) * unrolling.at(t, z).instances *
         problem_.units.write[z] * cost::ways(t);
}

std::uint64_t Space::bytes() const {
  std::uint64_t bytes = sizeof(Space);
  for (const Tensor t : kAllTensors) {
    bytes +=
        std::uint64_t{plots[index(t)]} * problem_.chain[index(t)].size() * sizeof(std::int64_t);
  }
  return bytes;
}

}  // namespace pimbb::cim::mapper
