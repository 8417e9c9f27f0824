// Layers as rows.
#include "cim/cli/network_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "cim/cli/verdict.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"

namespace pimbb::cim::cli {
namespace {

bool has_own_column(Goal goal) { return goal == Goal::edp || goal == Goal::blended; }

std::vector<Column> columns_for(const Network& merged, const Objective& objective, bool timeless) {
  std::size_t names = 0;
  std::size_t shapes = 0;
  for (const NetworkLayer& layer : merged.layers) {
    names = std::max(names, columns(printable(layer.workload.name)));
    shapes = std::max(shapes, columns(shape(layer.workload)));
  }
  std::vector<Column> all{
      {"layer", names, false}, {"shape", shapes, false, 7}, {"times", 0, true, 3}};
  for (const Goal goal : objective.goals) {
    if (has_own_column(goal)) all.push_back({std::string(name(goal)), 20});
  }
  for (Column& column : std::vector<Column>{{"cycles", 12, true, 1},
                                            {"energy nJ", 13, true, 1},
                                            {"macs in use", 11, true, 5},
                                            {"proof", 12, false, 1},
                                            {"labels", 11, true, 6},
                                            {"time", 9, true, 4}}) {
    all.push_back(std::move(column));
  }
  if (timeless) all.pop_back();
  return all;
}

/// The product of all axes' utilizations.
Rational macs_in_use(const Metrics& metrics) {
  Rational share = 1;
  for (const Rational& axis : metrics.utilization) share *= axis;
  return share;
}

}  // namespace

LayerTable::LayerTable(const Style& style, const Network& merged, const Objective& objective,
                       bool timeless)
    : style_(style),
      objective_(objective),
      timeless_(timeless),
      table_(columns_for(merged, objective, timeless), style.table_width) {}

std::string LayerTable::row(const LayerSolution& layer) const {
  const Solution& solution = layer.solution;
  std::vector<std::string> cells{printable(layer.workload.name), shape(layer.workload),
                                 number(layer.repetitions)};
  const auto add = [&](const auto& figure) {
    cells.push_back(solution.metrics ? figure(*solution.metrics) : "-");
  };
  for (const Goal goal : objective_.goals) {
    if (!has_own_column(goal)) continue;
    add([&](const Metrics& m) { return number(objective_.value(goal, m.latency, m.energy)); });
  }
  add([](const Metrics& m) { return number(m.latency); });
  add([](const Metrics& m) { return number(m.energy); });
  add([](const Metrics& m) { return percent(macs_in_use(m)); });
  cells.push_back(proof_cell(style_, solution));
  cells.push_back(number(static_cast<std::int64_t>(solution.labels)));
  if (!timeless_) cells.push_back(duration(solution.seconds));
  return table_.row(cells);
}

std::string LayerTable::totals(const NetworkSolution& solution) const {
  const NetworkTotals& totals = solution.totals;
  std::vector<std::string> cells{"total", "", ""};
  for (const Goal goal : objective_.goals) {
    if (has_own_column(goal)) {
      cells.push_back(number(objective_.value(goal, totals.latency, totals.energy)));
    }
  }
  std::uint64_t labels = 0;
  for (const LayerSolution& layer : solution.layers) labels += layer.solution.labels;
  cells.insert(cells.end(), {number(totals.latency), number(totals.energy), "", "",
                             number(static_cast<std::int64_t>(labels))});
  if (!timeless_) cells.push_back(duration(solution.seconds));
  return table_.rule(style_) + table_.row(cells) + table_.note(style_) +
         style_.faint(number(totals.macs) + " MACs in the total\n");
}

std::string network_claim(const Style& style, const Question& question,
                          const NetworkSolution& solution, bool interrupted) {
  std::vector<LayerClaim> layers;
  for (const LayerSolution& layer : solution.layers) {
    layers.push_back({layer.workload.name, layer.solution.status, layer.solution.reason});
  }
  if (solution.goals.empty()) return network_verdict(style, layers);
  Claim claim{solution.status, {}, "", question.is_restricted() ? " within this space" : "", ""};
  for (const GoalResult& goal : solution.goals) {
    claim.goals.push_back({fmt::format("{} {}", name(goal.goal), with_unit(goal.goal, goal.value)),
                           goal.bound, goal.gap(), goal.value == goal.bound});
  }
  claim.stopped = interrupted ? "interrupted" : "not all proven";
  std::string text = verdict(style, claim);
  if (solution.blends > 0) {
    text += fmt::format("\n{} of latency and energy, minimised over all layers",
                        plural(static_cast<std::int64_t>(solution.blends), "blend"));
  }
  return text;
}

std::string network_comparison(const Objective& objective, const NetworkSolution& restricted,
                               const NetworkSolution& whole) {
  std::string text;
  for (const Goal goal : objective.goals) {
    const auto value = [&](const NetworkTotals& totals) {
      return objective.value(goal, totals.latency, totals.energy);
    };
    const Rational best = value(whole.totals);
    const Rational own = value(restricted.totals);
    text += fmt::format(
        "{} {:.4f} times {} {}\n", name(goal), best.sign() == 0 ? 1.0 : (own / best).to_double(),
        whole.status == Status::optimal ? "the optimum" : "the best found,", with_unit(goal, best));
  }
  return text;
}

}  // namespace pimbb::cim::cli
