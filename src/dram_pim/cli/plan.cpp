// The plan as a table of layers, each with where its tensors lie and what copies cost it.
#include "dram_pim/cli/plan.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dram_pim/cli/csv_tables.hpp"
#include "dram_pim/cli/goal_text.hpp"
#include "dram_pim/cli/log_solution.hpp"
#include "dram_pim/cli/network_summary.hpp"
#include "dram_pim/cli/report.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/layout_plan.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"
#include "terminal/table.hpp"

namespace pimbb::dram_pim::cli {
namespace {

/// "sequential", "sequential, nhwc", "rows of 1 x 64 x 4 x 4": where a layer has one of its
/// tensors.
std::string placed(const Architecture& architecture, const PlannedLayer& layer, Tensor t) {
  const Mapping& m = *layer.solution.mapping;
  if (m.layout[index(t)] == Layout::sequential) return layout(architecture, m, t);
  const LayoutBox box = layout_box(t, m.tile(m.levels.size() - 2), m.input_block);
  return fmt::format("rows of {} x {} x {} x {}", box[0], box[1], box[2], box[3]);
}

std::string copied(const Relayout& pass) {
  return pass.activations.sign() == 0 ? "-" : number(pass.latency);
}

std::string table(const Style& style, const Architecture& architecture, const Graph& graph,
                  const LayoutPlan& plan) {
  std::vector<Column> columns{
      {"layer", 0, false},       {"shape", 0, false, 5},    {"input", 0, false, 3},
      {"copied in", 0, true, 2}, {"output", 0, false, 3},   {"copied out", 0, true, 2},
      {"cycles", 0, true, 1},    {"energy nJ", 0, true, 1}, {"rows", 0, true, 4}};
  std::vector<std::vector<std::string>> rows;
  for (const PlannedLayer& layer : plan.layers) {
    const Metrics& m = *layer.solution.metrics;
    rows.push_back({printable(graph.nodes[layer.node].name), shape(layer.workload),
                    layer.reads ? placed(architecture, layer, Tensor::input) : "anywhere",
                    copied(layer.before),
                    layer.writes ? placed(architecture, layer, Tensor::output) : "anywhere",
                    copied(layer.after), number(m.latency), number(m.energy),
                    number(m.activations())});
  }
  return whole_table(style, std::move(columns), rows);
}

std::int64_t copies(const LayoutPlan& plan) {
  std::int64_t count = 0;
  for (const PlannedLayer& layer : plan.layers) {
    for (const Relayout& pass : {layer.before, layer.after}) {
      count += pass.activations.sign() != 0 ? 1 : 0;
    }
  }
  return count;
}

std::string summary_of(const LayoutPlan& plan) {
  std::string text;
  for (std::size_t g = 0; g < plan.goals.size(); ++g) {
    const GoalResult& goal = plan.goals[g];
    const auto ratio = [&](const Rational& other) {
      return goal.value.sign() == 0 ? std::string("-") : number((other / goal.value).to_double());
    };
    text += fmt::format(
        "{}: {}, of which copies {}\n"
        "  layers alone, copies between them free: {} ({} x)\n"
        "  layers alone, copied where they disagree: {} ({} x)\n",
        name(goal.goal), with_unit(goal.goal, goal.value), with_unit(goal.goal, plan.passes[g]),
        with_unit(goal.goal, plan.alone[g]), ratio(plan.alone[g]),
        with_unit(goal.goal, plan.reconciled[g]), ratio(plan.reconciled[g]));
  }
  return text;
}

std::string verdict_of(const Style& style, const LayoutPlan& plan, bool interrupted) {
  if (plan.status == Status::optimal) {
    return style.good("optimal, proven") + ": no plan for all layers together is better";
  }
  if (plan.goals.empty()) {
    return style.bad(plan.status == Status::infeasible ? "infeasible" : "no plan") + ": " +
           printable(plan.reason);
  }
  std::string text = style.warning(interrupted ? "interrupted" : "limit hit") + ":";
  for (const GoalResult& goal : plan.goals) {
    text += fmt::format(" {} {}, bound {} ({})", name(goal.goal), number(goal.value),
                        number(goal.bound), gap(goal.gap()));
  }
  return text;
}

files::Json end_of_log(const LayoutPlan& plan, bool timeless) {
  files::Json json = files::Json::object();
  json["status"] = name(plan.status);
  if (!plan.reason.empty()) json["reason"] = plan.reason;
  json["goals"] = goals_json(plan.goals, plan.status);
  json["nodes"] = plan.solves;
  json["rounds"] = plan.rounds;
  if (!timeless) json["seconds"] = plan.seconds;
  return json;
}

}  // namespace

int run_layout_plan(const NetworkCommandSettings& settings, const Question& question,
                    const Architecture& architecture, const Network& network) {
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  Session session(settings.limits, settings.output, log);
  const RunLimits& limits = session.limits();
  output.report(fmt::format("{}  {} layers\n{}on {}: {}\n{}\n\n",
                            style.heading(printable(network.name)), number(layer_count(network)),
                            graph_notes(style, network), printable(architecture.name),
                            summary(architecture), task(question)));
  log.start("plan",
            {{"architecture", architecture.name},
             {"network", network.name},
             {"objective", question.objective.to_string()},
             {"row_model", row_model_name(question.row_model)}},
            limits);
  session.progress().begin("plan");
  const LayoutPlan plan = plan_layouts(architecture, network, question, limits);
  session.progress().interleave([&] {
    if (!plan.layers.empty()) {
      output.report(table(style, architecture, *network.graph, plan) +
                    left_out_note(style, network, std::vector<std::string>()) +
                    traffic_note(style, architecture, network) + "\n" +
                    fmt::format("{} tensors shared between layers, {} copies\n",
                                number(static_cast<std::int64_t>(plan.shared.size())),
                                number(copies(plan))) +
                    summary_of(plan) + "\n");
    }
    output.report(verdict_of(style, plan, session.interrupted()) + "\n" +
                  fmt::format("{} layers solved under constraints, {} rounds{}\n",
                              number(static_cast<std::int64_t>(plan.solves)),
                              number(static_cast<std::int64_t>(plan.rounds)),
                              settings.output.timeless ? "" : ", " + duration(plan.seconds)));
  });
  log.end(end_of_log(plan, settings.output.timeless));
  output.json([&] { return layout_plan_json(architecture, network, question, limits, plan); });
  output.csv([&] { return plan_csv(architecture, network, question, plan); });
  output.finish();
  log.finish();
  return exit_code(plan.status);
}

}  // namespace pimbb::dram_pim::cli
