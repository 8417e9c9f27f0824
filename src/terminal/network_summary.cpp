// Counting layers and operators.
#include "terminal/network_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "terminal/format.hpp"

namespace pimbb::terminal {
namespace {

/// "20 Conv, 1 Gemm": most frequent first.
std::string counts(const std::map<std::string, std::int64_t>& operators) {
  std::vector<std::pair<std::string, std::int64_t>> sorted(operators.begin(), operators.end());
  std::ranges::stable_sort(sorted, std::ranges::greater{}, [](const auto& o) { return o.second; });
  std::string text;
  for (const auto& [name, count] : sorted) {
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", number(count), printable(name));
  }
  return text.empty() ? "nothing" : text;
}

}  // namespace

std::int64_t layer_count(const Network& network) {
  if (network.graph) {
    return std::ranges::count_if(network.graph->nodes,
                                 [](const GraphNode& node) { return node.layer.has_value(); });
  }
  std::int64_t layers = 0;
  for (const NetworkLayer& layer : network.layers) layers += layer.repetitions;
  return layers;
}

std::string graph_notes(const Style& style, const Network& network) {
  if (!network.graph) return "";
  std::map<std::string, std::int64_t> layers;
  std::map<std::string, std::int64_t> others;
  std::map<std::string, std::int64_t> skipped;
  std::int64_t grouped = 0;
  std::int64_t batched = 0;
  std::int64_t transposed = 0;
  for (const GraphNode& node : network.graph->nodes) {
    ++(node.layer ? layers : node.skipped ? skipped : others)[node.op];
    if (!node.layer) continue;
    grouped += node.layer->workload.bound(Dim::G) > 1 ? 1 : 0;
    (node.op == "ConvTranspose" ? transposed : batched) += node.layer->products > 1 ? 1 : 0;
  }
  // A network file does not say which operators its layers are.
  std::string text = layers.size() == 1 && layers.begin()->first == kLayerOperator
                         ? std::string()
                         : fmt::format("layers: {}\n", counts(layers));
  if (grouped > 0) {
    text += fmt::format("in groups: {} of them, with a loop G over the groups\n", number(grouped));
  }
  if (batched > 0) {
    text +=
        fmt::format("products of two batched tensors: {}; each product is a problem of its own\n",
                    number(batched));
  }
  if (transposed > 0) {
    text += fmt::format(
        "phases of transposed convolutions: {}; equal phases are one problem, repeated\n",
        number(transposed));
  }
  if (!skipped.empty()) {
    text += fmt::format("skipped, their cost is in no figure: {}\n", counts(skipped));
  }
  return style.faint(text + fmt::format("passed through: {}", counts(others))) + "\n";
}

std::string left_out_note(const Style& style, const Network& network,
                          const std::vector<std::string>& layers) {
  std::string names;
  for (const std::string& layer : layers) names += (names.empty() ? "" : ", ") + printable(layer);
  std::string text;
  if (!names.empty()) text += fmt::format("not in the total, as they have no mapping: {}\n", names);
  if (!network.graph) {
    text += "not in the total: what lies between the layers, which the file does not list\n";
    return style.faint(text);
  }
  std::map<std::string, std::int64_t> skipped;
  for (const GraphNode& node : network.graph->nodes) {
    if (node.skipped) ++skipped[node.op];
  }
  if (!skipped.empty()) {
    text += fmt::format("not in the total, as they were skipped: {}\n", counts(skipped));
  }
  return style.faint(text);
}

std::string network_heading(const Style& style, const Network& given, const Network& merged,
                            const std::string& accelerator, const std::string& task) {
  return fmt::format("{}  {} layers, {} distinct\n{}on {}\n{}\n\n",
                     style.heading(printable(given.name)), number(layer_count(given)),
                     number(static_cast<std::int64_t>(merged.layers.size())),
                     graph_notes(style, given), accelerator, task);
}

}  // namespace pimbb::terminal
