// Small random layers whose tiles can be listed by hand.
#pragma once

#include <algorithm>

#include "nest/lattice.hpp"
#include "support/choices.hpp"

namespace testkit {

/// A layer of at most four dimensions with loops.
inline pimbb::Workload random_layer(Choices& choices) {
  pimbb::Workload w;
  w.name = "small";
  std::vector<pimbb::Dim> dims(pimbb::kAllDims.begin(), pimbb::kAllDims.end());
  choices.shuffle(dims);
  for (std::size_t k = 0; k < 4; ++k) {
    w.bounds[pimbb::index(dims[k])] = choices.one_of<std::int64_t>({2, 3, 4, 6, 12, 1});
  }
  w.stride_w = choices.one_of<std::int64_t>({1, 2});
  w.dilation_h = choices.one_of<std::int64_t>({1, 2});
  return w;
}

/// Whether the tile has at most so many elements.
inline pimbb::nest::Fits at_most(const pimbb::Workload& w, std::int64_t most) {
  return [&w, most](const pimbb::Factors& c) {
    std::int64_t all = 0;
    for (const pimbb::Tensor t : pimbb::kAllTensors) all += w.tile_elements(t, c);
    return all <= most;
  };
}

inline bool divides(const pimbb::Factors& inner, const pimbb::Factors& outer) {
  for (std::size_t k = 0; k < pimbb::kDims; ++k) {
    if (outer[k] % inner[k] != 0) return false;
  }
  return true;
}

}  // namespace testkit
