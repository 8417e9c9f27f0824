// Classes of loop orders of one step.
#include "mapper/steps.hpp"

#include <bit>

namespace pimbb::mapper {
namespace {

std::uint64_t factorial(int n) {
  std::uint64_t result = 1;
  for (int i = 2; i <= n; ++i) result *= static_cast<std::uint64_t>(i);
  return result;
}

}  // namespace

Steps::Steps(const Lattice& lattice, const State& from, TileIndex to) {
  const Tile& outer = lattice[from.tile];
  const DimMask loops = Lattice::step_mask(outer, lattice[to]);
  if (loops == 0) {
    step[count++] = {{to, from.stationary, from.anchor}, from.stationary, 1};
    return;
  }
  const int all = std::popcount(loops);
  for (const Tensor t : kAllTensors) {
    const auto inner = static_cast<DimMask>(loops & irrelevant_mask(t));
    if (inner == 0) continue;
    const bool carries = inner == loops && from.stationary == t;
    const std::uint32_t anchor = carries ? from.anchor : outer.anchor[index(t)];
    const std::uint64_t orders =
        static_cast<std::uint64_t>(std::popcount(inner)) * factorial(all - 1);
    step[count++] = {{to, t, anchor}, t, orders};
  }
  if ((loops & innermost_dims(std::nullopt)) != 0) {  // nothing is in place
    const Tensor t = Tensor::input;
    step[count++] = {{to, t, lattice[to].anchor[index(t)]}, std::nullopt, factorial(all - 1)};
  }
}

/// Classes that have an order left, with as much of the run as may stand innermost.
void Steps::keep(const Lattice& lattice, const State& from, TileIndex to, const OrderRule& orders,
                 std::size_t level) {
  const Tile& outer = lattice[from.tile];
  const Tile& inner = lattice[to];
  const DimMask loops = Lattice::step_mask(outer, inner);
  if (loops == 0) return;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const Tensor s = step[i].to.stationary;
    const LoopClass of = step[i].loops;
    const DimMask run = orders.run(level, loops, of);
    if (run == 0) continue;
    step[kept] = step[i];
    step[kept].orders = orders.orders(level, loops, of);
    if (of && run != (loops & irrelevant_mask(s))) {
      Factors begun = inner.c;
      for (std::size_t k = 0; k < kDims; ++k) {
        if ((run >> k & 1U) != 0) begun[k] = outer.c[k];
      }
      step[kept].to.anchor = lattice.anchor_of(s, begun);
    }
    ++kept;
  }
  count = kept;
}

Steps::Steps(const Lattice& lattice, const State& from, TileIndex to, const DataflowRule& rule,
             const OrderRule& orders, std::size_t level, OrderMatters matters)
    : Steps(lattice, from, to) {
  if (orders.any()) {
    keep(lattice, from, to, orders, level);
    return;
  }
  const Tile& inner = lattice[to];
  const DimMask loops = Lattice::step_mask(lattice[from.tile], inner);
  const std::optional<Tensor> kept = rule.stationary_at(level);
  const int in_run = kept ? std::popcount(static_cast<DimMask>(loops & irrelevant_mask(*kept))) : 0;
  std::size_t allowed = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const State& arrived = step[i].to;
    const bool in_place = arrived.anchor != inner.anchor[index(arrived.stationary)];
    if (in_run > 0 && step[i].loops != kept) continue;
    if (!rule.may_arrive(lattice, level - 1, inner,
                         in_place ? LoopClass(arrived.stationary) : std::nullopt)) {
      continue;
    }
    if (loops != 0 && !step[i].loops && matters == OrderMatters::to_fills && allowed > 0) {
      step[0].orders += step[i].orders;  // stands for them
      continue;
    }
    step[allowed] = step[i];
    if (in_run > 0) {
      step[allowed].orders = factorial(in_run) * factorial(std::popcount(loops) - in_run);
    }
    ++allowed;
  }
  count = allowed;
}

LoopSplit::LoopSplit(const Tile& from, const Tile& to, LoopClass loops, DimMask run) {
  for (const Tensor t : kAllTensors) {
    const std::size_t k = index(t);
    (t == loops ? inner : outer)[k] = to.irrelevant_loops[k] / from.irrelevant_loops[k];
  }
  for (std::size_t j = 0; loops && run != kEveryDim && j < kDims; ++j) {
    if (relevant(*loops, kAllDims[j]) || (run >> j & 1U) != 0) continue;
    inner[index(*loops)] /= from.c[j] / to.c[j];
    outer[index(*loops)] *= from.c[j] / to.c[j];
  }
}

}  // namespace pimbb::mapper
