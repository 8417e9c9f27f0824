// Common denominators of all cost coefficients, and the proof that nothing overflows.
#include "dram_pim/mapper/scale.hpp"

#include <algorithm>

#include "dram_pim/model/read_count.hpp"
#include "exact/rational_impl.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

using boost::multiprecision::cpp_int;
using boost::multiprecision::cpp_rational;

cpp_rational value(const Rational& r) { return r.impl().value; }

/// Collects denominators, then turns rationals into integers over their least common multiple.
class Denominator {
 public:
  void cover(const cpp_rational& r) { unit_ = lcm(unit_, denominator(r)); }
  void multiply(const cpp_int& factor) { unit_ *= factor; }
  [[nodiscard]] const cpp_int& unit() const { return unit_; }
  [[nodiscard]] cpp_int scaled(const cpp_rational& r) const {
    return numerator(cpp_rational(r * unit_));
  }

 private:
  cpp_int unit_ = 1;
};

Int128 narrow(const cpp_int& big) { return big.convert_to<Int128>(); }

class Builder {
 public:
  Builder(const Architecture& a, const Workload& w) : a_(a), w_(w) {}

  Scale build() {
    cover_latencies();
    cover_energies();
    Scale scale;
    const Range fills = most_of_fills();
    const auto fit = [&] {
      return std::max(cpp_int(fills.cycles / scale.cycle_step),
                      cpp_int(fills.energy / scale.energy_step)) < (cpp_int(1) << 61);
    };
    if (!fit()) {
      const Range step = steps();
      scale.cycle_step = narrow(step.cycles);
      scale.energy_step = narrow(step.energy);
    }
    scale.fills_fit_64_bits = fit();
    scale.most_latency = narrow(check_range(fills).cycles);
    scale.latency_unit = narrow(latency_.unit());
    scale.energy_unit = narrow(energy_.unit());
    scale.row = a_.row_units();
    scale.cycle = scale.latency_unit;
    scale.reduction = narrow(latency_.scaled(value(a_.pe_array.reduction_latency)));
    for (std::size_t m = 0; m < a_.levels.size(); ++m) {
      PerTensor<Int128> transfer{};
      if (m < a_.dram()) {
        for (const Tensor t : kAllTensors) {
          transfer[index(t)] = narrow(latency_.scaled(transfer_cycles(m, t)));
        }
      }
      scale.transfer.push_back(transfer);
      scale.access.push_back(narrow(energy_.scaled(value(a_.levels[m].access_cost))));
    }
    for (const Tensor t : kAllTensors) {
      scale.interconnect[index(t)] = narrow(latency_.scaled(interconnect_cycles(t)));
    }
    scale.activation_cycles = narrow(latency_.scaled(activation_cycles()));
    scale.activation_energy = narrow(energy_.scaled(activation_energy()));
    scale.mac_energy = narrow(energy_.scaled(mac_energy()));
    return scale;
  }

 private:
  [[nodiscard]] cpp_rational transfer_cycles(std::size_t m, Tensor t) const {
    return value(a_.moved_bytes(t)) / value(a_.levels[m].bandwidth(t));
  }
  [[nodiscard]] cpp_rational interconnect_cycles(Tensor t) const {
    if (!a_.interconnect_bandwidth) return 0;
    return value(a_.moved_bytes(t)) / value(*a_.interconnect_bandwidth);
  }
  [[nodiscard]] cpp_rational activation_cycles() const {
    return value(a_.activation_cycles()) / a_.row_units();
  }
  [[nodiscard]] cpp_rational activation_energy() const {
    return value(a_.activation_energy) / a_.row_units();
  }
  [[nodiscard]] cpp_rational mac_energy() const {
    return value(a_.pe_array.mac_energy) * w_.macs();
  }

  void cover_latencies() {
    latency_.cover(value(a_.pe_array.reduction_latency));
    for (std::size_t m = 0; m < a_.dram(); ++m) {
      for (const Tensor t : kAllTensors) latency_.cover(transfer_cycles(m, t));
    }
    for (const Tensor t : kAllTensors) latency_.cover(interconnect_cycles(t));
    latency_.cover(activation_cycles());
    // With partial sums read back, one PE's share of the output is (2 A_total - outputs) over the
    // PEs in use. These divide the MACs = outputs * R*S*C, so R*S*C clears the fraction.
    if (ReadCount(a_, w_).rereads(Tensor::output) && a_.levels[0].stores[index(Tensor::output)]) {
      latency_.multiply(cpp_int(w_.bound(Dim::R)) * w_.bound(Dim::S) * w_.bound(Dim::C));
    }
  }

  void cover_energies() {
    for (const MemoryLevel& level : a_.levels) energy_.cover(value(level.access_cost));
    energy_.cover(activation_energy());
    energy_.cover(mac_energy());
  }

