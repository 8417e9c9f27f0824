// What no mapping can avoid: cycles of compute, reads of the levels, rows.
#include "dram_pim/slices/cost_floor.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <optional>

#include "dram_pim/mapper/scale.hpp"
#include "dram_pim/slices/alike_bounds.hpp"
#include "dram_pim/slices/fill.hpp"
#include "dram_pim/slices/reuse_floor.hpp"
#include "exact/rational_impl.hpp"

namespace pimbb::dram_pim::slices {
namespace {

Int128 divided_up(Int128 a, Int128 b) { return (a + b - 1) / b; }

/// The elements of one axis of the input that any tiling moves at least: `taps` kernel elements of
/// `outputs` windows. Tiles of p windows and r taps move extent(p, r) elements for each of the
/// other loops. That is a ratio of lines in p and in r, so the least is at one of four ends.
std::int64_t axis_moved(std::int64_t outputs, std::int64_t taps, std::int64_t stride,
                        std::int64_t dilation) {
  const auto extent = [&](std::int64_t p, std::int64_t r) {
    return stride * (p - 1) + dilation * (r - 1) + 1;
  };
  return std::min({outputs * taps, outputs * extent(1, taps), extent(outputs, 1) * taps,
                   extent(outputs, taps)});
}

/// Different elements of one axis that the windows need; where they overlap, at least those of
/// the first taps or of one window.
std::int64_t axis_needed(std::int64_t outputs, std::int64_t taps, std::int64_t stride,
                         std::int64_t dilation) {
  if (dilation * (taps - 1) < stride) return outputs * taps;  // the windows are disjoint
  if (dilation == 1 || stride == 1) {
    const bool closed = dilation == 1 ? taps >= stride : outputs >= dilation;
    if (closed) return stride * (outputs - 1) + dilation * (taps - 1) + 1;
  }
  return std::max(outputs, taps);
}

/// Elements of each tensor for some bounds.
struct Elements {
  PerTensor<Int128> moved;   ///< by any tiling, at least
  PerTensor<Int128> needed;  ///< different ones
};

}  // namespace

class CostFloor::Tables {
 public:
  Tables(const Architecture& a, const Workload& layer, RowModel row_model)
      : a_(a),
        layer_(layer),
        row_model_(row_model),
        scale_(mapper::make_scale(a, layer)),
        alike_(a, layer) {
    using boost::multiprecision::cpp_int;
    const auto mac = a.pe_array.mac_energy.impl().value * cpp_int(scale_.energy_unit);
    cpp_int numerator_of_mac = numerator(mac);
    cpp_int denominator_of_mac = denominator(mac);
    if (msb(numerator_of_mac + 1) > 70 || msb(denominator_of_mac) > 70) {  // times MACs < 2^53
      numerator_of_mac = numerator_of_mac / denominator_of_mac;
      denominator_of_mac = 1;
    }
    mac_energy_ = numerator_of_mac.convert_to<Int128>();
    mac_parts_ = denominator_of_mac.convert_to<Int128>();
    for (const Tensor t : kAllTensors) {
      const std::int64_t units = a.element_units(t);
      elements_per_row_[index(t)] = (a.row_units() + units - 1) / units;
    }
    for (const Direction d : kAllDirections) {
      for (const Dim j : kAllDims) {
        if (a.pe_array.allows(d, j)) allowed_[index(d)] |= set_of(j);
      }
    }
    for (const Tensor t : kAllTensors) {
      for (const Dim j : kAllDims) {
        if (!relevant(t, j)) irrelevant_[index(t)] |= set_of(j);
      }
    }
  }

  [[nodiscard]] mapper::Costs costs(const Factors& bounds) const {
    return Bound(*this, bounds).costs();
  }

  /// What the energy of the MACs loses where it is rounded down.
  [[nodiscard]] Rational rounded_off(const Factors& bounds) const {
    Int128 macs = 1;
    for (const std::int64_t bound : bounds) macs *= bound;
    const Int128 lost = macs * mac_energy_ % mac_parts_;
    return scale_.energy(lost) * scale_.energy(1) / scale_.energy(mac_parts_);
  }

  [[nodiscard]] mapper::Costs tightened(const Factors& bounds) const {
    return Bound(*this, bounds).costs(of_any_tile().energy(bounds));
  }

  [[nodiscard]] mapper::Costs of_parts(const Factors& bounds) const {
    return Bound(*this, bounds, Bound::Of::parts).costs();
  }

