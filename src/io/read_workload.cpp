// Layer and network files. A network's layer has the keys of a layer file, and `repetitions`.
#include <set>
#include <tuple>

#include "io/nearest.hpp"
#include "io/source.hpp"
#include "io/value.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"

namespace pimbb::io {
namespace {

using Pair = std::pair<std::int64_t, std::int64_t>;

Pair read_pair(const Value& value) {
  const std::vector<Value> items = value.list("lists of two integers: [width, height]", 2);
  return {items[0].integer(1), items[1].integer(1)};
}

/// The layers of a network are told apart by their names, so there a name is needed.
Workload read_layer(const Value& value, const Object& object, bool named) {
  Workload w;
  if (named || object.find("name")) w.name = object["name"].text("names");
  for (const Dim d : kAllDims) w.bounds[index(d)] = object[name(d)].integer(1);
  if (const auto v = object.find("stride")) std::tie(w.stride_w, w.stride_h) = read_pair(*v);
  if (const auto v = object.find("dilation")) {
    std::tie(w.dilation_w, w.dilation_h) = read_pair(*v);
  }
  if (const auto v = object.find("weight")) w.weight = v->not_negative();
  try {
    validate(w);
  } catch (const InputError& error) {
    throw InputError(value.prefix() + error.what());
  }
  return w;
}

constexpr std::array<std::string_view, 12> kLayerKeys{
    "name", "R", "S", "P", "Q", "C", "K", "N", "stride", "dilation", "weight", "repetitions"};

NetworkLayer read_network_layer(const Value& value) {
  const Object object = value.object(kLayerKeys);
  NetworkLayer layer;
  layer.workload = read_layer(value, object, true);
  if (const auto v = object.find("repetitions")) layer.repetitions = v->integer(1);
  return layer;
}

Network read(const Value& value) {
  static constexpr std::array<std::string_view, 2> kKeys{"name", "layers"};
  const Object object = value.object(kKeys);
  Network network;
  if (const auto v = object.find("name")) network.name = v->text("names");
  const std::vector<Value> items = object["layers"].list("lists of layers");
  if (items.empty()) object["layers"].fail("an empty list", "lists of one layer or more");
  std::set<std::string> names;
  for (const Value& item : items) {
    network.layers.push_back(read_network_layer(item));
    const std::string& name = network.layers.back().workload.name;
    if (!names.insert(name).second) {
      item.fail("a second layer named '" + name + "'", "distinct names");
    }
  }
  return network;
}

Workload pick(const Network& network, const std::string& source, const std::string& layer) {
  std::vector<std::string_view> names;
  for (const NetworkLayer& candidate : network.layers) {
    if (candidate.workload.name == layer) return candidate.workload;
    names.push_back(candidate.workload.name);
  }
  throw InputError(source + ": found no layer named '" + layer + "'" + did_you_mean(layer, names) +
                   ", allowed are " + join(names));
}

/// A network where one layer is wanted: says which layers there are.
[[noreturn]] void ask_for_layer(const Network& network, const std::string& source) {
  std::vector<std::string_view> names;
  for (const NetworkLayer& layer : network.layers) names.push_back(layer.workload.name);
  throw InputError(source + ": found a network, allowed is one layer; write '" + source +
                   ":LAYER' with one of " + join(names));
}

bool is_network(const Value& root) { return root.has("network") || root.has("layers"); }

}  // namespace

Workload parse_workload(std::string_view text, const std::string& label) {
  const Document document(text, label);
  const Value root(document, "workload");
  if (is_network(root)) ask_for_layer(parse_network(text, label), label);
  const Value layer = root.unwrap("workload");
  return read_layer(layer, layer.object(std::span(kLayerKeys).first(kLayerKeys.size() - 1)), false);
}

Network parse_network(std::string_view text, const std::string& label) {
  const Document document(text, label);
  return read(Value(document, "network").unwrap("network"));
}

Workload read_workload(const std::string& source) {
  if (path_exists(source)) {
    const Source file = load_file(source);
    return parse_workload(file.text, file.label);
  }
  // Paths and layer names may contain colons: take the last one with a network before it.
  for (auto colon = source.rfind(':'); colon != std::string::npos && colon > 0;
       colon = source.rfind(':', colon - 1)) {
    const std::string network = source.substr(0, colon);
    if (is_network_source(network)) {
      return pick(read_network(network), network, source.substr(colon + 1));
    }
  }
  if (is_network_source(source)) ask_for_layer(read_network(source), source);
  std::vector<std::string> presets = network_presets();
  const std::vector<std::string_view> names(presets.begin(), presets.end());
  throw InputError(source +
                   ": found neither a file nor a layer of a preset, allowed are layer "
                   "files, NETWORK.yaml:LAYER and PRESET:LAYER with the presets " +
                   join(names));
}

Network read_network(const std::string& source) {
  const Source file = load_network(source);
  return parse_network(file.text, file.label);
}

}  // namespace pimbb::io
