// One pass over axes and levels.
#include "cim/model/unrolling.hpp"

#include <cassert>

namespace pimbb::cim {

Unrolling::Unrolling(const Architecture& architecture, std::span<const Factors> spatial) {
  assert(spatial.size() == architecture.axes.size());
  for (std::size_t m = 0; m < architecture.levels.size(); ++m) {
    for (const Tensor t : kAllTensors) {
      if (architecture.levels[m].stores[index(t)]) at_[index(t)][m] = {kOnes, 1};
    }
  }
  for (std::size_t u = 0; u < spatial.size(); ++u) {
    const std::int64_t lanes = product(spatial[u]);
    if (u == 0) cores_ = lanes;
    if (lanes == 1) continue;
    for (const Tensor t : kAllTensors) {
      const std::size_t fan_out = architecture.axes[u].fan_out[index(t)];
      for (std::size_t m = 0; m < architecture.levels.size(); ++m) {
        if (!architecture.levels[m].stores[index(t)]) continue;
        At& at = at_[index(t)][m];
        if (m >= fan_out) {
          at.tile = times(at.tile, spatial[u]);
        } else {
          at.instances *= lanes;
        }
      }
    }
  }
}

}  // namespace pimbb::cim