  /// An array that is full does this many in `latency`.
  [[nodiscard]] Int128 most_macs(Int128 latency) const {
    const Int128 cycles = latency / scale_.cycle;
    Int128 lanes = 1;
    for (const Direction d : kAllDirections) lanes *= a_.pe_array.extent(d);
    constexpr Int128 kMost = std::numeric_limits<Int128>::max();
    return cycles > kMost / lanes ? kMost : cycles * lanes;
  }

  using Hopeless = std::function<bool(const mapper::Costs&)>;
  [[nodiscard]] std::optional<mapper::Costs> over_divisors_unless(const Factors& bounds,
                                                                  const Hopeless& hopeless) const {
    const Bound bound(*this, bounds);
    const Int128 reads = reads_of_divisors(
        alike_.representative(bounds), [&](Int128 least) { return hopeless(bound.costs(least)); });
    const mapper::Costs costs = bound.costs(reads);
    return hopeless(costs) ? std::nullopt : std::optional(costs);
  }

  [[nodiscard]] mapper::ChoiceFloors choices_over_divisors(const Factors& bounds) const {
    mapper::ChoiceFloors floors;
    const auto of_any = of_any_tile().by_choice(bounds);
    if (of_any.size() == 1) {
      const auto all = [](const mapper::Costs&) { return false; };
      floors.push_back({of_any.front().stores, unscaled(*over_divisors_unless(bounds, all))});
      return floors;
    }
    const ReuseFloor reuse(a_, with_bounds(layer_, bounds), scale_, ReuseFloor::Sizes::divisors);
    const Bound bound(*this, bounds);
    const auto choices = reuse.by_choice(bounds);
    for (const ReuseFloor::OfChoice& choice : choices) {
      floors.push_back({choice.stores, unscaled(bound.costs(choice.energy))});
    }
    return floors;
  }

  [[nodiscard]] GoalCosts unscaled(const mapper::Costs& least) const {
    return {scale_.latency(least.latency), scale_.energy(least.energy),
            scale_.activations(least.activations)};
  }

  [[nodiscard]] const mapper::Scale& scale() const { return scale_; }

 private:
  [[nodiscard]] const ReuseFloor& of_any_tile() const {
    std::call_once(counted_,
                   [this] { any_tile_.emplace(a_, layer_, scale_, ReuseFloor::Sizes::any); });
    return *any_tile_;
  }

  /// The reads of tiles of divisors, or a bound of these that is enough; found once. Two threads
  /// may find the same.
  [[nodiscard]] Int128 reads_of_divisors(const Factors& bounds,
                                         const std::function<bool(Int128)>& enough) const {
    {
      const std::lock_guard lock(finding_);
      const auto known = found_.find(bounds);
      if (known != found_.end() && (known->second.exact || enough(known->second.energy))) {
        return known->second.energy;
      }
    }
    const ReuseFloor::Least reads = ReuseFloor::least_of_divisors(
        a_, with_bounds(layer_, bounds), scale_, of_any_tile().by_choice(bounds), enough);
    const std::lock_guard lock(finding_);
    if (found_.size() >= kMostFound) found_.clear();
    const auto known = found_.try_emplace(bounds, reads).first;
    if (!known->second.exact && (reads.exact || known->second.energy < reads.energy)) {
      known->second = reads;
    }
    return reads.energy;
  }

