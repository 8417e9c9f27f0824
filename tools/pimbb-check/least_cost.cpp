// Counting what cannot be avoided.
//
// A mapping computes  MACs / (rows * columns * MACs inside a PE)  cycles, rounded up, with spatial
// factors that divide the bounds; no direction holds more than the largest product of divisors that
// fits it. Each level that must store a tensor hands every element inwards at least once. Where the
// PEs read from it, an element serves at most as many MACs at a time as there are spatial factors
// of dimensions that do not index it. The DRAM moves every tensor once, and opens each row of it.
#include "least_cost.hpp"

#include <algorithm>
#include <set>

#include "divisors.hpp"

namespace pimbb_check {
namespace {

cpp_int rounded_up(const cpp_int& a, const cpp_int& b) { return (a + b - 1) / b; }

class Counts {
 public:
  Counts(const Problem& p, const Factors& bounds) : p_(p), b_(bounds) {
    for (const std::int64_t bound : bounds) macs_ *= bound;
    const cpp_int channels = cpp_int(b_[N]) * b_[C] * b_[G];
    moved_[kInput] = channels * moved(b_[P], b_[R], p.stride_w, p.dilation_w) *
                     moved(b_[Q], b_[S], p.stride_h, p.dilation_h);
    needed_[kInput] = channels * needed(b_[P], b_[R], p.stride_w, p.dilation_w) *
                      needed(b_[Q], b_[S], p.stride_h, p.dilation_h);
    moved_[kWeight] = needed_[kWeight] = cpp_int(b_[R]) * b_[S] * b_[C] * b_[K] * b_[G];
    moved_[kOutput] = needed_[kOutput] = cpp_int(b_[P]) * b_[Q] * b_[K] * b_[N] * b_[G];
    array_ = cpp_int(filled(0, ~0U)) * filled(1, ~0U);
  }

  [[nodiscard]] LeastCost cost() const {
    LeastCost least{compute(), macs_ * p_.mac_energy, 0};
    Rational interconnect = 0;
    Rational streams = 0;
    std::vector<Rational> ports(p_.row_buffer(), Rational(0));
    for (std::size_t t = 0; t < 3; ++t) {
      const Rational opened = rows(t);
      const Rational dram = moved_by(t, least, ports) + opened * p_.activation_cycles;
      least.activations += opened;
      least.energy += opened * p_.activation_energy;
      streams = p_.shared_streams ? Rational(streams + dram) : std::max(streams, dram);
      if (p_.interconnect_bandwidth) {
        interconnect += moved_[t] * p_.moved_bytes(t) / *p_.interconnect_bandwidth;
      }
    }
    least.latency = std::max({least.latency, streams, interconnect});
    for (const Rational& port : ports) least.latency = std::max(least.latency, port);
    return least;
  }

 private:
  struct Reads {
    cpp_int one;  // of one PE's memory at level 0
    cpp_int all;
  };

  /// What the levels that surely store a tensor read of it: adds its energy and the time of the
  /// ports inside the row buffer, returns the row buffer's time.
  Rational moved_by(std::size_t t, LeastCost& least, std::vector<Rational>& ports) const {
    Rational dram = 0;
    bool inside = false;  // a level inside may store t
    for (std::size_t m = 0; m < p_.levels.size(); ++m) {
      const Level& level = p_.levels[m];
      if (level.stores[t] && !level.bypass_free) {
        const Reads reads = inside ? Reads{moved_[t], moved_[t]} : fed(m, t);
        least.energy += read_back(t, reads.all) * level.access_cost;
        const Rational cycles = reads.one * p_.moved_bytes(t) / level.bandwidth[t];
        if (m == p_.row_buffer()) {
          dram = cycles;
        } else if (m < p_.row_buffer()) {
          ports[m] = level.shared_ports ? Rational(ports[m] + cycles) : std::max(ports[m], cycles);
        }
      }
      inside = inside || level.stores[t];
    }
    return dram;
  }

  /// Elements of one axis that tiles move in all: a tile of p outputs and r taps covers an extent,
  /// once for each of the other outputs and taps. The quotient is monotone in p and in r, so one of
  /// the four extreme tiles has the least.
  static cpp_int moved(std::int64_t outputs, std::int64_t taps, std::int64_t stride,
                       std::int64_t dilation) {
    cpp_int least = cpp_int(outputs) * taps;
    for (const bool all_outputs : {false, true}) {
      for (const bool all_taps : {false, true}) {
        const cpp_int extent = cpp_int(stride) * (all_outputs ? outputs - 1 : 0) +
                               cpp_int(dilation) * (all_taps ? taps - 1 : 0) + 1;
        least =
            std::min(least, cpp_int(extent * (all_outputs ? 1 : outputs) * (all_taps ? 1 : taps)));
      }
    }
    return least;
  }

