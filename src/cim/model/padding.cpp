// The two ways to grow a layer.
#include "pimbb/cim/padding.hpp"

namespace pimbb::cim {
namespace {

constexpr std::int64_t kLargestUnpadded = 15;

void make_even(std::int64_t& size) {
  if (size > kLargestUnpadded && size % 2 == 1) ++size;
}

}  // namespace

Workload padded(const Workload& workload, Padding padding, const Factors& unrolled) {
  Workload w = workload;
  if (padding == Padding::even) {
    make_even(w.bounds[index(Dim::P)]);
    make_even(w.bounds[index(Dim::Q)]);
    if (w.input_plane) {
      make_even(w.input_plane->width);
      make_even(w.input_plane->height);
    }
  }
  if (padding == Padding::ceil) {
    for (std::size_t j = 0; j < kDims; ++j) {
      w.bounds[j] = (w.bounds[j] + unrolled[j] - 1) / unrolled[j] * unrolled[j];
    }
  }
  return w;
}

}  // namespace pimbb::cim
