// Which directions and strides treat dimensions alike.
#include "dram_pim/slices/alike_bounds.hpp"

#include <algorithm>
#include <utility>

namespace pimbb::dram_pim::slices {
namespace {

bool all_allow_both(const Architecture& a, Dim i, Dim j) {
  return std::ranges::all_of(kAllDirections, [&](Direction d) {
    return a.pe_array.allows(d, i) == a.pe_array.allows(d, j);
  });
}

}  // namespace

AlikeBounds::AlikeBounds(const Architecture& a, const Workload& layer)
    : turns_(layer.stride_w == layer.stride_h && layer.dilation_w == layer.dilation_h &&
             all_allow_both(a, Dim::P, Dim::Q) && all_allow_both(a, Dim::R, Dim::S)),
      merges_(layer.stride_w == 1 && layer.stride_h == 1 && all_allow_both(a, Dim::P, Dim::Q) &&
              all_allow_both(a, Dim::P, Dim::N)) {}

Factors AlikeBounds::representative(Factors bounds) const {
  const auto at = [&](Dim j) -> std::int64_t& { return bounds[index(j)]; };
  if (merges_ && at(Dim::R) == 1 && at(Dim::S) == 1) {
    at(Dim::P) *= at(Dim::Q) * at(Dim::N);
    at(Dim::Q) = at(Dim::N) = 1;
  } else if (turns_ && std::pair(at(Dim::P), at(Dim::R)) < std::pair(at(Dim::Q), at(Dim::S))) {
    std::swap(at(Dim::P), at(Dim::Q));
    std::swap(at(Dim::R), at(Dim::S));
  }
  return bounds;
}

}  // namespace pimbb::dram_pim::slices
