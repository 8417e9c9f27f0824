// Dynamic energy: transfers, levels that are always charged, boots, and activations.
//
// Transfers read the source and write the destination; outputs do both ways at both ends. Reading
// the innermost level of a tensor costs nothing. The published model's artefacts are kept: a
// bypassed buffer costs nothing, and a bypassed macro is never written.
#include "cim/cost/energy.hpp"

namespace pimbb::cim::cost {
namespace {

/// Charges `energy` to a level, tensor and cause.
struct Charge {
  EnergyTable* table = nullptr;
  Energy sum = 0;

  void add(std::size_t level, Tensor t, Energy LevelUnits::*cause, Energy energy) {
    sum += energy;
    if (table != nullptr) (*table)[level][index(t)].*cause += energy;
  }
};

}  // namespace

BitCosts bit_costs(const Architecture& a, const Units& units, Tensor t, std::size_t level) {
  const std::int64_t read = level == a.innermost(t) ? 0 : units.read[level];
  const std::int64_t write = units.write[level];
  const bool both = t == Tensor::output;
  return {read + (both ? write : 0), write + (both ? read : 0)};
}

Energy dynamic_energy(const Nest& nest, EnergyTable* table) {
  const Architecture& a = nest.architecture();
  const Units& units = nest.units();
  const Unrolling& unrolling = nest.unrolling();
  Charge charge{table};
  const auto instances = [&](Tensor t, std::size_t level) {
    return Energy{unrolling.at(t, level).instances};
  };
  for (std::size_t k = 0; k < nest.first[kTensors]; ++k) {
    const Block& b = nest.blocks[k];
    if (!b.moves) continue;
    const Energy out = Energy{b.tile} * b.bits * instances(b.tensor, b.from) *
                       bit_costs(a, units, b.tensor, b.from).out;
    charge.add(b.from, b.tensor, &LevelUnits::transfers, b.fires * out);
    if (b.to == kMac) continue;
    const Energy in = Energy{b.data_to} * b.bits_to * instances(b.tensor, b.to) *
                      bit_costs(a, units, b.tensor, b.to).in;
    charge.add(b.to, b.tensor, &LevelUnits::transfers, b.fires * in);
  }
  for (const Tensor t : kAllTensors) {
    const std::size_t begin = nest.first[index(t)];
    const std::size_t end = nest.first[index(t) + 1];
    const std::size_t z = a.innermost(t);
    if (a.levels[z].always_charged && (begin == end || nest.blocks[begin].from != z)) {
      const std::int64_t bits =
          t == Tensor::output && nest.psum(z) ? a.bits.psum : a.bits.tensor[index(t)];
      const Energy tile = Energy{nest.elements_of()(t, unrolling.at(t, z).tile)} * bits;
      charge.add(z, t, &LevelUnits::charged,
                 nest.products * tile * instances(t, z) * units.write[z] * ways(t));
    }
    if (!nest.boots(t)) continue;
    const Energy whole = Energy{nest.elements[index(t)]} * a.bits.tensor[index(t)];
    charge.add(a.dram(), t, &LevelUnits::boot, whole * bit_costs(a, units, t, a.dram()).out);
    if (begin == end) continue;
    const Block& b = nest.blocks[end - 1];
    charge.add(b.from, t, &LevelUnits::boot,
               Energy{b.data} * b.bits * instances(t, b.from) * bit_costs(a, units, t, b.from).in);
  }
  return charge.sum + Energy{units.activation} * nest.products * unrolling.cores();
}

}  // namespace pimbb::cim::cost
