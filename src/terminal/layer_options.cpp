// Rows of layers and networks, and the presets to choose from.
#include "terminal/layer_options.hpp"

#include <fmt/format.h>

#include "pimbb/error.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::terminal {
namespace {

const std::vector<std::string> kNetworkFiles{"yaml", "yml", "json", "onnx"};

std::vector<std::string> layers_of_presets() {
  std::vector<std::string> names;
  for (const std::string& preset : network_presets()) {
    for (const NetworkLayer& layer : read_network(preset).layers) {
      names.push_back(preset + ":" + layer.workload.name);
    }
  }
  return names;
}

}  // namespace

Choices network_choices() { return {.words = network_presets(), .files = kNetworkFiles}; }

Choices layer_choices() {
  static const std::vector<std::string> names = layers_of_presets();  // many files: read them once
  return {.words = names, .files = kNetworkFiles};
}

OptionRow layer_row(std::string& layer) {
  return {
      "--layer",
      "LAYER",
      groups::kProblem,
      "",
      "Layer: a file with one layer (bounds R S P Q C K N, and G for the groups of a grouped or "
      "depthwise convolution), or NETWORK:LAYER for one layer of a network file or preset, "
      "MODEL.onnx:NODE for one of an ONNX model",
      [&](auto option, auto& text) { layer = not_empty(option, text); },
      layer_choices,
      /*alone=*/true};
}

void refuse_padding(const Workload& layer, std::string_view what) {
  if (!layer.may_be_padded()) return;
  throw InputError(fmt::format(
      "layer '{}': pad: found padding, which {} cannot use; allowed is none", layer.name, what));
}

OptionRow network_row(std::string& network) {
  return {
      "--network",
      "NET",
      groups::kProblem,
      "resnet18",
      "Network: a YAML or JSON file with a list of layers, an ONNX model (.onnx), or the name of a "
      "preset",
      [&](auto option, auto& text) { network = not_empty(option, text); },
      network_choices,
      /*alone=*/true};
}

OptionRow batch_row(NetworkOptions& options) {
  return {"--batch",
          "N",
          groups::kProblem,
          "",
          "Batch size of an ONNX model whose inputs have a symbolic first dimension",
          [&](auto option, auto& text) {
            options.batch = integer<std::int64_t>(option, text, 1, (std::int64_t{1} << 31) - 1);
          }};
}

OptionRow dim_row(NetworkOptions& options) {
  return {
      "--dim",
      "NAME=N",
      groups::kProblem,
      "",
      "Value of a symbolic size of an ONNX model's inputs, such as seq=128, or of a name in the "
      "dims of a network file; once for each name",
      [&](auto option, auto& text) {
        const auto sign = text.rfind('=');
        if (sign == std::string::npos || sign == 0) {
          refuse(option, text, "NAME=N, such as seq=128");
        }
        const std::string name = text.substr(0, sign);
        const auto value =
            integer<std::int64_t>(fmt::format("{} {}", option, name), text.substr(sign + 1), 1,
                                  (std::int64_t{1} << 31) - 1);
        if (!options.dims.emplace(name, value).second) {
          refuse(option, text, fmt::format("one value for '{}'", name));
        }
      },
      nullptr,
      /*alone=*/false,
      /*repeats=*/true};
}

OptionRow skip_row(NetworkOptions& options) {
  return {
      "--skip-unsupported",
      nullptr,
      groups::kProblem,
      "",
      "Leave out the nodes of an ONNX model that multiply but cannot be read (recurrent layers, "
      "subgraphs, ...) instead of refusing the model; the report lists them",
      [&](auto, auto&) { options.skip_unsupported = true; }};
}

void ask_for_layer() {
  std::string examples;
  for (const std::string& preset : network_presets()) {
    const Network network = read_network(preset);
    if (network.layers.empty()) continue;
    examples += fmt::format("\n  --layer {}:{}", preset, network.layers.back().workload.name);
  }
  throw InputError(
      "--layer: found none; allowed are a file with one layer, or NETWORK:LAYER. Try one of" +
      examples + "\n'pimbb presets NETWORK' lists the layers of a network.");
}

}  // namespace pimbb::terminal
