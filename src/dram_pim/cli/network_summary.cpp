// The traffic of operators in words.
#include "dram_pim/cli/network_summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "pimbb/dram_pim/operator_traffic.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {

std::vector<Goal> extra_goals(const Objective& objective) {
  std::vector<Goal> goals;
  std::ranges::copy_if(objective.goals, std::back_inserter(goals),
                       [](Goal goal) { return trades_off(goal); });
  return goals;
}

std::string left_out_note(const Style& style, const Network& network,
                          std::span<const LayerSolution> layers) {
  std::vector<std::string> names;
  for (const LayerSolution& layer : layers) {
    if (!layer.solution.mapping) names.push_back(layer.workload.name);
  }
  return terminal::left_out_note(style, network, names);
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
