// Transfers level by level, then the sums over all units.
//
// A child of level d covers the bounds c_d of the layer: those of the slice at the innermost level,
// and from level to level outwards times the factors there. What a link moves follows from the
// tensors of a layer with these bounds.
#include <utility>

#include "pimbb/dram_pim/device_cost.hpp"

namespace pimbb::dram_pim {
namespace {

/// sigma_d and rho_d[t]: children with work of their own, and with an own part of tensor t.
struct Fan {
  std::int64_t all = 1;
  PerTensor<std::int64_t> parts{1, 1, 1};

  explicit Fan(const Factors& factors) : all(product(factors)) {
    for (const Tensor t : kAllTensors) {
      for (const Dim j : kAllDims) {
        if (relevant(t, j)) parts[index(t)] *= factors[index(j)];
      }
    }
  }
};

class Transfers {
 public:
  Transfers(const Device& device, const Workload& layer, const Moves& moves, const Split& split)
      : device_(device), layer_(layer), moves_(moves), split_(split) {
    for (const Factors& factors : split) fans_.emplace_back(factors);
  }

  SplitCost cost(const Factors& slice) && {
    count_links();
    Factors covered = slice;
    for (std::size_t d = 0; d < split_.size(); ++d) {
      move_in(d, covered);
      move_out(d, covered);
      for (std::size_t j = 0; j < kDims; ++j) covered[j] *= split_[d][j];
      if (device_.levels[d].reduce) add_up(d, covered);
    }
    host_adds(covered);
    sum_up();
    return std::move(cost_);
  }

 private:
  [[nodiscard]] bool moves_in() const {
    return moves_[index(Tensor::input)] || moves_[index(Tensor::weight)];
  }
  [[nodiscard]] bool moves_out() const { return moves_[index(Tensor::output)]; }
  [[nodiscard]] Rational bytes(Tensor t, const Factors& covered) const {
    return layer_.tile_elements(t, covered) * device_.unit.moved_bytes(t);
  }

  /// links_d: how many children of level d + 1, and of those outside it, have work.
  void count_links() {
    cost_.links.resize(split_.size());
    std::int64_t outside = 1;
    for (std::size_t d = split_.size(); d-- > 0;) {
      cost_.links[d].count = outside;
      outside *= fans_[d].all;
    }
    for (std::size_t d = 0; d < split_.size(); ++d) {
      cost_.units *= device_.levels[d].lockstep ? device_.levels[d].count : fans_[d].all;
    }
  }

  void move_in(std::size_t d, const Factors& covered) {
    for (const Tensor t : {Tensor::input, Tensor::weight}) {
      if (!moves_[index(t)]) continue;
      const Fan& fan = fans_[d];
      const std::int64_t times = device_.levels[d].broadcast ? fan.parts[index(t)] : fan.all;
      cost_.links[d].bytes_in += times * bytes(t, covered);
    }
  }

  void move_out(std::size_t d, const Factors& covered) {
    if (!moves_out()) return;
    cost_.links[d].bytes_out = Rational(fans_[d].all) * sums_ * bytes(Tensor::output, covered);
    copies_ = sums_ * fans_[d].all / fans_[d].parts[index(Tensor::output)];
    sums_ = device_.levels[d].reduce ? 1 : copies_;
  }

  /// A parent of level d adds the partial sums of its children.
  void add_up(std::size_t d, const Factors& covered) {
    if (!moves_out()) return;
    cost_.reduce_energy += Rational(cost_.links[d].count) * (copies_ - 1) *
                           layer_.tile_elements(Tensor::output, covered) *
                           device_.levels[d].reduce_energy;
  }

  void host_adds(const Factors& covered) {
    if (!moves_out()) return;
    const Rational adds = Rational(sums_ - 1) * layer_.tile_elements(Tensor::output, covered);
    cost_.reduce_energy += adds * device_.host_reduce_energy;
    if (device_.host_reduce_bandwidth) cost_.out = adds / *device_.host_reduce_bandwidth;
  }

  void sum_up() {
    Rational slowest_in;
    Rational slowest_out;
    Rational way;
    for (std::size_t d = 0; d < split_.size(); ++d) {
      const DeviceLevel& level = device_.levels[d];
      const LinkTraffic& link = cost_.links[d];
      way += level.latency;
      if (level.write_bandwidth) {
        slowest_in = max(slowest_in, link.bytes_in / *level.write_bandwidth);
      }
      if (level.read_bandwidth) {
        slowest_out = max(slowest_out, link.bytes_out / *level.read_bandwidth);
      }
      cost_.link_energy += Rational(link.count) * (link.bytes_in + link.bytes_out) * level.energy;
    }
    if (moves_in()) cost_.in = slowest_in + way;
    if (moves_out()) cost_.out += slowest_out + way;
  }

  const Device& device_;
  const Workload& layer_;
  const Moves& moves_;
  const Split& split_;
  std::vector<Fan> fans_;
  std::int64_t sums_ = 1;    // u_d: partial sums of an output that a child sends up
  std::int64_t copies_ = 1;  // that arrive at its parent
  SplitCost cost_;
};

}  // namespace

Rational SplitCost::link_bytes() const {
  Rational bytes;
  for (const LinkTraffic& link : links) bytes += link.count * (link.bytes_in + link.bytes_out);
  return bytes;
}

SplitCost split_cost(const Device& device, const Workload& layer, const Moves& moves,
                     const Split& split, const Factors& slice) {
  return Transfers(device, layer, moves, split).cost(slice);
}

GoalCosts device_costs(const Device& device, const SplitCost& split, const GoalCosts& slice) {
  const Rational run = device.stretch() * slice.latency;
  GoalCosts costs;
  costs.latency =
      device.launch + (device.phases == Phases::sequential ? split.in + run + split.out
                                                           : max(max(split.in, run), split.out));
  costs.energy = split.units * slice.energy + split.link_energy + split.reduce_energy +
                 costs.latency * device.static_power;
  costs.activations = split.units * slice.activations;
  return costs;
}

DeviceMetrics evaluate(const Device& device, const Workload& layer, const Moves& moves,
                       const DeviceMapping& mapping, RowModel row_model) {
  DeviceMetrics m;
  m.slice = evaluate(device.unit, slice_of(layer, mapping.slice), mapping.mapping, row_model);
  m.split = split_cost(device, layer, moves, mapping.split, mapping.slice);
  m.launch = device.launch;
  m.run = device.stretch() * m.slice.latency;
  const GoalCosts all =
      device_costs(device, m.split, {m.slice.latency, m.slice.energy, m.slice.activations()});
  m.latency = all.latency;
  m.energy = all.energy;
  m.activations = all.activations;
  m.macs = layer.macs();
  m.performed_macs = Rational(m.split.units) * product(mapping.slice);
  return m;
}

}  // namespace pimbb::dram_pim
