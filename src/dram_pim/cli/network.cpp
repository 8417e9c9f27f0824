// pimbb network: every distinct layer of a network solved, a table that grows as they finish.
#include <fmt/format.h>

#include <algorithm>

#include "dram_pim/cli/agreement.hpp"
#include "dram_pim/cli/breakdown.hpp"
#include "dram_pim/cli/command.hpp"
#include "dram_pim/cli/exit_code.hpp"
#include "dram_pim/cli/network_summary.hpp"
#include "dram_pim/cli/output.hpp"
#include "dram_pim/cli/plan.hpp"
#include "dram_pim/cli/report.hpp"
#include "dram_pim/cli/session.hpp"
#include "dram_pim/cli/verdict.hpp"
#include "pimbb/dram_pim/dataflow.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "terminal/format.hpp"
#include "terminal/table.hpp"

namespace pimbb::dram_pim::cli {
namespace {

/// Latency, energy and activations have columns of their own; the other goals get one each.
std::vector<Goal> extra_goals(const Objective& objective) {
  std::vector<Goal> goals;
  std::ranges::copy_if(objective.goals, std::back_inserter(goals),
                       [](Goal goal) { return goal == Goal::edp || goal == Goal::blended; });
  return goals;
}

class LayerTable {
 public:
  LayerTable(const Style& style, const Architecture& architecture, const Network& merged,
             const Objective& objective, bool timeless)
      : style_(style),
        architecture_(architecture),
        objective_(objective),
        extra_(extra_goals(objective)),
        timeless_(timeless),
        table_(columns_for(architecture, merged, extra_, timeless)) {}

  [[nodiscard]] std::string header() const { return table_.header(style_) + table_.rule(style_); }

  [[nodiscard]] std::string row(const LayerSolution& layer) const {
    const Solution& solution = layer.solution;
    std::vector<std::string> cells{printable(layer.workload.name), shape(layer.workload),
                                   number(layer.repetitions)};
    const auto add = [&](const auto& figure) {
      cells.push_back(solution.metrics ? figure(*solution.metrics) : "-");
    };
    for (const Goal goal : extra_) {
      add([&](const Metrics& m) { return number(objective_.value(goal, m)); });
    }
    add([](const Metrics& m) { return number(m.latency); });
    add([](const Metrics& m) { return number(m.energy); });
    add([](const Metrics& m) { return number(m.activations()); });
    add([](const Metrics& m) { return percent(m.pe_utilization); });
    add([&](const Metrics& m) { return bound_by(m); });
    cells.push_back(solution.mapping
                        ? analyse_dataflow(architecture_, layer.workload, *solution.mapping).label()
                        : "-");
    cells.push_back(proof_cell(style_, solution));
    cells.push_back(number(static_cast<std::int64_t>(solution.nodes)));
    if (!timeless_) cells.push_back(duration(solution.seconds));
    return table_.row(cells);
  }

  [[nodiscard]] std::string totals(const NetworkSolution& solution) const {
    std::vector<std::string> cells{"total", number(solution.totals.macs) + " MACs", ""};
    for (const Goal goal : extra_) cells.push_back(total(goal, solution.totals));
    cells.push_back(number(solution.totals.latency));
    cells.push_back(number(solution.totals.energy));
    cells.push_back(number(solution.totals.activations));
    std::uint64_t nodes = 0;
    for (const LayerSolution& layer : solution.layers) nodes += layer.solution.nodes;
    cells.insert(cells.end(), {"", "", "", "", number(static_cast<std::int64_t>(nodes))});
    if (!timeless_) cells.push_back(duration(solution.seconds));
    return table_.rule(style_) + table_.row(cells);
  }

 private:
  static std::vector<Column> columns_for(const Architecture& architecture, const Network& merged,
                                         const std::vector<Goal>& extra, bool timeless) {
    std::size_t names = 0;
    std::size_t shapes = 0;
    for (const NetworkLayer& layer : merged.layers) {
      names = std::max(names, columns(printable(layer.workload.name)));
      shapes = std::max(shapes, columns(shape(layer.workload)));
    }
    std::size_t parts = columns("interconnect");
    for (const MemoryLevel& level : architecture.levels) {
      parts = std::max(parts, columns(printable(level.name)));
    }
    std::vector<Column> all{{"layer", names, false}, {"shape", shapes, false}, {"times"}};
    for (const Goal goal : extra) {
      all.push_back({std::string(name(goal)), 20});
    }
    for (Column& column : std::vector<Column>{{"cycles", 12},
                                              {"energy nJ", 13},
                                              {"rows", 9},
                                              {"PEs used", 8},
                                              {"bound by", parts + columns(" +1"), false},
                                              {"dataflow", columns("mixed o,w"), false},
                                              {"proof", 12, false},
                                              {"nodes", 9},
                                              {"time", 9}}) {
      all.push_back(std::move(column));
    }
    if (timeless) all.pop_back();
    return all;
  }

