// Level by level, tensor by tensor.
#include "cim/heuristic/filling.hpp"

#include <algorithm>

namespace pimbb::cim::heuristic {

Filling::Filling(const Architecture& a, const Elements& elements, const mapper::Scheme& scheme,
                 bool doubling)
    : a_(a),
      elements_(elements),
      scheme_(scheme),
      unrolling_(a, scheme.spatial),
      doubling_(doubling) {}

Mapping Filling::fill(const std::vector<Factor>& order) const {
  Mapping mapping{scheme_.spatial, {}, std::vector<TensorFlags>(a_.levels.size())};
  for (const Factor& factor : order) mapping.loops.push_back({factor.dim, factor.size, {}});
  PerTensor<std::size_t> left{order.size(), order.size(), order.size()};  // loops without a level
  PerTensor<Factors> inside{kOnes, kOnes, kOnes};
  for (std::size_t m = 0; m < a_.dram(); ++m) {
    std::int64_t used = 0;
    for (const Tensor t : {Tensor::weight, Tensor::input, Tensor::output}) {
      if (a_.levels[m].stores[index(t)]) {
        place(mapping, m, t, left[index(t)], inside[index(t)], used);
      }
    }
  }
  for (const Tensor t : kAllTensors) {
    for (std::size_t i = 0; i < left[index(t)]; ++i) {
      mapping.loops[i].level[index(t)] = static_cast<std::uint8_t>(a_.dram());
    }
  }
  return mapping;
}

/// Gives level m as many of the loops that are left as fit into it beside `used` bits.
void Filling::place(Mapping& mapping, std::size_t m, Tensor t, std::size_t& left, Factors& inside,
                    std::int64_t& used) const {
  const bool is_innermost = a_.innermost(t) == m;
  const bool doubled = doubling_ && a_.may_double(m, t);
  const std::int64_t bits = (doubled ? 2 : 1) * bits_of(mapping, t, left);
  std::int64_t taken = 0;
  while (left > 0) {
    Loop& loop = mapping.loops[left - 1];
    if (is_innermost && loop.dim == Dim::G) break;
    Factors tile = inside;
    tile[index(loop.dim)] *= loop.factor;
    const std::int64_t data = elements_(t, times(tile, unrolling_.at(t, m).tile)) * bits;
    if (a_.levels[m].size_bits && used + data > *a_.levels[m].size_bits) break;
    taken = data;
    inside = tile;
    loop.level[index(t)] = static_cast<std::uint8_t>(m);
    --left;
  }
  if (taken > 0) mapping.doubled[m][index(t)] = doubled;
  used += taken;
}

std::int64_t Filling::bits_of(const Mapping& mapping, Tensor t, std::size_t left) const {
  const auto end = mapping.loops.begin() + static_cast<std::ptrdiff_t>(left);
  const bool psum =
      t == Tensor::output && std::any_of(mapping.loops.begin(), end,
                                         [](const Loop& loop) { return is_reduction(loop.dim); });
  return psum ? a_.bits.psum : a_.bits.tensor[index(t)];
}

}  // namespace pimbb::cim::heuristic
