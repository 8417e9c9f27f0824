// Elements of one sweep, times sweeps, split over the hops that may fill a level.
#include "dram_pim/milp/fills.hpp"

namespace pimbb::dram_pim::milp {
namespace {

/// Key {input elements along one axis, moved by all tiles of one sweep}.
Choice axis_sweep(Problem& problem, const PerDim<Choice>& tile, std::size_t level, Dim position,
                  Dim tap) {
  const Workload& w = problem.workload;
  const auto pairs = joint(problem.program, label("window", level, position),
                           rekeyed(tile[index(position)],
                                   [](const Key& key) {
                                     return Key{key[0], 1};
                                   }),
                           rekeyed(tile[index(tap)],
                                   [](const Key& key) {
                                     return Key{1, key[0]};
                                   }),
                           certainty());
  return rekeyed(pairs, [&](const Key& key) {
    const std::int64_t extent =
        position == Dim::P ? w.extent_w(key[0], key[1]) : w.extent_h(key[0], key[1]);
    return Key{extent * (w.bound(position) / key[0]) * (w.bound(tap) / key[1])};
  });
}

/// Key {elements of t moved into a level by one sweep}.
Choice one_sweep(Problem& problem, const Tiling& tiling, std::size_t level, Tensor t) {
  const Workload& w = problem.workload;
  if (t != Tensor::input) return certain({w.tensor_elements(t)});
  const PerDim<Choice>& tile = tiling.tile[level];
  return product(problem.program, label("sweep", level, t),
                 {axis_sweep(problem, tile, level, Dim::P, Dim::R),
                  axis_sweep(problem, tile, level, Dim::Q, Dim::S),
                  certain({w.bound(Dim::N) * w.bound(Dim::C) * w.bound(Dim::G)})});
}

}  // namespace

void charge_fills(Problem& problem, const Tiling& tiling, const Orders& orders,
                  const Routes& routes, Costs& costs) {
  for (const Tensor t : kAllTensors) {
    for (std::size_t i = 0; i <= problem.architecture.row_buffer(); ++i) {
      if (!problem.may_store(i, t)) continue;
      const std::string subject = label("fill", i, t);
      const Choice fills =
          rekeyed(joint(problem.program, subject, one_sweep(problem, tiling, i, t),
                        orders.sweeps[i][index(t)], certainty()),
                  [&](const Key& key) { return Key{problem.reads.reads(t, key[0])}; });
      const std::vector<Hop> hops = routes.into(static_cast<int>(i), t);
      std::vector<Sum> taken;
      for (const Hop& hop : hops) taken.push_back(hop.taken);
      const std::vector<Choice> parts = split(problem.program, subject, fills, taken);
      for (std::size_t h = 0; h < hops.size(); ++h) {
        costs.hand_over(problem, hops[h], t, parts[h]);
      }
    }
  }
}

}  // namespace pimbb::dram_pim::milp
