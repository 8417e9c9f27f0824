// Counting layers and operators.
#include "dram_pim/cli/network_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "pimbb/dram_pim/operator_traffic.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
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
                          std::span<const LayerSolution> layers) {
  std::string names;
  for (const LayerSolution& layer : layers) {
    if (layer.solution.mapping) continue;
    names += (names.empty() ? "" : ", ") + printable(layer.workload.name);
  }
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

std::string traffic_note(const Style& style, const Architecture& architecture,
                         const Network& network) {
  if (!network.graph) return "";
  static constexpr std::array<std::string_view, kMovingKinds.size()> kWords{
      "element-wise", "pooling", "softmax", "normalisation"};
  const auto kinds = traffic_by_kind(architecture, *network.graph);
  std::string nodes;
  OperatorTraffic moved;
  std::int64_t unknown = 0;
  for (std::size_t k = 0; k < kinds.size(); ++k) {
    unknown += kinds[k].unknown;
    moved.bytes += kinds[k].moved.bytes;
    moved.rows += kinds[k].moved.rows;
    if (kinds[k].nodes == 0) continue;
    nodes += fmt::format("{}{} {}", nodes.empty() ? "" : ", ", number(kinds[k].nodes), kWords[k]);
  }
  std::string text;
  if (!nodes.empty()) {
    text = fmt::format(
        "counted apart, not in the total: {} move {} bytes, open {} rows; their cycles and energy "
        "are in no figure\n",
        nodes, number(moved.bytes), number(moved.rows));
  }
  if (unknown > 0) {
    text += fmt::format("not counted: {} operators beside the layers, whose shapes are unknown\n",
                        number(unknown));
  }
  return style.faint(text);
}

}  // namespace pimbb::dram_pim::cli
