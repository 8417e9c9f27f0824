// The words for each status. A goal's claim holds given the goals before it: "then".
#include "dram_pim/cli/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "dram_pim/cli/goal_text.hpp"
#include "terminal/format.hpp"

namespace pimbb::dram_pim::cli {
namespace {

std::string claim(const GoalResult& result) {
  const std::string value =
      fmt::format("{} {}", name(result.goal), with_unit(result.goal, result.value));
  if (result.value == result.bound) return value + " (gap 0)";
  return fmt::format("{}, bound {} ({})", value, number(result.bound), gap(result.gap()));
}

std::string claims(const Solution& solution) {
  std::string text;
  for (const GoalResult& result : solution.goals) {
    text += (text.empty() ? "" : ", then ") + claim(result);
  }
  return text;
}

std::string because(const std::string& reason) { return reason.empty() ? "" : ": " + reason; }

std::string plural(std::int64_t count, std::string_view thing) {
  return fmt::format("{} {}{}", number(count), thing, count == 1 ? "" : "s");
}

}  // namespace

std::string verdict(const Style& style, const Solution& solution, bool interrupted) {
  const std::string within =
      is_dataflow(solution.method) ? fmt::format(" within {}", name(solution.method)) : "";
  std::string stopped = interrupted ? "interrupted" : "limit hit";
  if (is_heuristic(solution.method)) {
    stopped =
        fmt::format("{}, not proven{}", name(solution.method), interrupted ? ", interrupted" : "");
  }
  switch (solution.status) {
    case Status::optimal:
      return style.good("optimal" + within + ", proven") + ": " + claims(solution);
    case Status::feasible: return style.warning(stopped) + ": " + claims(solution);
    case Status::infeasible: return style.bad("infeasible, proven") + because(solution.reason);
    default: return style.warning(stopped) + ": no mapping found so far" + because(solution.reason);
  }
}

std::string effort(const Solution& solution, bool timeless) {
  const std::string work =
      fmt::format("{}, {} evaluated", plural(static_cast<std::int64_t>(solution.nodes), "node"),
                  plural(static_cast<std::int64_t>(solution.leaves), "mapping"));
  if (timeless) return work;
  return fmt::format("{}, {}, {}", work, duration(solution.seconds),
                     plural(solution.threads, "thread"));
}

std::string proof_cell(const Style& style, const Solution& solution) {
  switch (solution.status) {
    case Status::optimal: return style.good("proven");
    case Status::infeasible: return style.bad("infeasible");
    case Status::unknown: return style.warning("no mapping");
    default: break;
  }
  // The first goal that is not closed is the one that the limit cut.
  for (const GoalResult& result : solution.goals) {
    if (result.value != result.bound) return style.warning(gap(result.gap()));
  }
  return style.warning("not proven");
}

std::string network_verdict(const Style& style, const NetworkSolution& solution) {
  std::array<std::int64_t, kStatusNames.size()> counts{};
  for (const LayerSolution& layer : solution.layers) {
    ++counts[static_cast<std::size_t>(layer.solution.status)];
  }
  const auto count = [&](Status status) { return counts[static_cast<std::size_t>(status)]; };
  const auto all = static_cast<std::int64_t>(solution.layers.size());
  if (count(Status::optimal) == all) {
    return style.good("optimal, proven") +
           fmt::format(": {} of {}", number(all), plural(all, "distinct layer"));
  }
  std::string text = fmt::format("{} of {} proven optimal", number(count(Status::optimal)),
                                 plural(all, "distinct layer"));
  const auto add = [&](Status status, std::string_view what) {
    if (count(status) > 0) text += fmt::format(", {} {}", number(count(status)), what);
  };
  add(Status::feasible, "with a mapping and a gap");
  add(Status::unknown, "without a mapping so far");
  add(Status::infeasible, "infeasible");
  const std::string word =
      count(Status::infeasible) > 0 ? style.bad("infeasible") : style.warning("not all proven");
  const std::int64_t left_out = count(Status::unknown) + count(Status::infeasible);
  if (left_out > 0) text += fmt::format(" (the totals leave out {})", plural(left_out, "layer"));
  text = word + ": " + text;
  for (const LayerSolution& layer : solution.layers) {
    const Status status = layer.solution.status;
    if (status == Status::optimal || status == Status::feasible) continue;
    if (layer.solution.reason.empty()) continue;
    text += fmt::format("\n  {}: {}", printable(layer.workload.name), layer.solution.reason);
  }
  return text;
}

}  // namespace pimbb::dram_pim::cli
