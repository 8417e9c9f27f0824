// A network: layers with repetitions, and the graph that connects them if it is known.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/graph.hpp"
#include "pimbb/workload.hpp"

namespace pimbb {

struct NetworkLayer {
  Workload workload;
  std::int64_t repetitions = 1;
};

struct Network {
  std::string name = "network";
  std::vector<NetworkLayer> layers;
  std::optional<Graph> graph = {};  ///< if it is known; its layers are those of `layers`
  /// On devices: weights of layers without `moves` of their own stay or move, whichever is better.
  bool moves_auto = false;
};

/// The network of a graph's layers.
Network network_of(std::string name, Graph graph);

/// The same network without the planes of its inputs (Workload::input_plane), for models that do
/// not depend on them: layers that differ in nothing else are then equal.
Network without_input_planes(Network network);

/// Whether two layers are the same problem with the same weight, whatever their names.
bool same_shape(const Workload& a, const Workload& b);

/// For every layer the index of its shape (bounds, stride, dilation, weight, planes) among the
/// distinct shapes, which are numbered in order of first appearance.
std::vector<std::size_t> distinct_shapes(const Network& network);

/// Merges layers of equal shape, adding their repetitions: one layer for each distinct shape.
Network merge_equal_layers(const Network& network);

/// Throws InputError unless there is a layer, and each of them is valid and repeated once or more.
void validate(const Network& network);

}  // namespace pimbb
