// The graph of a network file: which layer reads what.
//
//   graph:
//     - {node: stem, layer: conv1}
//     - {node: pool, op: MaxPool}
//     - {node: a, layer: conv2}
//     - {node: b, layer: conv2}
//     - {node: sum, op: Add, from: [pool, b]}
//
// A node is a layer of the file or an operator by its ONNX name. It reads what `from` names, nodes
// above it or `input`, the network's own; without `from`, the node before it. The first is a
// layer's input. `pad: [left, top]` is the border in front of a layer's input; by default the
// border that its bounds ask for lies half in front, the larger half if it is odd.
#pragma once

#include "files/value.hpp"
#include "pimbb/network.hpp"

namespace pimbb::layers {

/// Throws InputError at what does not fit: names, cycles, a layer that occurs more or less often
/// than its repetitions say.
Graph read_graph(const files::Value& list, const std::vector<NetworkLayer>& layers);

}  // namespace pimbb::layers
