// One pass over the nodes, each of which reads tensors of earlier ones.
#include "crossbar/chip/file_volumes.hpp"

#include <algorithm>

namespace pimbb::crossbar::chip {
namespace {

using Volumes = std::vector<std::optional<Volume>>;

Volume volume_read(const GraphLayer& layer) {
  const Workload& w = layer.workload;
  Volume read{w.bound(Dim::G) * w.bound(Dim::C), w.input_height() - 2 * layer.pad_top,
              w.input_width() - 2 * layer.pad_left};
  if (w.input_plane) {
    read.height = w.input_plane->height;
    read.width = w.input_plane->width;
  }
  return read;
}

Volume volume_written(const Workload& w) {
  return {w.bound(Dim::G) * w.bound(Dim::K), w.bound(Dim::Q), w.bound(Dim::P)};
}

std::optional<Volume> first_read(const Graph& graph, std::size_t tensor) {
  for (const GraphNode& node : graph.nodes) {
    if (node.layer && *node.inputs[0] == tensor) return volume_read(*node.layer);
  }
  return std::nullopt;
}

std::int64_t outputs(const PoolAxis& axis, std::int64_t in) {
  return (in + axis.before + axis.after - axis.kernel) / axis.stride + 1;
}

/// Operators whose result has the shape of what they read.
bool keeps_volume(std::string_view op) {
  const OperatorKind kind = operator_kind(op);
  return is_element_wise(op) || kind == OperatorKind::normalisation ||
         kind == OperatorKind::softmax || kind == OperatorKind::free;
}

std::optional<Volume> concatenation(const GraphNode& node, const Volumes& volumes) {
  Volume sum = *volumes[*node.inputs[0]];
  sum.channels = 0;
  for (const auto& t : node.inputs) {
    if (!volumes[*t]) return std::nullopt;
    sum.channels += volumes[*t]->channels;
  }
  return sum;
}

std::optional<Volume> result_of(const GraphNode& node, const Volumes& volumes) {
  if (node.layer) return volume_written(node.layer->workload);
  const std::optional<Volume>& in = volumes[*node.inputs[0]];
  if (!in) return std::nullopt;
  if (node.pool) {
    return Volume{in->channels, outputs((*node.pool)[0], in->height),
                  outputs((*node.pool)[1], in->width)};
  }
  if (is_global_pool(node)) return Volume{in->channels, 1, 1};
  if (node.op == "Concat") return concatenation(node, volumes);
  if (node.op == "Flatten") return Volume{in->channels * in->pixels(), 1, 1};
  return keeps_volume(node.op) ? in : std::nullopt;
}

}  // namespace

bool is_of_file(const Graph& graph) {
  return std::ranges::count(graph.nodes, kLayerOperator, &GraphNode::op) > 0;
}

bool is_global_pool(const GraphNode& node) {
  return operator_kind(node.op) == OperatorKind::pooling && node.op.starts_with("Global");
}

Volumes file_volumes(const Graph& graph) {
  Volumes volumes(graph.tensors.size());
  for (const std::size_t t : graph.inputs) volumes[t] = first_read(graph, t);
  for (const GraphNode& node : graph.nodes) volumes[*node.outputs[0]] = result_of(node, volumes);
  return volumes;
}

}  // namespace pimbb::crossbar::chip
