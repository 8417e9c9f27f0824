// Traffic, latency and energy from the definitions.
#include "support/oracle_cost.hpp"

namespace oracle {
namespace {

using pimbb::dram_pim::Goal;
using pimbb::dram_pim::Objective;

Fraction goal_value(Goal goal, const Objective& objective, const Fraction& latency,
                    const Fraction& energy, const Fraction& activations) {
  switch (goal) {
    case Goal::latency: return latency;
    case Goal::energy: return energy;
    case Goal::edp: return latency * energy;
    case Goal::activations: return activations;
    default: return Fraction(objective.alpha) * latency + Fraction(objective.beta) * energy;
  }
}

Fraction bandwidth(const pimbb::dram_pim::MemoryLevel& level, Tensor t) {
  const bool write = t == Tensor::output;
  const std::optional<pimbb::Rational>& given =
      write ? level.write_bandwidth : level.read_bandwidth;
  const Fraction one_port =
      given ? Fraction(*given) : Fraction(level.blocksize) / Fraction(level.latency);
  return one_port * (write ? level.num_write_ports : level.num_read_ports);
}

std::int64_t product_of_all_temporal(const Mapping& m) {
  std::int64_t product = 1;
  for (const PlacedLoop& loop : loops_from(m, 0)) product *= loop.factor;
  return product;
}

}  // namespace

Fraction Cost::activations() const {
  return tensors[0].activations + tensors[1].activations + tensors[2].activations;
}

Fraction Cost::value(Goal goal, const Objective& objective) const {
  return goal_value(goal, objective, latency, energy, activations());
}

Fraction CostOracle::Totals::value(Goal goal, const Objective& objective) const {
  return goal_value(goal, objective, latency, energy, activations);
}

CostOracle::CostOracle(const Architecture& a, const Workload& w, RowModel model)
    : a_(a),
      w_(w),
      model_(model),
      activation_energy_(a.activation_energy),
      mac_energy_(a.pe_array.mac_energy),
      reduction_latency_(a.pe_array.reduction_latency) {
  const pimbb::dram_pim::DramTimings& timings = a.dram_timings;
  t_act_ = timings.activation_latency ? Fraction(*timings.activation_latency)
                                      : Fraction(timings.tRCDRD) + Fraction(timings.tRP);
  for (std::size_t level = 0; level < a.levels.size(); ++level) {
    access_cost_.at(level) = Fraction(a.levels[level].access_cost);
  }
  for (const Tensor t : kAllTensors) {
    const Fraction bytes = Fraction(element_bits(a, t)) / Fraction(8);
    for (std::size_t level = 0; level < a.levels.size(); ++level) {
      cycles_per_element_.at(level)[index(t)] = bytes / bandwidth(a.levels[level], t);
    }
    if (a.interconnect_bandwidth) {
      interconnect_per_element_[index(t)] = bytes / Fraction(*a.interconnect_bandwidth);
    }
  }
}

Fraction CostOracle::fills(const Mapping& m, Tensor t, std::size_t level) const {
  std::int64_t count = tile_elements(w_, t, cumulative(m, level));
  bool counting = false;
  for (const PlacedLoop& loop : loops_from(m, level + 1)) {
    counting = counting || (indexed_by(t, loop.dim) && loop.factor > 1);
    if (counting) count *= loop.factor;
  }
  return count;
}

std::optional<std::size_t> CostOracle::next_inner(const Mapping& m, Tensor t,
                                                  std::size_t level) const {
  for (std::size_t i = level; i-- > 0;) {
    if (m.levels[i].stores[index(t)]) return i;
  }
  return std::nullopt;
}

void CostOracle::count_reads(const Mapping& m, Tensor t, TensorCost& c) const {
  std::int64_t on_array = 1;  // PEs in use
  for (std::size_t j = 0; j < kDims; ++j) on_array *= m.spatial[0][j] * m.spatial[1][j];
  for (std::size_t level = 0; level < a_.levels.size(); ++level) {
    if (!m.levels[level].stores[index(t)]) continue;
    Fraction reads;
    if (const auto inner = next_inner(m, t, level)) {
      reads = fills(m, t, *inner);
    } else {
      reads = product_of_all_temporal(m);
      for (const Dim j : kAllDims) {
        if (!indexed_by(t, j)) continue;
        reads *= m.spatial[2][index(j)];
        if (level > 0) reads *= m.spatial[0][index(j)] * m.spatial[1][index(j)];
      }
      if (t == Tensor::input && level + 2 == a_.levels.size()) {  // the row buffer: a box
        Factors box = m.spatial[0];
        for (std::size_t j = 0; j < kDims; ++j) box[j] *= m.spatial[1][j] * m.spatial[2][j];
        reads = product_of_all_temporal(m) * tile_elements(w_, t, box);
      }
    }
    Fraction total = level == 0 ? reads * on_array : reads;
    if (t == Tensor::output && a_.psum_rereads) {
      const Fraction grown = 2 * total - tile_elements(w_, t, w_.bounds);
      reads = reads * grown / total;
      total = grown;
    }
    c.reads.at(level) = reads;
    c.reads_total.at(level) = total;
  }
}

TensorCost CostOracle::tensor_cost(const Mapping& m, Tensor t, const Fraction& activations) const {
  TensorCost c;
  c.activations = activations;
  count_reads(m, t, c);
  for (std::size_t level = 0; level < a_.levels.size(); ++level) {
    c.energy += c.reads_total.at(level) * access_cost_.at(level);
  }
  c.energy += activations * activation_energy_;
  for (std::size_t level = 0; level < a_.row_buffer(); ++level) {
    c.level_cycles.at(level) = c.reads.at(level) * cycles_per_element_.at(level)[index(t)];
  }
  c.dram_cycles = c.reads.at(a_.row_buffer()) * cycles_per_element_.at(a_.row_buffer())[index(t)] +
                  activations * t_act_;
  std::size_t feeding = 1;  // innermost level >= 1 that stores t
  while (!m.levels[feeding].stores[index(t)]) ++feeding;
  c.interconnect_cycles = c.reads.at(feeding) * interconnect_per_element_[index(t)];
  return c;
}

Fraction CostOracle::compute_cycles(const Mapping& m) const {
  Fraction cycles = product_of_all_temporal(m);
  const Factors& internal = m.spatial[2];
  if (internal[index(Dim::R)] > 1 || internal[index(Dim::S)] > 1 || internal[index(Dim::C)] > 1) {
    cycles += reduction_latency_;
  }
  return cycles;
}

CostOracle::Totals CostOracle::totals(const Fraction& compute,
                                      const std::array<const TensorCost*, kTensors>& c) const {
  Totals total;
  total.latency = compute;
  for (std::size_t level = 0; level < a_.row_buffer(); ++level) {
    if (a_.levels[level].shared_ports) {
      total.latency = max(total.latency, c[0]->level_cycles[level] + c[1]->level_cycles[level] +
                                             c[2]->level_cycles[level]);
    } else {
      for (const TensorCost* t : c) total.latency = max(total.latency, t->level_cycles[level]);
    }
  }
  if (a_.shared_streams) {
    total.latency = max(total.latency, c[0]->dram_cycles + c[1]->dram_cycles + c[2]->dram_cycles);
  } else {
    for (const TensorCost* t : c) total.latency = max(total.latency, t->dram_cycles);
  }
  total.latency = max(total.latency, c[0]->interconnect_cycles + c[1]->interconnect_cycles +
                                         c[2]->interconnect_cycles);
  std::int64_t macs = 1;
  for (const std::int64_t bound : w_.bounds) macs *= bound;
  total.energy = mac_energy_ * macs + c[0]->energy + c[1]->energy + c[2]->energy;
  total.activations = c[0]->activations + c[1]->activations + c[2]->activations;
  return total;
}

Cost CostOracle::combine(const Mapping& m, const std::array<TensorCost, kTensors>& c) const {
  Cost cost;
  cost.tensors = c;
  cost.compute_cycles = compute_cycles(m);
  for (std::size_t level = 0; level < a_.row_buffer(); ++level) {
    Fraction& cycles = cost.level_cycles.at(level);
    for (const TensorCost& t : c) {
      cycles = a_.levels[level].shared_ports ? cycles + t.level_cycles.at(level)
                                             : max(cycles, t.level_cycles.at(level));
    }
  }
  for (const TensorCost& t : c) cost.interconnect_cycles += t.interconnect_cycles;
  const Totals total = totals(cost.compute_cycles, {&c[0], &c[1], &c[2]});
  cost.latency = total.latency;
  cost.energy = total.energy;
  return cost;
}

Cost CostOracle::evaluate(const Mapping& m) const {
  std::array<TensorCost, kTensors> c;
  for (const Tensor t : kAllTensors) {
    c[index(t)] = tensor_cost(m, t, row_activations(a_, w_, m, t, model_));
  }
  return combine(m, c);
}

}  // namespace oracle
