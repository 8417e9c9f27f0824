// The steps of pimbb network with another table: units, phases and links.
#include "dram_pim/cli/device_network.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "dram_pim/cli/csv_tables.hpp"
#include "dram_pim/cli/device_report.hpp"
#include "dram_pim/cli/network_summary.hpp"
#include "dram_pim/cli/report.hpp"
#include "dram_pim/cli/verdict.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "terminal/claim.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"
#include "terminal/table.hpp"

namespace pimbb::dram_pim::cli {
namespace {

/// Throws InputError where an option is about one unit.
void refuse_options_of_one_unit(const NetworkCommandSettings& settings, const Question& question) {
  const char* option = settings.joint.fix_bypass        ? "--fix-bypass"
                       : settings.joint.fix_permutation ? "--fix-permutation"
                       : settings.agree_layouts         ? "--agree-layouts"
                                                        : nullptr;
  if (option != nullptr) {
    throw InputError(
        fmt::format("{}: found with --device, allowed with architectures of one unit", option));
  }
  if (question.method != Method::exact) {
    throw InputError(
        fmt::format("--method: found '{}' with --device, allowed is exact", name(question.method)));
  }
}

/// Moves, if they are not those of every layer by default.
std::string moved_text(const Moves& moves) {
  std::string text;
  for (const Tensor t : kAllTensors) {
    if (moves[index(t)]) text += name(t).front();
  }
  return text.empty() ? "-" : text;
}

class DeviceTable {
 public:
  DeviceTable(const Style& style, const Network& merged, const Objective& objective, bool timeless)
      : style_(style),
        objective_(objective),
        extra_(extra_goals(objective)),
        timeless_(timeless),
        table_(columns_for(merged), style.table_width) {}

  [[nodiscard]] std::string header() const { return table_.header(style_) + table_.rule(style_); }

  [[nodiscard]] std::string row(const DeviceLayerSolution& layer) const {
    const DeviceSolution& solution = layer.solution;
    std::vector<std::string> cells{printable(layer.workload.name), shape(layer.workload),
                                   number(layer.repetitions)};
    const auto add = [&](const auto& figure) {
      cells.push_back(solution.metrics ? figure(*solution.metrics) : "-");
    };
    using Metrics = DeviceMetrics;
    for (const Goal goal : extra_) {
      add([&](const Metrics& m) { return number(objective_.value(goal, m.costs())); });
    }
    add([](const Metrics& m) { return number(m.latency); });
    add([](const Metrics& m) { return number(m.energy); });
    add([](const Metrics& m) { return number(m.activations); });
    add([](const Metrics& m) { return number(m.split.units); });
    add([](const Metrics& m) { return number(m.split.in); });
    add([](const Metrics& m) { return number(m.run); });
    add([](const Metrics& m) { return number(m.split.out); });
    add([](const Metrics& m) { return number(m.split.link_bytes()); });
    cells.push_back(moved_text(layer.moves));
    cells.push_back(proof_cell(style_, solution.claim()));
    cells.push_back(number(static_cast<std::int64_t>(solution.slices_solved)));
    cells.push_back(number(static_cast<std::int64_t>(solution.nodes)));
    if (!timeless_) cells.push_back(duration(solution.seconds));
    return table_.row(cells);
  }

  [[nodiscard]] std::string totals(const DeviceNetworkSolution& solution) const {
    std::vector<std::string> cells{"total", "", ""};
    for (const Goal goal : extra_) {
      cells.push_back(number(objective_.value(goal, solution.totals.goal_costs())));
    }
    cells.push_back(number(solution.totals.latency));
    cells.push_back(number(solution.totals.energy));
    cells.push_back(number(solution.totals.activations));
    cells.insert(cells.end(), 8, "");
    cells.push_back(number(static_cast<std::int64_t>(solution.effort.nodes)));
    if (!timeless_) cells.push_back(duration(solution.seconds));
    return table_.rule(style_) + table_.row(cells) + table_.note(style_) +
           style_.faint(number(solution.totals.macs) + " MACs in the total\n");
  }

 private:
  [[nodiscard]] std::vector<Column> columns_for(const Network& merged) const {
    std::size_t names = columns("total");
    std::size_t shapes = 0;
    for (const NetworkLayer& layer : merged.layers) {
      names = std::max(names, columns(printable(layer.workload.name)));
      shapes = std::max(shapes, columns(shape(layer.workload)));
    }
    std::vector<Column> all{
        {"layer", names, false}, {"shape", shapes, false, 12}, {"times", 0, true, 2}};
    for (const Goal goal : extra_) all.push_back({std::string(name(goal)), 20});
    for (Column& column : std::vector<Column>{{"cycles", 11, true, 1},
                                              {"energy nJ", 12, true, 1},
                                              {"rows", 9, true, 8},
                                              {"units", 5, true, 3},
                                              {"in", 7, true, 4},
                                              {"run", 10, true, 5},
                                              {"out", 7, true, 4},
                                              {"link bytes", 10, true, 6},
                                              {"moved", 5, false, 7},
                                              {"proof", 10, false, 1},
                                              {"slices", 6, true, 11},
                                              {"nodes", 9, true, 10},
                                              {"time", 9, true, 9}}) {
      all.push_back(std::move(column));
    }
    if (timeless_) all.pop_back();
    return all;
  }

