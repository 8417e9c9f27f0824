// pimbb network: every distinct layer of a network solved, a table that grows as they finish.
#include <fmt/format.h>

#include <algorithm>

#include "dram_pim/cli/agreement.hpp"
#include "dram_pim/cli/breakdown.hpp"
#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/csv_tables.hpp"
#include "dram_pim/cli/device_network.hpp"
#include "dram_pim/cli/log_solution.hpp"
#include "dram_pim/cli/network_settings.hpp"
#include "dram_pim/cli/network_summary.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/plan.hpp"
#include "dram_pim/cli/report.hpp"
#include "dram_pim/cli/values.hpp"
#include "dram_pim/cli/verdict.hpp"
#include "pimbb/dram_pim/dataflow.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "pimbb/error.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"
#include "terminal/table.hpp"

namespace pimbb::dram_pim::cli {
namespace {

class LayerTable {
 public:
  LayerTable(const Style& style, const Architecture& architecture, const Network& merged,
             const Objective& objective, bool timeless)
      : style_(style),
        architecture_(architecture),
        objective_(objective),
        extra_(extra_goals(objective)),
        timeless_(timeless),
        table_(columns_for(architecture, merged, extra_, timeless), style.table_width) {}

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
                        ? analyse_dataflow(architecture_, mapped_layer(layer.workload, solution),
                                           *solution.mapping)
                              .label()
                        : "-");
    cells.push_back(proof_cell(style_, solution));
    cells.push_back(number(static_cast<std::int64_t>(solution.nodes)));
    if (!timeless_) cells.push_back(duration(solution.seconds));
    return table_.row(cells);
  }

