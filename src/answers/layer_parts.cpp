// Texts of layers: all that a search depends on.
#include "answers/layer_parts.hpp"

#include "layers/workload_json.hpp"

namespace pimbb::answers {
namespace {

/// A layer's name and weight do not matter for its mappings.
std::string text_of(Workload layer) {
  layer.name = "layer";
  layer.weight = 1;
  return layers::workload_json(layer).dump();
}

}  // namespace

LayerParts::LayerParts(const std::vector<Network>& networks) {
  for (const Network& network : networks) {
    networks_.push_back(merge_equal_layers(network));
    std::vector<NetworkPart>& parts = parts_.emplace_back();
    for (const NetworkLayer& layer : networks_.back().layers) {
      const Workload& workload = layer.workload;
      parts.push_back(
          {workload.name, workload.weight * Rational(layer.repetitions), text_of(workload)});
    }
  }
}

std::vector<std::string> LayerParts::names() const {
  std::vector<std::string> names;
  for (const Network& network : networks_) names.push_back(network.name);
  return names;
}

}  // namespace pimbb::answers
