// Layer and network files. A network's layer has the keys of a layer file, and `repetitions`. Files
// whose name ends in .onnx go to the reader of ONNX.
#include <filesystem>
#include <set>
#include <tuple>

#include "files/nearest.hpp"
#include "files/source.hpp"
#include "files/value.hpp"
#include "layers/network_presets.hpp"
#include "layers/onnx/onnx.hpp"
#include "layers/read_graph.hpp"
#include "layers/read_padding.hpp"
#include "layers/read_workload.hpp"
#include "layers/sizes.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"

namespace pimbb {
namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;

Pair read_pair(const files::Value& value) {
  const std::vector<files::Value> items = value.list("lists of two integers: [width, height]", 2);
  return {items[0].integer(1), items[1].integer(1)};
}

/// Those of all layers without their own, or `auto`.
void read_moves(const files::Value& value, Network& network) {
  if (!value.is_list()) {
    static constexpr std::array<std::string_view, 1> kWords{"auto"};
    network.moves_auto = value.choice(kWords) == 0;
    return;
  }
  const auto moves = value.subset(kTensorNames, "tensor");
  for (NetworkLayer& layer : network.layers) {
    if (!layer.workload.moves) layer.workload.moves = moves;
  }
}

/// The layers of a network are told apart by their names, so there a name is needed.
Workload read_layer(const files::Value& value, const files::Object& object, bool named,
                    const layers::Sizes& sizes = {}) {
  Workload w;
  if (named || object.find("name")) w.name = object["name"].text("names");
  for (const Dim d : kAllDims) {
    if (d == Dim::G && !object.find(name(d))) continue;  // one group
    w.bounds[index(d)] = sizes.read(object[name(d)]);
  }
  if (const auto v = object.find("stride")) std::tie(w.stride_w, w.stride_h) = read_pair(*v);
  if (const auto v = object.find("dilation")) {
    std::tie(w.dilation_w, w.dilation_h) = read_pair(*v);
  }
  if (const auto v = object.find("input")) {
    const auto [width, height] = read_pair(*v);
    w.input_plane = Plane{width, height};
  }
  if (const auto v = object.find("weight")) w.weight = v->not_negative();
  if (const auto v = object.find("pad")) w.padding = layers::read_padding(*v);
  if (const auto v = object.find("moves")) w.moves = v->subset(kTensorNames, "tensor");
  try {
    validate(w);
  } catch (const InputError& error) {
    throw InputError(value.prefix() + error.what());
  }
  return w;
}

constexpr std::array<std::string_view, 16> kLayerKeys{
    "name", "R",      "S",        "P",     "Q",      "C",   "K",     "N",
    "G",    "stride", "dilation", "input", "weight", "pad", "moves", "repetitions"};

NetworkLayer read_network_layer(const files::Value& value, const layers::Sizes& sizes) {
  const files::Object object = value.object(kLayerKeys);
  NetworkLayer layer;
  layer.workload = read_layer(value, object, true, sizes);
  if (const auto v = object.find("repetitions")) layer.repetitions = sizes.read(*v);
  return layer;
}

Network network_of(const files::Value& value, const NetworkOptions& options,
                   const std::string& label) {
  static constexpr std::array<std::string_view, 6> kKeys{"name",  "dims",   "pad",
                                                         "moves", "layers", "graph"};
  const files::Object object = value.object(kKeys);
  Network network;
  layers::Sizes sizes;
  if (const auto v = object.find("dims")) sizes = layers::Sizes(*v, options);
  sizes.check_names(options, label);
  if (const auto v = object.find("name")) network.name = v->text("names");
  const std::vector<files::Value> items = object["layers"].list("lists of layers");
  if (items.empty()) object["layers"].fail("an empty list", "lists of one layer or more");
  std::set<std::string> names;
  for (const files::Value& item : items) {
    network.layers.push_back(read_network_layer(item, sizes));
    const std::string& name = network.layers.back().workload.name;
    if (!names.insert(name).second) {
      item.fail("a second layer named '" + name + "'", "distinct names");
    }
  }
  if (const auto v = object.find("pad")) {
    const Padding padding = layers::read_padding(*v);
    for (NetworkLayer& layer : network.layers) {
      if (!layer.workload.padding) layer.workload.padding = padding;
    }
  }
  if (const auto v = object.find("moves")) read_moves(*v, network);
  if (const auto v = object.find("graph")) network.graph = layers::read_graph(*v, network.layers);
  return network;
}

/// The layer of a node of the graph; null if there is no such node, or if it is not a layer.
const Workload* layer_of_node(const Network& network, const std::string& name) {
  if (!network.graph) return nullptr;
  for (const GraphNode& node : network.graph->nodes) {
    if (node.name == name && node.layer) return &node.layer->workload;
  }
  return nullptr;
}

/// A node that one may have taken for a layer.
void explain_passed_through(const Graph& graph, const std::string& source,
                            const std::string& name) {
  for (const GraphNode& node : graph.nodes) {
    if (node.name != name) continue;
    throw InputError(source + ": found that the node '" + name + "' (" + node.op +
                     ") is not a layer: " + node.reason + "; allowed are layers");
  }
}

Workload pick(const Network& network, const std::string& source, const std::string& layer) {
  std::vector<std::string_view> names;
  for (const NetworkLayer& candidate : network.layers) {
    if (candidate.workload.name == layer) return candidate.workload;
    names.push_back(candidate.workload.name);
  }
  if (const Workload* workload = layer_of_node(network, layer)) return *workload;
  if (network.graph) explain_passed_through(*network.graph, source, layer);
  throw InputError(source + ": found no layer named '" + layer + "'" +
                   files::did_you_mean(layer, names) + ", allowed are " + files::join(names));
}

/// A network where one layer is wanted: says which layers there are.
[[noreturn]] void ask_for_layer(const Network& network, const std::string& source) {
  std::vector<std::string_view> names;
  for (const NetworkLayer& layer : network.layers) names.push_back(layer.workload.name);
  throw InputError(source + ": found a network, allowed is one layer; write '" + source +
                   ":LAYER' with one of " + files::join(names));
}

/// What only ONNX needs means nothing to a file that states its batch.
void check_unused(const NetworkOptions& options, const std::string& source) {
  if (options.skip_unsupported) {
    throw InputError(source +
                     ": --skip-unsupported: found a network file, allowed are ONNX "
                     "models; every layer of a network file is supported");
  }
  if (!options.batch) return;
  throw InputError(source + ": --batch: found " + std::to_string(*options.batch) +
                   ", allowed is a batch for ONNX models only; layers state theirs as N");
}

constexpr std::size_t kLargestModel = std::size_t{2} << 30;  // bytes: protobuf takes no more

bool is_network(const files::Value& root) { return root.has("network") || root.has("layers"); }

}  // namespace