  [[nodiscard]] std::string totals(const NetworkSolution& solution) const {
    std::vector<std::string> cells{"total", "", ""};
    for (const Goal goal : extra_) cells.push_back(total(goal, solution.totals));
    cells.push_back(number(solution.totals.latency));
    cells.push_back(number(solution.totals.energy));
    cells.push_back(number(solution.totals.activations));
    std::uint64_t nodes = 0;
    for (const LayerSolution& layer : solution.layers) nodes += layer.solution.nodes;
    cells.insert(cells.end(), {"", "", "", "", number(static_cast<std::int64_t>(nodes))});
    if (!timeless_) cells.push_back(duration(solution.seconds));
    return table_.rule(style_) + table_.row(cells) + table_.note(style_) +
           style_.faint(number(solution.totals.macs) + " MACs in the total\n");
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
    std::vector<Column> all{
        {"layer", names, false}, {"shape", shapes, false, 9}, {"times", 0, true, 3}};
    for (const Goal goal : extra) {
      all.push_back({std::string(name(goal)), 20});
    }
    for (Column& column : std::vector<Column>{{"cycles", 12, true, 1},
                                              {"energy nJ", 13, true, 1},
                                              {"rows", 9, true, 2},
                                              {"PEs used", 8, true, 5},
                                              {"bound by", parts + columns(" +1"), false, 4},
                                              {"dataflow", columns("mixed o,w"), false, 7},
                                              {"proof", 12, false, 1},
                                              {"nodes", 9, true, 8},
                                              {"time", 9, true, 6}}) {
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
    return number(objective_.value(goal, totals.goal_costs()));
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
  return network_heading(style, network, merged,
                         printable(architecture.name) + ": " + summary(architecture),
                         task(question));
}

/// Throws InputError if layers that are to agree may be padded.
void check_padding(const NetworkCommandSettings& settings, const Network& network) {
  const char* agreement = settings.joint.fix_bypass        ? "--fix-bypass"
                          : settings.joint.fix_permutation ? "--fix-permutation"
                          : settings.agree_layouts         ? "--agree-layouts"
                                                           : nullptr;
  if (agreement == nullptr) return;
  for (const NetworkLayer& layer : network.layers) {
    if (!layer.workload.may_be_padded()) continue;
    throw InputError(
        fmt::format("{}: found padding of layer '{}', allowed is none with this option", agreement,
                    layer.workload.name));
  }
}

/// Throws InputError where options contradict each other (--fix-bypass with a heuristic, or with
/// --per-layer).
void check_joint(const JointOptions& joint, Method method) {
  const char* agreement = joint.fix_bypass        ? "--fix-bypass"
                          : joint.fix_permutation ? "--fix-permutation"
                                                  : nullptr;
  if (agreement != nullptr && is_heuristic(method)) {
    throw InputError(fmt::format("{}: needs a search that proves something, but --method is '{}'",
                                 agreement, name(method)));
  }
  if (joint.fix_permutation && method != Method::exact) {
    throw InputError(fmt::format(
        "--fix-permutation: allowed with --method exact only, but --method is '{}'", name(method)));
  }
  if (agreement != nullptr && joint.per_layer) {
    throw InputError(fmt::format(
        "--per-layer: solves each layer for itself, but with {} they are to agree", agreement));
  }
}

NetworkSolution search(const NetworkCommandSettings& settings, const Question& question,
                       const Architecture& architecture, const Network& merged,
                       const LayerTable& table, Output& output, Log& log) {
  log.start("network",
            {{"architecture", architecture.name},
             {"network", merged.name},
             {"layers", merged.layers.size()},
             {"objective", settings.question.objective.to_string()},
             {"method", name(question.method)},
             {"row_model", row_model_name(question.row_model)}},
            settings.limits);
  Session session(settings.limits, settings.output, log);
  const JointOptions& joint = settings.joint;
  std::size_t done = 0;
  const auto begin_next = [&] {
    if (done >= merged.layers.size()) return;
    if (solved_as_one(question, joint)) return session.progress().begin("all layers");
    const std::string& name = merged.layers[done].workload.name;
    session.progress().begin(
        fmt::format("{}/{} {}", done + 1, merged.layers.size(), printable(name)));
    log.about("layer", name);
  };
  begin_next();
  const auto on_layer = [&](const LayerSolution& layer) {
    log.about("layer", layer.workload.name);
    session.progress().interleave([&] { output.report(table.row(layer)); });
    log_solution(log, "layer", layer.solution);
    ++done;
    begin_next();
  };
  return solve_network(architecture, merged, question, session.limits(), on_layer, joint);
}

files::Json summary_json(const NetworkSolution& solution, bool timeless) {
  std::uint64_t nodes = 0;
  std::uint64_t leaves = 0;
  for (const LayerSolution& layer : solution.layers) {
    nodes += layer.solution.nodes;
    leaves += layer.solution.leaves;
  }
  files::Json json = files::Json::object();
  json["status"] = name(solution.status);
  json["latency"] = solution.totals.latency.to_double();
  json["energy"] = solution.totals.energy.to_double();
  json["activations"] = solution.totals.activations.to_double();
  json["nodes"] = nodes;
  json["leaves"] = leaves;
  if (!timeless) json["seconds"] = solution.seconds;
  return json;
}

int run(const NetworkCommandSettings& settings) {
  Question question = question_of(settings.question);
  const JointOptions& joint = settings.joint;
  const RunLimits& limits = settings.limits;
  check_joint(joint, question.method);
  if (!settings.device.device.empty()) return map_network_on_device(settings, question);
  if (settings.stay) throw InputError("--stay: found without --device, allowed with devices");
  const Architecture architecture = read_machine(settings.network, settings.output);
  add_constraints(question, settings.question, architecture);
  const Network network = read_layers(settings.network);
  check_padding(settings, network);
  if (settings.agree_layouts && (joint.fix_bypass || joint.fix_permutation || joint.per_layer)) {
    throw InputError(
        "--agree-layouts: found --fix-bypass, --fix-permutation or --per-layer beside "
        "it, allowed is one of them");
  }
  if (settings.agree_layouts && !settings.question.constraints.empty()) {
    throw InputError("--constraints: found --agree-layouts, allowed is one of them");
  }
  if (joint.fix_permutation && question.constraints.orders.any()) {
    throw InputError(
        "--constraints: found loop orders in it and --fix-permutation, allowed is one of them");
  }
  if (settings.agree_layouts) return run_layout_plan(settings, question, architecture, network);
  const Network merged = merge_equal_layers(network);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  const LayerTable table(style, architecture, merged, question.objective, settings.output.timeless);

  output.report(heading(style, architecture, network, merged, question) + table.header());
  const NetworkSolution solution =
      search(settings, question, architecture, merged, table, output, log);
  log.end(summary_json(solution, settings.output.timeless));
  output.report(table.totals(solution) + left_out_note(style, network, solution.layers) +
                traffic_note(style, architecture, network) + "\n" +
                (solved_as_one(question, joint) ? joint_verdict(style, architecture, solution)
                                                : network_verdict(style, solution)) +
                "\n" + padding_note(solution));
  output.json([&] { return network_json(architecture, network, question, limits, solution); });
  output.csv([&] { return network_csv(architecture, network, question, limits, solution); });
  output.finish();
  log.finish();
  return exit_code(solution.status);
}

OptionRows rows(NetworkCommandSettings& s) {
  return rows_of(
      {machine_rows(s.network),
       {network_row(s.network.network),
        {"--agree-layouts", nullptr, groups::kProblem, "",
         "One plan for all layers: a layer's output lies in DRAM where the next layer reads it, or "
         "is "
         "copied there at its true cost; needs a network with a graph",
         [&](auto, auto&) { s.agree_layouts = true; }},
        batch_row(s.network.network_options),
        dim_row(s.network.network_options),
        skip_row(s.network.network_options),
        pad_row(s.network.padding)},
       device_rows(s.device, true),
       {{"--stay", nullptr, groups::kProblem, "",
         "A tensor between two layers on a device stays in the units, instead of going through the "
         "host, where both are split alike; chosen for each together with the splits; needs a "
         "network with a graph",
         [&](auto, auto&) { s.stay = true; }}},
       objective_rows(s.question),
       {row_model_row(s.question.row_model),
        {"--fix-bypass", nullptr, groups::kGoal, "",
         "One storage choice for all layers: levels with free bypass hold the same tensors in each",
         [&](auto, auto&) { s.joint.fix_bypass = true; }},
        {"--fix-permutation", nullptr, groups::kGoal, "",
         "One permutation of the seven dimensions for each level above the PEs, with which the "
         "order "
         "of every layer's loops there agrees; --method exact only",
         [&](auto, auto&) { s.joint.fix_permutation = true; }},
        {"--per-layer", nullptr, groups::kGoal, "",
         "Minimise each layer's own EDP, not the network's (total latency * total energy); for "
         "goals "
         "that are sums there is no difference",
         [&](auto, auto&) { s.joint.per_layer = true; }},
        constraints_row(s.question)},
       method_rows(s.question),
       limit_rows(s.limits),
       rules_rows(s.question.rules),
       {json_row(s.output),
        csv_row(s.output,
                "Also write a table with a row for each distinct layer (with --agree-layouts: for "
                "each node), separated by commas; '-' writes only the table, to standard output"),
        log_row(s.output), timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command network_command() {
  return {
      "network", "Map every layer of a network; equal layers are solved once",
      "Goals are of the network's totals. EDP is total latency * total energy, minimised over all\n"
      "layers together. docs/networks.md explains the method and the options that couple layers.\n"
      "\n"
      "Examples:\n"
      "  pimbb network\n"
      "  pimbb network --network resnet18 --objective latency,energy --json resnet18.json\n"
      "  pimbb network --network model.onnx --batch 8\n"
      "  pimbb network --network llama3_8b_decode --dim kv=8192\n"
      "  pimbb network --arch hbm_pim --network resnet50 --objective edp --fix-bypass\n"
      "  pimbb network --arch my_pim.yaml --network my_net.yaml --time-limit 600\n"
      "  pimbb network --device hbm_pim_stack --network llama_7b --moves auto\n"
      "  pimbb network --device hbm_pim_stack --network bert_base --stay",
      terminal::prepare<NetworkCommandSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
