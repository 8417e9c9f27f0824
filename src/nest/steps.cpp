// Classes of loop orders of one step.
#include "nest/steps.hpp"

namespace pimbb::nest {
std::uint64_t factorial(int n) {
  std::uint64_t result = 1;
  for (int i = 2; i <= n; ++i) result *= static_cast<std::uint64_t>(i);
  return result;
}

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

}  // namespace pimbb::nest