  /// The floor of one vector of bounds, or of parts with these bounds together.
  ///
  /// For the latter every direction of the array counts as full, and partial sums are not read
  /// back, as parts may have none. What is left are terms f(b) of the bounds b, each rounded, with
  /// n f(b) >= f(B) if n parts of bounds b cover bounds B. Without rounding: MACs and elements of
  /// weights and outputs are products of bounds. An axis of the input moves P R min ext(p, r) / (p
  /// r) over tiles (p, r) within (P, R) (axis_moved): for parts the same, over the smaller box.
  /// Rows are at least elements / elements of a row; where different elements count, n parts have
  /// no fewer than the whole. Where f is rounded up, n f(b) is an integer that is at least the
  /// unrounded f(B). Where it is rounded down, the unrounded one bounds the costs of parts as well.
  /// []
  class Bound {
   public:
    enum class Of : std::uint8_t { one, parts };
    Bound(const Tables& tables, const Factors& bounds, Of of = Of::one)
        : s_(tables), b_(bounds), of_(of) {
      for (const std::int64_t bound : bounds) macs_ *= bound;
      const auto at = [&](Dim d) { return bounds[index(d)]; };
      const Workload& w = s_.layer_;
      const Int128 channels = Int128{at(Dim::N)} * at(Dim::C) * at(Dim::G);
      const Int128 weights = Int128{at(Dim::R)} * at(Dim::S) * at(Dim::C) * at(Dim::K) * at(Dim::G);
      const Int128 outputs = Int128{at(Dim::P)} * at(Dim::Q) * at(Dim::K) * at(Dim::N) * at(Dim::G);
      elements_.moved = {channels * axis_moved(at(Dim::P), at(Dim::R), w.stride_w, w.dilation_w) *
                             axis_moved(at(Dim::Q), at(Dim::S), w.stride_h, w.dilation_h),
                         weights, outputs};
      elements_.needed = {channels * axis_needed(at(Dim::P), at(Dim::R), w.stride_w, w.dilation_w) *
                              axis_needed(at(Dim::Q), at(Dim::S), w.stride_h, w.dilation_h),
                          weights, outputs};
      array_ = Int128{fill(Direction::H, ~0U)} * fill(Direction::W, ~0U);
    }

    /// `reads`: the energy of the reads of all levels, at least.
    [[nodiscard]] mapper::Costs costs(Int128 reads = 0) const {
      mapper::Costs costs{compute(), 0, 0};
      PerTensor<Int128> dram{};
      Int128 interconnect = 0;
      std::vector<Int128> cycles(s_.a_.row_buffer());  // by level
      for (const Tensor t : kAllTensors) {
        add_reads(t, costs, dram[index(t)], cycles);
        const Int128 rows = activations(t);
        dram[index(t)] += rows * s_.scale_.activation_cycles;
        costs.activations += rows;
        interconnect += elements_.moved[index(t)] * s_.scale_.interconnect[index(t)];
        costs.latency = std::max(costs.latency, dram[index(t)]);
      }
      if (s_.a_.shared_streams)
        costs.latency = std::max(costs.latency, dram[0] + dram[1] + dram[2]);
      costs.energy = std::max(costs.energy, reads) + macs_ * s_.mac_energy_ / s_.mac_parts_ +
                     costs.activations * s_.scale_.activation_energy;
      costs.latency = std::max(costs.latency, interconnect);
      for (const Int128 level : cycles) costs.latency = std::max(costs.latency, level);
      return costs;
    }

   private:
    [[nodiscard]] std::int64_t fill(Direction d, DimSet dims) const {
      const DimSet allowed = dims & s_.allowed_[index(d)];
      if (of_ == Of::parts) return allowed == 0 ? 1 : s_.a_.pe_array.extent(d);
      return largest_fill(s_.a_.pe_array.extent(d), allowed, b_);
    }

    [[nodiscard]] Int128 compute() const {
      constexpr DimSet kReduction = set_of(Dim::R) | set_of(Dim::S) | set_of(Dim::C);
      const Int128 all = divided_up(macs_, array_ * fill(Direction::internal, ~0U));
      const Int128 without = divided_up(macs_, array_ * fill(Direction::internal, ~kReduction));
      return std::min(without * s_.scale_.cycle,
                      all * s_.scale_.cycle + (all < without ? s_.scale_.reduction : 0));
    }

    /// Rows in units of 1/row.
    [[nodiscard]] Int128 activations(Tensor t) const {
      if (s_.row_model_ == RowModel::none) return 0;
      const Int128 row = s_.scale_.row;
      const Int128 in_a_row = s_.elements_per_row_[index(t)];
      if (is_traced(s_.row_model_)) {
        return divided_up(elements_.needed[index(t)], in_a_row) * row;
      }
      return std::max(row, elements_.moved[index(t)] * row / in_a_row);
    }

    /// Partial sums that are read back, if the architecture counts them.
    [[nodiscard]] Int128 reread(Tensor t, Int128 moved) const {
      if (!s_.a_.psum_rereads || t != Tensor::output || of_ == Of::parts) return moved;
      return 2 * moved - elements_.moved[index(t)];
    }