Workload parse_workload(std::string_view text, const std::string& label) {
  const files::Document document(text, label);
  const files::Value root(document, "workload");
  if (is_network(root)) ask_for_layer(parse_network(text, label), label);
  return layers::read_workload(root.unwrap("workload"));
}

Network parse_network(std::string_view text, const std::string& label,
                      const NetworkOptions& options) {
  check_unused(options, label);
  const files::Document document(text, label);
  return network_of(files::Value(document, "network").unwrap("network"), options, label);
}

Network parse_onnx(std::string_view bytes, const std::string& label,
                   const NetworkOptions& options) {
  return network_of(std::filesystem::path(label).stem().string(),
                    layers::parse_onnx_graph(bytes, label, options));
}

Workload read_workload(const std::string& source, const NetworkOptions& options) {
  if (files::path_exists(source)) {
    if (layers::is_onnx_name(source)) ask_for_layer(read_network(source, options), source);
    check_unused(options, source);
    layers::Sizes().check_names(options, source);
    const files::Source file = files::load_file(source);
    return parse_workload(file.text, file.label);
  }
  // Paths and layer names may contain colons: take the last one with a network before it.
  for (auto colon = source.rfind(':'); colon != std::string::npos && colon > 0;
       colon = source.rfind(':', colon - 1)) {
    const std::string network = source.substr(0, colon);
    if (layers::network_table().is_source(network)) {
      return pick(read_network(network, options), network, source.substr(colon + 1));
    }
  }
  if (layers::network_table().is_source(source))
    ask_for_layer(read_network(source, options), source);
  std::vector<std::string> presets = network_presets();
  const std::vector<std::string_view> names(presets.begin(), presets.end());
  const std::string network = source.substr(0, source.rfind(':'));
  throw InputError(source + ": found neither a file nor a layer of a preset" +
                   files::did_you_mean(network, names) +
                   ", allowed are layer "
                   "files, NETWORK.yaml:LAYER, MODEL.onnx:NODE and PRESET:LAYER with the presets " +
                   files::join(names));
}

Network read_network(const std::string& source, const NetworkOptions& options) {
  if (layers::is_onnx_name(source)) {
    const files::Source file = files::load_file(source, kLargestModel);
    return parse_onnx(file.text, file.label, options);
  }
  const files::Source file = layers::network_table().load(source);
  return parse_network(file.text, file.label, options);
}

std::vector<std::string> network_presets() { return layers::network_table().names(); }

namespace layers {

bool is_onnx_name(std::string_view source) { return source.ends_with(".onnx"); }

Workload read_workload(const files::Value& value) {
  constexpr std::size_t kKeys = kLayerKeys.size() - 1;  // without the repetitions
  return read_layer(value, value.object(std::span(kLayerKeys).first(kKeys)), false);
}

}  // namespace layers

}  // namespace pimbb