  /// The most elements any level hands inwards of one tensor, partial sums read back included.
  [[nodiscard]] cpp_int most_reads() const {
    return 2 * cpp_int(w_.macs()) * (w_.stride_w + w_.dilation_w) * (w_.stride_h + w_.dilation_h);
  }

  /// The most row activations of one tensor, in units of 1/row: no closed formula exceeds six times
  /// the elements moved, or twice the tensor's rows for each of its irrelevant loops.
  [[nodiscard]] cpp_int most_activations() const {
    cpp_int streamed = 0;
    for (const Tensor t : kAllTensors) {
      cpp_int units = cpp_int(w_.tensor_elements(t)) * a_.element_units(t) + a_.row_units();
      for (const Dim j : kAllDims) {
        if (!relevant(t, j)) units *= w_.bound(j);
      }
      streamed = std::max(streamed, cpp_int(2 * units));
    }
    return std::max(cpp_int(6 * most_reads() * a_.row_units()), streamed);
  }

  struct Range {
    cpp_int cycles;
    cpp_int energy;
  };

  /// The most that the leaf and the fills of all levels can take, whatever their tiles are.
  [[nodiscard]] Range most_of_fills() const {
    Range most{latency_.unit() * w_.macs() + latency_.scaled(value(a_.pe_array.reduction_latency)),
               energy_.scaled(mac_energy())};
    for (std::size_t m = 0; m < a_.levels.size(); ++m) {
      for (const Tensor t : kAllTensors) {
        if (m < a_.dram()) most.cycles += most_reads() * latency_.scaled(transfer_cycles(m, t));
        most.energy += most_reads() * energy_.scaled(value(a_.levels[m].access_cost));
      }
    }
    for (const Tensor t : kAllTensors) {
      most.cycles += most_reads() * latency_.scaled(interconnect_cycles(t));
    }
    return most;
  }

  /// What divides the cycles and energies of all fills and feeds. A PE's share of partial sums that
  /// are read back is a fraction of a transfer.
  [[nodiscard]] Range steps() const {
    Range step{latency_.unit(), 0};
    step.cycles = gcd(step.cycles, latency_.scaled(value(a_.pe_array.reduction_latency)));
    for (const Tensor t : kAllTensors) {
      for (std::size_t m = 0; m < a_.dram(); ++m) {
        step.cycles = gcd(step.cycles, latency_.scaled(transfer_cycles(m, t)));
      }
      step.cycles = gcd(step.cycles, latency_.scaled(interconnect_cycles(t)));
      if (ReadCount(a_, w_).rereads(t)) step.cycles = 1;
    }
    for (const MemoryLevel& level : a_.levels) {
      step.energy = gcd(step.energy, energy_.scaled(value(level.access_cost)));
    }
    if (step.energy == 0) step.energy = 1;
    return step;
  }

  /// Checks and returns the most that a mapping can take, row activations included.
  [[nodiscard]] Range check_range(Range most) const {
    most.cycles += 3 * most_activations() * latency_.scaled(activation_cycles());
    most.energy += 3 * most_activations() * energy_.scaled(activation_energy());
    check("latency", most.cycles, "bandwidths, latencies and timings");
    check("energy", most.energy, "energies");
    return most;
  }

  void check(const char* what, const cpp_int& largest, const char* inputs) const {
    if (largest < (cpp_int(1) << 126)) return;
    throw InputError("architecture '" + a_.name + "' with layer '" + w_.name + "': " + what +
                     " over its common denominator needs " + std::to_string(msb(largest) + 1) +
                     " bits, allowed are 126: give the " + inputs + " with fewer digits");
  }

  const Architecture& a_;
  const Workload& w_;
  Denominator latency_;
  Denominator energy_;
};

Rational over(Int128 scaled, Int128 unit) {
  return make_rational(cpp_rational(cpp_int(scaled), cpp_int(unit)));
}

Int128 in_units(const Rational& r, Int128 unit) {
  return narrow(numerator(cpp_rational(value(r) * cpp_int(unit))));
}

}  // namespace

Rational Scale::latency(Int128 scaled) const { return over(scaled, latency_unit); }
Rational Scale::energy(Int128 scaled) const { return over(scaled, energy_unit); }
Rational Scale::activations(Int128 scaled) const { return over(scaled, row); }

Int128 Scale::scaled_latency(const Rational& cycles) const {
  return in_units(cycles, latency_unit);
}
Int128 Scale::scaled_energy(const Rational& nanojoules) const {
  return in_units(nanojoules, energy_unit);
}
Int128 Scale::scaled_activations(const Rational& count) const { return in_units(count, row); }

Scale make_scale(const Architecture& architecture, const Workload& workload) {
  return Builder(architecture, workload).build();
}

}  // namespace pimbb::dram_pim::mapper