  /// Elements of one axis that differ: stride * p + dilation * r. They all do if no two windows
  /// overlap; they fill the axis without a gap in the other simple case.
  static cpp_int needed(std::int64_t outputs, std::int64_t taps, std::int64_t stride,
                        std::int64_t dilation) {
    if (cpp_int(dilation) * (taps - 1) < stride) return cpp_int(outputs) * taps;
    if ((dilation == 1 && taps >= stride) || (stride == 1 && outputs >= dilation)) {
      return cpp_int(stride) * (outputs - 1) + cpp_int(dilation) * (taps - 1) + 1;
    }
    return std::max(outputs, taps);
  }

  /// The most that factors of some dimensions reach in a direction of the array.
  [[nodiscard]] std::int64_t filled(std::size_t direction, DimSet dims) const {
    constexpr std::int64_t kCounted = 4096;  // of larger directions, less is known
    const std::int64_t extent = p_.extent[direction];
    if (extent > kCounted) {
      cpp_int all = 1;
      for (std::size_t j = 0; j < kDims; ++j) {
        if (contains(dims, j) && p_.may_unroll(direction, j)) all *= b_[j];
      }
      return std::min(all, cpp_int(extent)).convert_to<std::int64_t>();
    }
    std::set<std::int64_t> products{1};
    for (std::size_t j = 0; j < kDims; ++j) {
      if (!contains(dims, j) || !p_.may_unroll(direction, j)) continue;
      std::set<std::int64_t> longer;
      for (std::int64_t factor = 1; factor <= std::min(extent, b_[j]); ++factor) {
        if (b_[j] % factor != 0) continue;
        for (const std::int64_t product : products) {
          if (product * factor <= extent) longer.insert(product * factor);
        }
      }
      products = std::move(longer);
    }
    return *products.rbegin();
  }

  [[nodiscard]] Rational compute() const {
    const DimSet reduced = irrelevant_dims(kOutput);
    const cpp_int any = rounded_up(macs_, array_ * filled(2, ~0U));
    const cpp_int plain = rounded_up(macs_, array_ * filled(2, ~reduced));
    return std::min(Rational(plain), Rational(any + p_.reduction_latency));
  }

  [[nodiscard]] Rational rows(std::size_t t) const {
    if (p_.free_rows) return 0;
    const cpp_int in_a_row = rounded_up(p_.row_units, p_.element_units[t]);
    if (p_.trace) return {rounded_up(needed_[t], in_a_row)};
    const cpp_int parts = moved_[t] * p_.row_units / in_a_row;  // of a row, in whole units
    return std::max(Rational(1), Rational(parts, cpp_int(p_.row_units)));
  }

  [[nodiscard]] cpp_int read_back(std::size_t t, const cpp_int& reads) const {
    return p_.psum_rereads && t == kOutput ? cpp_int(2 * reads - moved_[t]) : reads;
  }

  /// What the PEs read from level m.
  [[nodiscard]] Reads fed(std::size_t m, std::size_t t) const {
    const DimSet shared = irrelevant_dims(t);
    const std::int64_t inside = filled(2, shared);
    if (m == 0) return {rounded_up(macs_, array_ * inside), rounded_up(macs_, cpp_int(inside))};
    if (m == p_.row_buffer() && t == kInput) return {moved_[t], moved_[t]};  // boxes, halos shared
    const cpp_int reads = std::max(
        moved_[t], rounded_up(macs_, cpp_int(filled(0, shared)) * filled(1, shared) * inside));
    return {reads, reads};
  }

  const Problem& p_;
  const Factors& b_;
  cpp_int macs_ = 1, array_;
  PerTensor<cpp_int> moved_, needed_;
};

}  // namespace

Rational LeastCost::of(Goal goal, const Problem& p) const {
  switch (goal) {
    case Goal::latency: return latency;
    case Goal::energy: return energy;
    case Goal::edp: return latency * energy;
    case Goal::activations: return activations;
    default: return p.alpha * latency + p.beta * energy;
  }
}

LeastCost least_cost(const Problem& p, const Factors& bounds) { return Counts(p, bounds).cost(); }

}  // namespace pimbb_check
