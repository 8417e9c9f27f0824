// The graph of a network file.
//
//   graph:
//     - {node: stem, layer: conv1}
//     - {node: pool, op: MaxPool}
//     - {node: a, layer: conv2}
//     - {node: b, layer: conv2}
//     - {node: sum, op: Add, from: [pool, b]}
//
// A node is a layer of the file, or an operator with its ONNX name. It reads the nodes in `from`,
// which are above it, or `input`, the input of the network; without `from`, it reads the node
// before it. The first of them is a layer's input. `pad: [left, top]` is the border before a
// layer's input; the default is half of the border that follows from its bounds, rounded up.
#pragma once

#include "files/value.hpp"
#include "pimbb/network.hpp"

namespace pimbb::layers {

/// Throws InputError for unknown names, cycles, and layers whose number of nodes differs from their
/// repetitions.
Graph read_graph(const files::Value& list, const std::vector<NetworkLayer>& layers);

}  // namespace pimbb::layers
