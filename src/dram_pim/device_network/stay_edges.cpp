// Edges of the graph, their dimensions, and the parts of splits along these.
#include "dram_pim/device_network/stay_edges.hpp"

#include <algorithm>
#include <string>

#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace device_network {
namespace {

/// The same layer, whatever was said afterwards of its padding and its moves.
bool same_layer(const Workload& a, const Workload& b) {
  return a.name == b.name && a.bounds == b.bounds && a.stride_w == b.stride_w &&
         a.stride_h == b.stride_h && a.dilation_w == b.dilation_w && a.dilation_h == b.dilation_h &&
         a.weight == b.weight;
}

/// One axis of the plane of a tensor, as its reader sees it.
struct Window {
  Dim position, tap;  // P and R, or Q and S
  std::int64_t stride, dilation, border;
};

/// The dimension of the reader that divides an axis into parts of their own, if there is one.
std::optional<SharedDim> plane_dim(Dim written, const Workload& writer, const Workload& reader,
                                   const Window& window) {
  const std::int64_t size = writer.bound(written);
  const std::int64_t positions = reader.bound(window.position);
  const std::int64_t taps = reader.bound(window.tap);
  if (window.border != 0 || (taps > 1 && window.dilation != 1)) return std::nullopt;
  if (positions == 1) {
    if (taps != size) return std::nullopt;
    return SharedDim{written, window.tap, 1};
  }
  if (taps != window.stride || positions * window.stride != size) return std::nullopt;
  return SharedDim{written, window.position, window.stride};
}

/// The one dimension of a layer that its channels have, if it is one.
std::optional<Dim> channel_dim(const Workload& layer, Dim own) {
  if (layer.bound(Dim::G) == 1) return own;
  if (layer.bound(own) == 1) return Dim::G;
  return std::nullopt;
}

void add_channels(const Workload& writer, const Workload& reader, std::vector<SharedDim>& dims) {
  const std::optional<Dim> from = channel_dim(writer, Dim::K);
  const std::optional<Dim> to = channel_dim(reader, Dim::C);
  if (from && to) {
    dims.push_back({*from, *to, 1});
  } else if (writer.bound(Dim::G) == reader.bound(Dim::G)) {
    dims.push_back({Dim::G, Dim::G, 1});
    dims.push_back({Dim::K, Dim::C, 1});
  }
}

std::vector<SharedDim> shared_dims(const Workload& writer, const GraphLayer& node,
                                   const Workload& reader) {
  std::vector<SharedDim> dims{{Dim::N, Dim::N, 1}};
  add_channels(writer, reader, dims);
  const Window columns{Dim::P, Dim::R, reader.stride_w, reader.dilation_w, node.pad_left};
  const Window rows{Dim::Q, Dim::S, reader.stride_h, reader.dilation_h, node.pad_top};
  if (const auto dim = plane_dim(Dim::P, writer, reader, columns)) dims.push_back(*dim);
  if (const auto dim = plane_dim(Dim::Q, writer, reader, rows)) dims.push_back(*dim);
  return dims;
}

bool moves(const Workload& layer, Tensor t) {
  return layer.moves.value_or(kDefaultMoves)[index(t)];
}

class EdgeFinder {
 public:
  EdgeFinder(const Device& device, const Network& network)
      : device_(device),
        network_(network),
        graph_(*network.graph),
        layers_(layers_of_nodes(network)) {}

  std::vector<StayEdge> run() {
    std::vector<StayEdge> edges;
    const Architecture& unit = device_.unit;
    if (unit.element_units(Tensor::input) != unit.element_units(Tensor::output)) return edges;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      if (const auto reader = only_reader(n)) add(n, *reader, edges);
    }
    return edges;
  }

 private:
  /// The place that alone reads what a layer writes, behind operators that are applied in place.
  [[nodiscard]] std::optional<GraphPort> only_reader(std::size_t writer) const {
    const GraphNode* node = &graph_.nodes[writer];
    if (!node->layer || node->layer->repetitions() > 1) return std::nullopt;
    while (true) {
      const std::optional<std::size_t> tensor = only_output(*node);
      if (!tensor) return std::nullopt;
      const GraphPort& port = graph_.tensors[*tensor].consumers.front();
      node = &graph_.nodes[port.node];
      if (node->layer) return port;
      if (!in_place(*node)) return std::nullopt;
    }
  }

  /// The tensor that a node writes, if one place reads it and the host does not need it.
  [[nodiscard]] std::optional<std::size_t> only_output(const GraphNode& node) const {
    const auto written = [](const std::optional<std::size_t>& t) { return t.has_value(); };
    if (std::ranges::count_if(node.outputs, written) != 1 || !node.outputs[0]) return std::nullopt;
    const std::size_t tensor = *node.outputs[0];
    if (graph_.tensors[tensor].consumers.size() != 1) return std::nullopt;
    if (std::ranges::count(graph_.outputs, tensor) > 0) return std::nullopt;
    return tensor;
  }

