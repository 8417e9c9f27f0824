// Orders of a class are counted from the inside out, over the sets of loops placed so far.
#include "dram_pim/answers/reuse.hpp"

#include <bit>

namespace pimbb::dram_pim::answers {
namespace {

using mapper::DimMask;
using mapper::kEveryDim;
using mapper::LoopClass;

DimMask without(DimMask set, std::size_t j) { return static_cast<DimMask>(set & ~mapper::bit(j)); }

/// The number of ways to place the loops of each set inside all others, so that exactly those of
/// the run come before the first loop relevant to the stationary tensor.
class OrdersOfRun {
 public:
  OrdersOfRun(const mapper::OrderRule& rule, std::size_t level, DimMask loops, LoopClass of,
              DimMask run)
      : rule_(rule), level_(level), loops_(loops), of_(of), run_(run) {
    ways_[0] = 1;
    for (std::size_t set = 1; set <= kEveryDim; ++set) {
      if ((set & ~std::size_t{loops}) != 0) continue;
      for (std::size_t j = 0; j < kDims; ++j) {
        if (may_be_outermost(static_cast<DimMask>(set), j)) ways_[set] += ways_[set & ~(1U << j)];
      }
    }
  }

  [[nodiscard]] std::uint64_t count() const { return ways_[loops_]; }

  /// From the outermost loop on the first dimension that leaves an order of the rest.
  [[nodiscard]] mapper::LoopOrder first() const {
    mapper::LoopOrder order;
    order.count = static_cast<std::uint8_t>(std::popcount(loops_));
    DimMask left = loops_;
    for (std::size_t place = order.count; place-- > 0;) {
      std::size_t j = 0;
      while (!may_be_outermost(left, j) || ways_[without(left, j)] == 0) ++j;
      order.loop[place] = kAllDims[j];
      left = without(left, j);
    }
    return order;
  }

 private:
  /// Whether loop j may be the outermost of a set of innermost loops.
  [[nodiscard]] bool may_be_outermost(DimMask set, std::size_t j) const {
    if ((set >> j & 1U) == 0) return false;
    const DimMask inside = without(set, j);
    if (!rule_.may_follow(level_, loops_, inside, kAllDims[j])) return false;
    const bool in_run = (run_ >> j & 1U) != 0;
    if (!of_) return inside != 0 || kAllDims[j] == Dim::G;
    if (in_run) return (inside & ~run_) == 0;
    if ((inside & run_) != run_) return false;  // the run is not yet complete
    return inside != run_ || relevant(*of_, kAllDims[j]);
  }

  const mapper::OrderRule& rule_;
  std::size_t level_;
  DimMask loops_;
  LoopClass of_;
  DimMask run_;
  std::array<std::uint64_t, kEveryDim + 1> ways_{};
};

}  // namespace

ReuseClasses::ReuseClasses(const mapper::OrderRule& orders, std::size_t levels)
    : levels_(orders.any() ? levels : 1) {
  for (std::size_t m = 0; m < levels_.size(); ++m) {
    if (m > 0 || levels_.size() == 1) fill(orders, m, levels_[m]);
  }
}

void ReuseClasses::fill(const mapper::OrderRule& orders, std::size_t level, Level& classes) {
  classes[0] = {ReuseClass{}};
  for (std::size_t set = 1; set <= kEveryDim; ++set) {
    const auto loops = static_cast<DimMask>(set);
    const auto add = [&](LoopClass of, DimMask run) {
      const OrdersOfRun all(orders, level, loops, of, run);
      if (all.count() > 0) classes[set].push_back({of, run, all.count(), all.first()});
    };
    for (const Tensor t : kAllTensors) {
      const auto idle = static_cast<DimMask>(loops & mapper::irrelevant_mask(t));
      for (DimMask run = idle; run != 0; run = static_cast<DimMask>((run - 1) & idle)) add(t, run);
    }
    if ((loops & mapper::bit(Dim::G)) != 0) add(std::nullopt, 0);
  }
}

mapper::DimMask run_of(const mapper::LoopOrder& order) {
  DimMask run = 0;
  if (order.count == 0) return run;
  const LoopClass of = irrelevant_tensor(order.loop[0]);
  for (std::size_t i = 0; of && i < order.count && !relevant(*of, order.loop[i]); ++i) {
    run = static_cast<DimMask>(run | mapper::bit(order.loop[i]));
  }
  return run;
}

mapper::State state_after(const mapper::Lattice& lattice, const mapper::State& from,
                          mapper::TileIndex to, const ReuseClass& loops) {
  const mapper::Tile& outer = lattice[from.tile];
  const mapper::Tile& inner = lattice[to];
  const DimMask all = mapper::Lattice::step_mask(outer, inner);
  if (all == 0) return {to, from.stationary, from.anchor};
  if (!loops.stationary) return {to, Tensor::input, inner.anchor[index(Tensor::input)]};
  const Tensor s = *loops.stationary;
  if (loops.run == all && from.stationary == s) return {to, s, from.anchor};
  Factors begun = inner.c;
  for (std::size_t j = 0; j < kDims; ++j) {
    if ((loops.run >> j & 1U) != 0) begun[j] = outer.c[j];
  }
  return {to, s, lattice.anchor_of(s, begun)};
}

}  // namespace pimbb::dram_pim::answers