    /// Reads of the levels that must store `t`: energy, and cycles of the ports.
    void add_reads(Tensor t, mapper::Costs& costs, Int128& dram,
                   std::vector<Int128>& cycles) const {
      bool inside = false;  // whether a level further inside may store t
      for (std::size_t m = 0; m < s_.a_.levels.size(); ++m) {
        const bool may = s_.a_.storable(m)[index(t)];
        const bool must = may && (m >= s_.a_.row_buffer() || !s_.a_.levels[m].bypass_free);
        if (must) {
          const Reads reads =
              inside ? Reads{elements_.moved[index(t)], elements_.moved[index(t)]} : feed(m, t);
          costs.energy += reread(t, reads.total) * s_.scale_.access[m];
          if (m < s_.a_.dram()) {
            const Int128 time = reads.each * s_.scale_.transfer[m][index(t)];
            if (m == s_.a_.row_buffer()) {
              dram += time;
            } else if (s_.a_.levels[m].shared_ports) {
              cycles[m] += time;
            } else {
              cycles[m] = std::max(cycles[m], time);
            }
          }
        }
        inside = inside || may;
      }
    }

    struct Reads {
      Int128 each;
      Int128 total;
    };

    /// What the PEs read, if level m feeds them.
    [[nodiscard]] Reads feed(std::size_t m, Tensor t) const {
      const DimSet irrelevant = s_.irrelevant_[index(t)];
      const std::int64_t internal = fill(Direction::internal, irrelevant);
      if (m == 0) {
        return {divided_up(macs_, array_ * internal), divided_up(macs_, internal)};
      }
      if (m == s_.a_.row_buffer() && t == Tensor::input) {
        return {elements_.moved[index(t)], elements_.moved[index(t)]};
      }
      const Int128 shared =
          Int128{fill(Direction::H, irrelevant)} * fill(Direction::W, irrelevant) * internal;
      const Int128 reads = std::max(divided_up(macs_, shared), elements_.moved[index(t)]);
      return {reads, reads};
    }

    const Tables& s_;
    const Factors& b_;
    const Of of_;
    Int128 macs_ = 1;
    Int128 array_ = 1;
    Elements elements_{};
  };

  const Architecture& a_;
  const Workload layer_;
  const RowModel row_model_;
  mapper::Scale scale_;
  Int128 mac_energy_ = 0;  // of one MAC, in units of 1 / mac_parts_
  Int128 mac_parts_ = 1;
  PerTensor<std::int64_t> elements_per_row_{};
  std::array<DimSet, kDirections> allowed_{};
  PerTensor<DimSet> irrelevant_{};
  mutable std::once_flag counted_;
  mutable std::optional<ReuseFloor> any_tile_;
  static constexpr std::size_t kMostFound = std::size_t{1} << 16;
  const AlikeBounds alike_;
  mutable std::mutex finding_;
  mutable std::map<Factors, ReuseFloor::Least> found_;  // reads of divisors, by representatives
};

CostFloor::CostFloor(const Architecture& architecture, const Workload& layer, RowModel row_model)
    : tables_(std::make_unique<Tables>(architecture, layer, row_model)) {}
CostFloor::~CostFloor() = default;

mapper::Costs CostFloor::scaled(const Factors& bounds) const { return tables_->costs(bounds); }
mapper::Costs CostFloor::tightened(const Factors& bounds) const {
  return tables_->tightened(bounds);
}
mapper::Costs CostFloor::over_divisors(const Factors& bounds) const {
  return *tables_->over_divisors_unless(bounds, [](const mapper::Costs&) { return false; });
}
std::optional<mapper::Costs> CostFloor::over_divisors_unless(
    const Factors& bounds, const std::function<bool(const mapper::Costs&)>& hopeless) const {
  return tables_->over_divisors_unless(bounds, hopeless);
}
mapper::Costs CostFloor::of_parts(const Factors& bounds) const { return tables_->of_parts(bounds); }
Int128 CostFloor::most_macs(Int128 latency) const { return tables_->most_macs(latency); }
mapper::ChoiceFloors CostFloor::choices_over_divisors(const Factors& bounds) const {
  return tables_->choices_over_divisors(bounds);
}

GoalCosts CostFloor::costs(const Factors& bounds) const {
  GoalCosts least = unscaled(scaled(bounds));
  least.energy += tables_->rounded_off(bounds);
  return least;
}

GoalCosts CostFloor::unscaled(const mapper::Costs& least) const { return tables_->unscaled(least); }

const mapper::Scale& CostFloor::scale() const { return tables_->scale(); }

}  // namespace pimbb::dram_pim::slices
