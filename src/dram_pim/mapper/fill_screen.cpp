// Looking at the tiles that fit a level, until one is good enough.
#include "dram_pim/mapper/fill_screen.hpp"

#include <algorithm>
#include <array>
#include <atomic>

#include "exact/factors.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// The largest latency that is of interest with these costs otherwise; kInfinity if all are.
Int128 most_latency(Costs costs, const Hopeless& hopeless) {
  costs.latency = kInfinity;
  if (!hopeless(costs)) return kInfinity;
  Int128 low = 0;
  Int128 high = kInfinity;
  while (high - low > 1) {
    costs.latency = low + (high - low) / 2;
    (hopeless(costs) ? high : low) = costs.latency;
  }
  return low;
}

/// How many MACs at a time the factors of a tile allow.
class Filling {
 public:
  Filling(const PeArray& pe, const Divisors& divisors, Int128 needed)
      : pe_(pe), divisors_(divisors), needed_(needed) {}

  /// Whether they are as many as needed.
  [[nodiscard]] bool suffices(const Factors& c) {
    c_ = &c;
    rest_[kDims] = 1;
    for (std::size_t k = kDims; k-- > 0;) rest_[k] = rest_[k + 1] * c[k];
    return extends(0, pe_.extent(Direction::H), pe_.extent(Direction::W),
                   pe_.extent(Direction::internal));
  }

 private:
  /// With factors of the dimensions from k on. `rows`, `columns`: what the extents, divided by the
  /// factors so far, leave; `product`: of these factors and of all MACs of a PE.
  bool extends(std::size_t k, std::int64_t rows, std::int64_t columns, Int128 product) {
    if (product >= needed_) return true;
    if (product * rows * columns < needed_ || product * rest_[k] < needed_) return false;
    const std::int64_t bound = (*c_)[k];
    if (bound > 1) {
      const bool in_rows = pe_.allows(Direction::H, kAllDims[k]);
      const bool in_columns = pe_.allows(Direction::W, kAllDims[k]);
      for (std::size_t i = divisors_[k].size(); i-- > 1;) {
        const std::int64_t factor = divisors_[k][i];
        if (bound % factor != 0) continue;
        const Int128 more = product * factor;
        if (in_rows && factor <= rows && extends(k + 1, rows / factor, columns, more)) return true;
        if (in_columns && factor <= columns && extends(k + 1, rows, columns / factor, more)) {
          return true;
        }
      }
    }
    return extends(k + 1, rows, columns, product);
  }

  const PeArray& pe_;
  const Divisors& divisors_;
  const Int128 needed_;
  const Factors* c_ = nullptr;
  std::array<Int128, kDims + 1> rest_{};  // products of the tile's factors from a dimension on
};

class FillScreen {
 public:
  FillScreen(const Architecture& a, const Workload& w, const Storage& storage, const Costs& least,
             const Hopeless& hopeless, const run::Guard& guard)
      : a_(a),
        w_(w),
        storage_(storage),
        least_(least),
        hopeless_(hopeless),
        guard_(guard),
        most_latency_(most_latency(least, hopeless)) {
    for (const Dim j : kAllDims) divisors_[index(j)] = divisors_of(w.bound(j));
  }

  [[nodiscard]] bool has_any() const {
    if (most_latency_ == kInfinity) return true;  // tiles alone tell little of the energy
    for (std::size_t m = 1; m < a_.row_buffer(); ++m) {
      if (!has_tile(m)) return false;
    }
    return !hopeless_(least_);
  }

 private:
  using Flows = PerTensor<Storage::ElementCosts>;

  [[nodiscard]] bool has_tile(std::size_t m) const {
    Flows flows;
    for (const Tensor t : kAllTensors) flows[index(t)] = storage_.costs_into(m, t);
    std::atomic<bool> found = false;  // then nothing fits, so that all parts end
    const Fits fits = [&](const Factors& c) { return !found && this->fits(m, c); };
    const TileParts parts(divisors_, fits);
    const Int128 cycles = w_.macs() * storage_.scale().cycle;
    const Int128 needed = (cycles + most_latency_ - 1) / std::max<Int128>(1, most_latency_);
    run::parallel_for(parts.size(), [&](std::size_t part) {
      guard_.check();
      run::GuardedSteps step(guard_);
      Filling filling(a_.pe_array, divisors_, needed);
      parts.for_each(part, [&](const Factors& c) {
        step();
        if (is_hopeful(c, flows) && filling.suffices(c)) found = true;
      });
    });
    return found;
  }

  [[nodiscard]] bool fits(std::size_t m, const Factors& c) const {
    Tile tile{};
    for (const Tensor t : kAllTensors) tile.elements[index(t)] = w_.tile_elements(t, c);
    return storage_.fits(m, tile) && storage_.fits(a_.row_buffer(), tile);
  }

  /// By what a level is filled with.
  [[nodiscard]] bool is_hopeful(const Factors& c, const Flows& flows) const {
    const std::int64_t visits = w_.macs() / product_over(c, kEveryDim);
    PerTensor<Int128> cycles{};
    PerTensor<Int128> energy{};
    for (const Tensor t : kAllTensors) {
      const Int128 moved = static_cast<Int128>(w_.tile_elements(t, c)) * visits;
      cycles[index(t)] = moved * flows[index(t)].cycles;
      energy[index(t)] = moved * flows[index(t)].energy;
    }
    std::ranges::sort(cycles);
    if (cycles[1] > most_latency_) return false;
    std::ranges::sort(energy);
    return !hopeless_({std::max(least_.latency, cycles[1]),
                       std::max(least_.energy, storage_.scale().mac_energy + energy[0] + energy[1]),
                       least_.activations});
  }

  const Architecture& a_;
  const Workload& w_;
  const Storage& storage_;
  const Costs least_;
  const Hopeless& hopeless_;
  const run::Guard& guard_;
  const Int128 most_latency_;
  Divisors divisors_;
};

}  // namespace

bool fills_are_hopeful(const Architecture& architecture, const Workload& workload,
                       const Storage& storage, const Costs& least, const Hopeless& hopeless,
                       const run::Guard& guard) {
  return FillScreen(architecture, workload, storage, least, hopeless, guard).has_any();
}

}  // namespace pimbb::dram_pim::mapper
