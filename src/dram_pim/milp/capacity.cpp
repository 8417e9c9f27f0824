// One row per bounded level.
#include "dram_pim/milp/capacity.hpp"

namespace pimbb::dram_pim::milp {
namespace {

void keep_capacity(Problem& problem, const Tiling& tiling, const Routes& routes, std::size_t m) {
  const std::int64_t capacity = *problem.architecture.levels[m].capacity;
  const std::string subject = label("capacity", m);
  Sum bytes;
  for (const Tensor t : kAllTensors) {
    if (!problem.may_store(m, t)) continue;
    const std::int64_t most = problem.architecture.elements_in(t, capacity);
    const std::int64_t always = problem.may_skip(m, t) ? problem.workload.tensor_elements(t) : most;
    const Choice tiles =
        joint_tile(problem, label("tile", m, t), t, m == 0 ? tiling.share : tiling.tile[m], always);
    const Choice elements = rekeyed(tiles, [&](const Key& key) {
      return Key{problem.workload.tile_elements(t, factors_of(key))};
    });
    const Choice held = split(problem.program, label("held", m, t), elements, {routes.stored(m, t)},
                              [&](const Key& key) { return key[0] <= most; })[0];
    add(bytes, expectation(held, [&](const Key& key) {
          return Int128{problem.architecture.tile_bytes(t, key[0])};
        }));
  }
  problem.program.row(subject, bytes, Sense::at_most, capacity);
}

}  // namespace

void keep_capacities(Problem& problem, const Tiling& tiling, const Routes& routes) {
  for (std::size_t m = 0; m < problem.levels(); ++m) {
    if (m == problem.architecture.row_buffer() || !problem.architecture.levels[m].capacity)
      continue;
    keep_capacity(problem, tiling, routes, m);
  }
}

}  // namespace pimbb::dram_pim::milp
