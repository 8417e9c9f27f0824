// Solutions as claims.
#include "dram_pim/cli/verdict.hpp"

#include <fmt/format.h>

#include "dram_pim/cli/goal_text.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

Claim claim_of(const Solution& solution) {
  Claim claim{solution.status, {}, solution.reason, "", ""};
  for (const GoalResult& goal : solution.goals) {
    claim.goals.push_back({fmt::format("{} {}", name(goal.goal), with_unit(goal.goal, goal.value)),
                           goal.bound, goal.gap(), goal.value == goal.bound});
  }
  return claim;
}

}  // namespace

std::string verdict(const Style& style, const Solution& solution, bool interrupted) {
  Claim claim = claim_of(solution);
  if (is_dataflow(solution.method)) claim.within = fmt::format(" within {}", name(solution.method));
  claim.stopped = interrupted ? "interrupted" : "limit hit";
  if (is_heuristic(solution.method)) {
    claim.stopped =
        fmt::format("{}, not proven{}", name(solution.method), interrupted ? ", interrupted" : "");
  }
  return terminal::verdict(style, claim);
}

std::string effort(const Solution& solution, bool timeless) {
  std::string work =
      fmt::format("{}, {} evaluated", plural(static_cast<std::int64_t>(solution.nodes), "node"),
                  plural(static_cast<std::int64_t>(solution.leaves), "mapping"));
  if (solution.bounds > 0) {
    work += fmt::format(", {} of {} padded bounds searched",
                        number(static_cast<std::int64_t>(solution.bounds_searched)),
                        number(static_cast<std::int64_t>(solution.bounds)));
  }
  return terminal::effort_text(work, solution.seconds, solution.threads, timeless);
}

std::string proof_cell(const Style& style, const Solution& solution) {
  return terminal::proof_cell(style, claim_of(solution));
}

std::string network_verdict(const Style& style, const NetworkSolution& solution) {
  std::vector<LayerClaim> layers;
  for (const LayerSolution& layer : solution.layers) {
    layers.push_back({layer.workload.name, layer.solution.status, layer.solution.reason});
  }
  return terminal::network_verdict(style, layers);
}

std::string padding_note(const NetworkSolution& solution) {
  constexpr std::size_t kNamed = 3;
  std::string names;
  std::size_t count = 0;
  for (const LayerSolution& layer : solution.layers) {
    if (!layer.solution.padding_hint) continue;
    if (++count <= kNamed) names += (names.empty() ? "" : ", ") + printable(layer.workload.name);
  }
  if (count == 0) return "";
  return fmt::format("padding would help {} of {} layers: {}{} (--pad finds the best)\n", count,
                     solution.layers.size(), names, count > kNamed ? ", ..." : "");
}

}  // namespace pimbb::dram_pim::cli
