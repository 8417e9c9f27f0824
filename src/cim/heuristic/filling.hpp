// The levels of a nest filled from the innermost outwards: weights first, then inputs and outputs,
// each with as many loops as fit, or as the caller wants. What is left belongs to the DRAM.
#pragma once

#include <algorithm>
#include <vector>

#include "cim/mapper/schemes.hpp"
#include "cim/model/elements.hpp"
#include "cim/model/unrolling.hpp"
#include "pimbb/cim/mapping.hpp"

namespace pimbb::cim::heuristic {

/// A loop without levels.
struct Factor {
  Dim dim = Dim::R;
  std::int64_t size = 1;
  friend auto operator<=>(const Factor&, const Factor&) = default;
};

class Filling {
 public:
  /// Keeps references. `elements`: of the layer that the scheme computes. With `doubling` every
  /// tile that may be is double-buffered, else none.
  Filling(const Architecture& a, const Elements& elements, const mapper::Scheme& scheme,
          bool doubling)
      : a_(a),
        elements_(elements),
        scheme_(scheme),
        unrolling_(a, scheme.spatial),
        doubling_(doubling) {}

  /// Loops outermost first; every level takes as many as fit.
  [[nodiscard]] Mapping fill(const std::vector<Factor>& order) const {
    return fill(
        order, [this](std::size_t, Tensor) { return doubling_; },
        [](std::size_t, Tensor) { return true; });
  }

  /// The nest of these loops, outermost first. `doubled(m, t)`: whether the tile of t at level m is
  /// double-buffered, asked once, where it may be; `more(m, t)`: whether level m shall take another
  /// loop. All bounded levels but the DRAM are within their sizes.
  template <class Doubled, class More>
  [[nodiscard]] Mapping fill(const std::vector<Factor>& order, const Doubled& doubled,
                             const More& more) const {
    Mapping mapping{scheme_.spatial, {}, std::vector<TensorFlags>(a_.levels.size())};
    for (const Factor& factor : order) mapping.loops.push_back({factor.dim, factor.size, {}});
    PerTensor<std::size_t> left{order.size(), order.size(), order.size()};  // loops without a level
    PerTensor<Factors> inside{kOnes, kOnes, kOnes};
    for (std::size_t m = 0; m < a_.dram(); ++m) {
      std::int64_t used = 0;
      for (const Tensor t : {Tensor::weight, Tensor::input, Tensor::output}) {
        if (!a_.levels[m].stores[index(t)]) continue;
        const bool both = a_.may_double(m, t) && doubled(m, t);
        place(mapping, m, t, both, more, left[index(t)], inside[index(t)], used);
      }
    }
    for (const Tensor t : kAllTensors) {
      for (std::size_t i = 0; i < left[index(t)]; ++i) {
        mapping.loops[i].level[index(t)] = static_cast<std::uint8_t>(a_.dram());
      }
    }
    return mapping;
  }

 private:
  /// Gives level m as many of the loops that are left as fit into it beside `used` bits.
  template <class More>
  void place(Mapping& mapping, std::size_t m, Tensor t, bool doubled, const More& more,
             std::size_t& left, Factors& inside, std::int64_t& used) const {
    const bool is_innermost = a_.innermost(t) == m;
    const std::int64_t bits = (doubled ? 2 : 1) * bits_of(mapping, t, left);
    std::int64_t taken = 0;
    while (left > 0) {
      Loop& loop = mapping.loops[left - 1];
      if (is_innermost && loop.dim == Dim::G) break;
      Factors tile = inside;
      tile[index(loop.dim)] *= loop.factor;
      const std::int64_t data = elements_(t, times(tile, unrolling_.at(t, m).tile)) * bits;
      if (a_.levels[m].size_bits && used + data > *a_.levels[m].size_bits) break;
      if (!more(m, t)) break;
      taken = data;
      inside = tile;
      loop.level[index(t)] = static_cast<std::uint8_t>(m);
      --left;
    }
    if (taken > 0) mapping.doubled[m][index(t)] = doubled;
    used += taken;
  }

  /// Bits of an element where the outermost `left` loops are at a level or outside it.
  [[nodiscard]] std::int64_t bits_of(const Mapping& mapping, Tensor t, std::size_t left) const {
    const auto end = mapping.loops.begin() + static_cast<std::ptrdiff_t>(left);
    const bool psum =
        t == Tensor::output && std::any_of(mapping.loops.begin(), end,
                                           [](const Loop& loop) { return is_reduction(loop.dim); });
    return psum ? a_.bits.psum : a_.bits.tensor[index(t)];
  }

  const Architecture& a_;
  const Elements& elements_;
  const mapper::Scheme& scheme_;
  Unrolling unrolling_;
  bool doubling_;
};

}  // namespace pimbb::cim::heuristic
