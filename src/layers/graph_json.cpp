// Nodes as JSON: operator, tensors with shapes, and the mapping problem or why there is none.
#include "layers/graph_json.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace pimbb::layers {
namespace {

files::Json tensors_json(const Graph& graph,
                         const std::vector<std::optional<std::size_t>>& indices) {
  files::Json list = files::Json::array();
  for (const auto& index : indices) {
    if (!index) {
      list.push_back(nullptr);
      continue;
    }
    const GraphTensor& tensor = graph.tensors[*index];
    files::Json json = files::Json::object();
    json["tensor"] = tensor.name;
    json["shape"] = tensor.shape ? files::Json(*tensor.shape) : files::Json(nullptr);
    if (tensor.constant) json["constant"] = true;
    list.push_back(std::move(json));
  }
  return list;
}

files::Json layer_json(const GraphLayer& layer, const std::string& result) {
  const Workload& workload = layer.workload;
  files::Json json = files::Json::object();
  json["dimensions"] = files::Json::object();
  for (const Dim d : kAllDims) {
    if (d == Dim::G && workload.bound(d) == 1) continue;
    json["dimensions"][std::string(name(d))] = workload.bound(d);
  }
  json["stride"] = {workload.stride_w, workload.stride_h};
  json["dilation"] = {workload.dilation_w, workload.dilation_h};
  json["input"] = layer.input_slot;
  json["weight"] = layer.weight_slot;
  json["groups"] = workload.bound(Dim::G);
  json["products"] = layer.products;
  json["repetitions"] = layer.repetitions();
  json["macs"] = layer.macs().to_double();
  json["result"] = result;
  return json;
}

}  // namespace

files::Json nodes_json(const Network& network) {
  const auto result_of = [&](const Workload& workload) {  // the first layer of its shape
    const auto same = std::ranges::find_if(network.layers, [&](const NetworkLayer& layer) {
      return same_shape(layer.workload, workload);
    });
    return same == network.layers.end() ? std::string() : same->workload.name;
  };
  files::Json nodes = files::Json::array();
  for (const GraphNode& node : network.graph->nodes) {
    files::Json json = files::Json::object();
    json["name"] = node.name;
    json["operator"] = node.op;
    json["inputs"] = tensors_json(*network.graph, node.inputs);
    json["outputs"] = tensors_json(*network.graph, node.outputs);
    if (node.layer) {
      json["layer"] = layer_json(*node.layer, result_of(node.layer->workload));
    } else {
      json[node.skipped ? "skipped" : "passed_through"] = node.reason;
    }
    nodes.push_back(std::move(json));
  }
  return nodes;
}

}  // namespace pimbb::layers