  /// The first of the terms that make the latency, and how many others reach it too.
  [[nodiscard]] std::string bound_by(const Metrics& metrics) const {
    const std::vector<std::string> names = bottlenecks(architecture_, metrics);
    if (names.empty()) return "-";
    return names.size() == 1 ? names[0] : fmt::format("{} +{}", names[0], names.size() - 1);
  }

  /// A network's EDP is total latency times total energy, not the sum of the layers' EDPs.
  [[nodiscard]] std::string total(Goal goal, const NetworkTotals& totals) const {
    return number(goal == Goal::edp
                      ? totals.edp()
                      : objective_.alpha * totals.latency + objective_.beta * totals.energy);
  }

  const Style& style_;
  const Architecture& architecture_;
  const Objective& objective_;
  std::vector<Goal> extra_;
  bool timeless_;
  Table table_;
};

std::string heading(const Style& style, const Architecture& architecture, const Network& network,
                    const Network& merged, const Question& question) {
  return fmt::format("{}  {} layers, {} distinct\n{}on {}: {}\n{}\n\n",
                     style.heading(printable(network.name)), number(layer_count(network)),
                     number(static_cast<std::int64_t>(merged.layers.size())),
                     graph_notes(style, network), printable(architecture.name),
                     summary(architecture), task(question));
}

NetworkSolution search(const Settings& settings, const Architecture& architecture,
                       const Network& merged, const LayerTable& table, Output& output, Log& log) {
  log.start("network",
            {{"architecture", architecture.name},
             {"network", merged.name},
             {"layers", merged.layers.size()},
             {"objective", settings.objective.to_string()},
             {"method", name(settings.method)},
             {"row_model", row_model_name(settings.row_model)}},
            limits_of(settings));
  Session session(settings, log);
  const JointOptions joint = joint_options(settings);
  std::size_t done = 0;
  const auto begin_next = [&] {
    if (done >= merged.layers.size()) return;
    if (solved_as_one(session.question(), joint)) return session.progress().begin("all layers");
    const std::string& name = merged.layers[done].workload.name;
    session.progress().begin(
        fmt::format("{}/{} {}", done + 1, merged.layers.size(), printable(name)));
    log.about("layer", name);
  };
  begin_next();
  const auto on_layer = [&](const LayerSolution& layer) {
    log.about("layer", layer.workload.name);
    session.progress().interleave([&] { output.report(table.row(layer)); });
    log.solution("layer", layer.solution);
    ++done;
    begin_next();
  };
  return solve_network(architecture, merged, session.question(), session.limits(), on_layer, joint);
}

files::Json summary_json(const NetworkSolution& solution, bool timeless) {
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  for (const LayerSolution& layer : solution.layers) {
    nodes += layer.solution.nodes;
    leaves += layer.solution.leaves;
  }
  files::Json json = files::Json::object();
  json["status"] = kStatusNames[static_cast<std::size_t>(solution.status)];
  json["latency"] = solution.totals.latency.to_double();
  json["energy"] = solution.totals.energy.to_double();
  json["activations"] = solution.totals.activations.to_double();
  json["nodes"] = nodes;
  json["leaves"] = leaves;
  if (!timeless) json["seconds"] = solution.seconds;
  return json;
}

}  // namespace

int run_network(const Settings& settings) {
  const Question question = question_of(settings);
  const RunLimits limits = limits_of(settings);
  const JointOptions joint = joint_options(settings);
  const Architecture architecture = read_architecture(settings.arch);
  const Network network = read_network(settings.network, settings.network_options);
  if (settings.agree_layouts &&
      (settings.joint.fix_bypass || settings.joint.fix_permutation || settings.joint.per_layer)) {
    throw InputError(
        "--agree-layouts: found --fix-bypass, --fix-permutation or --per-layer beside "
        "it, allowed is one of them");
  }
  if (settings.agree_layouts) return run_layout_plan(settings, architecture, network);
  const Network merged = merge_equal_layers(network);
  Output output(settings);
  Log log(settings);
  const Style style = style_of_stdout(settings.ascii);
  const LayerTable table(style, architecture, merged, question.objective, settings.timeless);

  output.report(heading(style, architecture, network, merged, question) + table.header());
  const NetworkSolution solution = search(settings, architecture, merged, table, output, log);
  log.end(summary_json(solution, settings.timeless));
  output.report(table.totals(solution) + "\n" +
                (solved_as_one(question, joint) ? joint_verdict(style, architecture, solution)
                                                : network_verdict(style, solution)) +
                "\n");
  output.json([&] { return network_json(architecture, network, question, limits, solution); });
  output.finish();
  log.finish();
  return exit_code(solution.status);
}

}  // namespace pimbb::dram_pim::cli