  const Style& style_;
  const Objective& objective_;
  std::vector<Goal> extra_;
  bool timeless_;
  Table table_;
};

/// How full the banks are, and whose weights are not in them.
std::string bank_note(const Style& style, const DeviceNetworkSolution& solution) {
  std::string text;
  if (solution.bank) {
    const BankUse& bank = *solution.bank;
    text = fmt::format(
        "each unit's bank: {} bytes of weights and up to {} of one layer's input and output, of "
        "{}\n",
        number(bank.weights), number(bank.io), number(bank.capacity));
  }
  std::string moved;
  for (const DeviceLayerSolution& layer : solution.layers) {
    if (!layer.moves[index(Tensor::weight)] || !layer.solution.mapping) continue;
    moved += (moved.empty() ? "" : ", ") + printable(layer.workload.name);
  }
  if (!moved.empty()) text += "weights that move each time: " + moved + "\n";
  return style.faint(text);
}

/// Which tensors do not go through the host.
std::string stay_note(const Style& style, const Network& network,
                      const DeviceNetworkSolution& solution) {
  if (solution.goals.empty()) return "";
  Rational saved;
  std::string names;
  for (const StayingTensor& tensor : solution.staying) {
    saved += tensor.saved_bytes;
    const std::vector<GraphNode>& nodes = network.graph->nodes;
    names += (names.empty() ? "" : ", ") + printable(nodes[tensor.writer].name) + " > " +
             printable(nodes[tensor.reader].name);
  }
  std::string text = fmt::format(
      "{} of {} tensors that may stay in the units do; the links move {} bytes less for them\n",
      solution.staying.size(), solution.may_stay, number(saved));
  if (!names.empty()) text += "tensors that stay: " + names + "\n";
  return style.faint(text);
}

std::string device_network_verdict(const Style& style, const DeviceNetworkSolution& solution,
                                   bool interrupted) {
  if (!solution.goals.empty() || !solution.reason.empty()) {
    Solution whole;
    whole.status = solution.status;
    whole.goals = solution.goals;
    whole.reason = solution.reason;
    return verdict(style, whole, interrupted);
  }
  std::vector<LayerClaim> layers;
  for (const DeviceLayerSolution& layer : solution.layers) {
    layers.push_back({layer.workload.name, layer.solution.status, layer.solution.reason});
  }
  return terminal::network_verdict(style, layers);
}

std::vector<std::string> left_out(const DeviceNetworkSolution& solution) {
  std::vector<std::string> names;
  for (const DeviceLayerSolution& layer : solution.layers) {
    if (!layer.solution.mapping) names.push_back(layer.workload.name);
  }
  return names;
}

files::Json device_summary_json(const DeviceNetworkSolution& solution, bool timeless) {
  files::Json json = files::Json::object();
  json["status"] = name(solution.status);
  json["latency"] = solution.totals.latency.to_double();
  json["energy"] = solution.totals.energy.to_double();
  json["activations"] = solution.totals.activations.to_double();
  json["nodes"] = solution.effort.nodes;
  json["leaves"] = solution.effort.leaves;
  if (!timeless) json["seconds"] = solution.seconds;
  return json;
}

}  // namespace

int map_network_on_device(const NetworkCommandSettings& settings, Question question) {
  refuse_options_of_one_unit(settings, question);
  const Device device = read_machine(settings.device, settings.network, settings.output);
  add_constraints(question, settings.question, device.unit);
  validate(device, question);
  Network network = read_layers(settings.network);
  set_moves(settings.device, network);
  if (settings.stay) (void)stay_edges(device, network);  // refused before the report begins
  const Network merged = merge_equal_layers(network);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  const DeviceTable table(style, merged, question.objective, settings.output.timeless);
  output.report(terminal::network_heading(style, network, merged,
                                          printable(device.name) + ": " + summary(device),
                                          task(question)) +
                table.header());
  log.start("network",
            {{"device", device.name},
             {"network", network.name},
             {"layers", merged.layers.size()},
             {"objective", settings.question.objective.to_string()},
             {"row_model", row_model_name(question.row_model)}},
            settings.limits);
  DeviceNetworkSolution solution;
  bool interrupted = false;
  {
    Session session(settings.limits, settings.output, log);
    session.progress().begin("all layers");
    solution =
        solve_network(device, network, question, session.limits(), {}, settings.joint.per_layer,
                      settings.stay ? Handover::stay : Handover::host);
    interrupted = session.interrupted();
  }
  for (const DeviceLayerSolution& layer : solution.layers) output.report(table.row(layer));
  log.end(device_summary_json(solution, settings.output.timeless));
  output.report(table.totals(solution) + bank_note(style, solution) +
                (settings.stay ? stay_note(style, network, solution) : "") +
                terminal::left_out_note(style, network, left_out(solution)) +
                traffic_note(style, device.unit, network) + "\n" +
                device_network_verdict(style, solution, interrupted) + "\n");
  const RunLimits& limits = settings.limits;
  output.json([&] { return device_network_json(device, network, question, limits, solution); });
  output.csv([&] { return device_network_csv(device, network, question, limits, solution); });
  output.finish();
  log.finish();
  return exit_code(solution.status);
}

}  // namespace pimbb::dram_pim::cli
