// The tensors of a network file, which gives shapes to layers only: what a layer writes follows
// from its bounds, the rest from windows of pools and from operators that keep or join shapes.
#pragma once

#include <optional>
#include <vector>

#include "pimbb/crossbar/graph.hpp"
#include "pimbb/graph.hpp"

namespace pimbb::crossbar::chip {

/// Whether the graph comes from a network file: its layers have no operator of ONNX.
bool is_of_file(const Graph& graph);

/// By tensor; nothing behind operators whose results are not known (Reshape, Transpose, ...). The
/// input of the network is what its first reader says of it: the plane `input`, or else what that
/// layer covers but for its border on both sides.
std::vector<std::optional<Volume>> file_volumes(const Graph& graph);

/// Whether the operator pools the whole plane.
bool is_global_pool(const GraphNode& node);

}  // namespace pimbb::crossbar::chip
