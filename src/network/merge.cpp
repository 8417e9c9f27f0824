// Equal layers of a network, merged: a ResNet block that occurs four times is solved once.
//
// Two layers are equal if nothing that the cost model sees differs: bounds, stride, dilation, and
// the weight with which they count in the totals. Names do not matter; the first one is kept.
// Networks have tens of layers, so looking through those seen so far is quick enough.
#include <algorithm>

#include "pimbb/error.hpp"
#include "pimbb/network.hpp"

namespace pimbb {
namespace {

bool equal_shape(const Workload& a, const Workload& b) {
  return a.bounds == b.bounds && a.stride_w == b.stride_w && a.stride_h == b.stride_h &&
         a.dilation_w == b.dilation_w && a.dilation_h == b.dilation_h && a.weight == b.weight;
}

void add_repetitions(NetworkLayer& layer, std::int64_t more) {
  if (__builtin_add_overflow(layer.repetitions, more, &layer.repetitions)) {
    throw InputError("layer '" + layer.workload.name +
                     "': repetitions: the sum over equal layers is too large; allowed is less "
                     "than 2^63");
  }
}

}  // namespace

Network merge_equal_layers(const Network& network) {
  Network merged{network.name, {}};
  for (const NetworkLayer& layer : network.layers) {
    const auto same = std::ranges::find_if(merged.layers, [&](const NetworkLayer& seen) {
      return equal_shape(seen.workload, layer.workload);
    });
    if (same == merged.layers.end()) {
      merged.layers.push_back(layer);
    } else {
      add_repetitions(*same, layer.repetitions);
    }
  }
  return merged;
}

}  // namespace pimbb