  /// Element by element, of one operand that is not constant and as large as the result.
  [[nodiscard]] bool in_place(const GraphNode& node) const {
    if (!is_element_wise(node.op) || node.outputs.empty() || !node.outputs[0]) return false;
    const GraphTensor* operand = nullptr;
    for (const std::optional<std::size_t>& input : node.inputs) {
      if (!input || graph_.tensors[*input].constant) continue;
      if (operand != nullptr) return false;
      operand = &graph_.tensors[*input];
    }
    if (operand == nullptr) return false;
    const std::optional<Shape>& result = graph_.tensors[*node.outputs[0]].shape;
    return !operand->shape || !result || *operand->shape == *result;
  }

  void add(std::size_t n, const GraphPort& port, std::vector<StayEdge>& edges) const {
    const GraphLayer& reads = *graph_.nodes[port.node].layer;
    if (reads.repetitions() > 1 || port.slot != reads.input_slot) return;
    const Workload& writer = network_.layers[layers_[n]].workload;
    const Workload& reader = network_.layers[layers_[port.node]].workload;
    if (!moves(writer, Tensor::output) || !moves(reader, Tensor::input)) return;
    if (writer.weight != reader.weight || writer.bound(Dim::N) != reader.bound(Dim::N)) return;
    if (writer.bound(Dim::G) * writer.bound(Dim::K) !=
        reader.bound(Dim::G) * reader.bound(Dim::C)) {
      return;
    }
    edges.push_back({n, port.node, shared_dims(writer, reads, reader)});
  }

  const Device& device_;
  const Network& network_;
  const Graph& graph_;
  const std::vector<std::size_t> layers_;
};

/// Appends the block of a dimension and its factors.
void append(Parts& parts, Dim j, std::int64_t scale, const Split& split, const Factors& slice) {
  const std::size_t place = parts.size();
  parts.push_back(0);
  for (const Factors& factors : split) {
    parts.push_back(factors[index(j)]);
    if (factors[index(j)] > 1) parts[place] = scale * slice[index(j)];
  }
}

bool splits_only(const Split& split, const DimFlags& dims) {
  return std::ranges::all_of(split, [&](const Factors& factors) {
    return std::ranges::all_of(kAllDims,
                               [&](Dim j) { return factors[index(j)] == 1 || dims[index(j)]; });
  });
}

}  // namespace

std::vector<std::size_t> layers_of_nodes(const Network& network) {
  std::vector<std::size_t> layers;
  for (const GraphNode& node : network.graph->nodes) {
    layers.push_back(network.layers.size());
    if (!node.layer) continue;
    const auto same = std::ranges::find_if(network.layers, [&](const NetworkLayer& layer) {
      return same_layer(layer.workload, node.layer->workload);
    });
    if (same == network.layers.end()) {
      throw InputError("node '" + node.name + "': found the layer '" + node.layer->workload.name +
                       "', allowed are the layers of the network");
    }
    layers.back() = static_cast<std::size_t>(same - network.layers.begin());
  }
  return layers;
}

Parts written_parts(const StayEdge& edge, const Split& split, const Factors& slice) {
  Parts parts;
  for (const SharedDim& dim : edge.dims) append(parts, dim.written, 1, split, slice);
  return parts;
}

Parts read_parts(const StayEdge& edge, const Split& split, const Factors& slice) {
  Parts parts;
  for (const SharedDim& dim : edge.dims) append(parts, dim.read, dim.scale, split, slice);
  return parts;
}

DimFlags written_dims(const StayEdge& edge) {
  DimFlags dims{};
  for (const SharedDim& dim : edge.dims) dims[index(dim.written)] = true;
  return dims;
}

DimFlags read_dims(const StayEdge& edge) {
  DimFlags dims{};
  for (const SharedDim& dim : edge.dims) dims[index(dim.read)] = true;
  return dims;
}

}  // namespace device_network

std::vector<StayEdge> stay_edges(const Device& device, const Network& network) {
  if (!network.graph) {
    throw InputError("network '" + network.name +
                     "': found no graph; --stay needs one, which says what layers exchange");
  }
  return device_network::EdgeFinder(device, network).run();
}

bool parts_agree(const StayEdge& edge, const DeviceMapping& writer, const DeviceMapping& reader) {
  using namespace device_network;
  return splits_only(writer.split, written_dims(edge)) &&
         splits_only(reader.split, read_dims(edge)) &&
         written_parts(edge, writer.split, writer.slice) ==
             read_parts(edge, reader.split, reader.slice);
}

}  // namespace pimbb::dram_pim
