// Equal layers of a network, merged: a ResNet block that occurs four times is solved once.
//
// Two layers are equal if nothing that a cost model sees differs: bounds, stride, dilation, planes,
// and the weight with which they count in the totals. Names do not matter; the first one is kept. A
// model that does not depend on the planes of the inputs takes them away before (DRAM-PIM does).
// Networks have tens of layers, so looking through those seen so far is quick enough.
#include <algorithm>
#include <cassert>

#include "pimbb/error.hpp"
#include "pimbb/network.hpp"

namespace pimbb {
namespace {

void add_repetitions(NetworkLayer& layer, std::int64_t more) {
  if (__builtin_add_overflow(layer.repetitions, more, &layer.repetitions)) {
    throw InputError("layer '" + layer.workload.name +
                     "': repetitions: the sum over equal layers is too large; allowed is less "
                     "than 2^63");
  }
}

}  // namespace

Network without_input_planes(Network network) {
  for (NetworkLayer& layer : network.layers) layer.workload.input_plane.reset();
  if (network.graph) {
    for (GraphNode& node : network.graph->nodes) {
      if (node.layer) node.layer->workload.input_plane.reset();
    }
  }
  return network;
}

bool same_shape(const Workload& a, const Workload& b) {
  return a.bounds == b.bounds && a.stride_w == b.stride_w && a.stride_h == b.stride_h &&
         a.dilation_w == b.dilation_w && a.dilation_h == b.dilation_h && a.weight == b.weight &&
         a.input_frame == b.input_frame && a.output_frame == b.output_frame &&
         a.input_plane == b.input_plane && a.padding == b.padding && a.moves == b.moves;
}

std::vector<std::size_t> distinct_shapes(const Network& network) {
  std::vector<const Workload*> seen;
  std::vector<std::size_t> shapes;
  for (const NetworkLayer& layer : network.layers) {
    const auto same = std::ranges::find_if(
        seen, [&](const Workload* workload) { return same_shape(*workload, layer.workload); });
    shapes.push_back(static_cast<std::size_t>(same - seen.begin()));
    if (same == seen.end()) seen.push_back(&layer.workload);
  }
  return shapes;
}

Network merge_equal_layers(const Network& network) {
  Network merged{network.name, {}};
  const std::vector<std::size_t> shapes = distinct_shapes(network);
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    assert(shapes[i] <= merged.layers.size());
    if (shapes[i] == merged.layers.size()) {
      merged.layers.push_back(network.layers[i]);
    } else {
      add_repetitions(merged.layers[shapes[i]], network.layers[i].repetitions);
    }
  }
  return merged;
}

}  // namespace pimbb
