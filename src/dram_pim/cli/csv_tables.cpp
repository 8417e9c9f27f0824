// Columns and rows of the tables.
#include "dram_pim/cli/csv_tables.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dram_pim/cli/breakdown.hpp"
#include "dram_pim/cli/options.hpp"
#include "pimbb/dram_pim/dataflow.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "terminal/shape_columns.hpp"

namespace pimbb::dram_pim::cli {
namespace {

using files::CsvRow;
using Names = std::vector<std::string>;

std::int64_t counted(std::uint64_t count) { return static_cast<std::int64_t>(count); }

const Names kCosts{"latency", "energy", "edp", "activations"};

void add_costs(CsvRow& row, const GoalCosts& costs) {
  row.add(costs.latency).add(costs.energy).add(costs.latency * costs.energy).add(costs.activations);
}
void add_costs(CsvRow& row, const Metrics& m) {
  add_costs(row, GoalCosts{m.latency, m.energy, m.activations()});
}

/// The first goal: value and gap if there is a mapping, and a bound.
const Names kClaim{"status", "value", "bound", "gap"};

void add_claim(CsvRow& row, const Solution& solution) {
  row.add(name(solution.status));
  std::optional<double> value;
  std::optional<double> bound;
  std::optional<double> gap;
  if (!solution.goals.empty() && solution.status != Status::infeasible) {
    const GoalResult& first = solution.goals.front();
    bound = first.bound.to_double();
    if (solution.mapping) {
      value = first.value.to_double();
      gap = first.gap().to_double();
    }
  }
  row.add(value).add(bound).add(gap);
}

void add_layer(CsvRow& row, const Architecture& architecture, const LayerSolution& layer) {
  const Solution& solution = layer.solution;
  row.add(layer.objective.to_string());
  add_claim(row, solution);
  if (!solution.metrics) {
    for (std::size_t k = 0; k < kCosts.size() + 3; ++k) row.add("");
    return;
  }
  add_costs(row, *solution.metrics);
  row.add(solution.metrics->pe_utilization);
  row.add(fmt::format("{}", fmt::join(bottlenecks(architecture, *solution.metrics), "; ")));
  row.add(analyse_dataflow(architecture, mapped_layer(layer.workload, solution), *solution.mapping)
              .label());
}

const Names kPhases{"units",       "in_cycles",     "run_cycles", "out_cycles",
                    "link_energy", "reduce_energy", "link_bytes"};

void add_device_layer(CsvRow& row, const DeviceLayerSolution& layer) {
  row.add(layer.objective.to_string());
  add_claim(row, layer.solution.claim());
  if (!layer.solution.metrics) {
    for (std::size_t k = 0; k < kCosts.size() + kPhases.size(); ++k) row.add("");
    return;
  }
  const DeviceMetrics& m = *layer.solution.metrics;
  add_costs(row, m.costs());
  row.add(m.split.units).add(m.split.in).add(m.run).add(m.split.out);
  row.add(m.split.link_energy).add(m.split.reduce_energy).add(m.split.link_bytes());
}

std::string moved_tensors(const Moves& moves) {
  Names names;
  for (const Tensor t : kAllTensors) {
    if (moves[index(t)]) names.emplace_back(name(t));
  }
  return fmt::format("{}", fmt::join(names, "; "));
}

void add_copy(CsvRow& row, const Relayout& copy) {
  row.add(copy.latency).add(copy.energy).add(copy.activations);
}

/// What every layer of a table begins with.
CsvRow first_columns(const std::string& machine, const Network& network, const std::string& layer,
                     std::int64_t repetitions, const Workload& workload) {
  CsvRow row;
  row.add(machine).add(network.name).add(layer).add(repetitions).add(workload.weight);
  add_shape(row, workload);
  return row;
}

/// A table of solved layers, with the effort in its last columns. `add_columns` adds what is
/// between shape and effort.
template <class Layers, class AddColumns>
std::string solved_layers(const Names& columns, const std::string& machine, const Network& network,
                          const Layers& layers, bool timeless, const AddColumns& add_columns) {
  Names names = joined({columns, {"nodes", "leaves"}});
  if (!timeless) names.emplace_back("seconds");
  std::string text = files::csv_header(names);
  for (const auto& layer : layers) {
    CsvRow row =
        first_columns(machine, network, layer.workload.name, layer.repetitions, layer.workload);
    add_columns(row, layer);
    row.add(counted(layer.solution.nodes)).add(counted(layer.solution.leaves));
    if (!timeless) row.add(layer.solution.seconds);
    text += row.text();
  }
  return text;
}

}  // namespace

std::string network_csv(const Architecture& architecture, const Network& network,
                        const Question& question, const RunLimits& limits,
                        const NetworkSolution& solution) {
  const Names columns = joined({{"architecture", "network", "layer", "repetitions", "weight"},
                                shape_names(),
                                {"method", "row_model", "objective"},
                                kClaim,
                                kCosts,
                                {"pe_utilization", "bound_by", "dataflow"}});
  return solved_layers(columns, architecture.name, network, solution.layers, limits.timeless,
                       [&](CsvRow& row, const LayerSolution& layer) {
                         row.add(name(question.method)).add(name(question.row_model));
                         add_layer(row, architecture, layer);
                       });
}

std::string device_network_csv(const Device& device, const Network& network,
                               const Question& question, const RunLimits& limits,
                               const DeviceNetworkSolution& solution) {
  const Names columns = joined({{"device", "network", "layer", "repetitions", "weight"},
                                shape_names(),
                                {"moves", "row_model", "objective"},
                                kClaim,
                                kCosts,
                                kPhases});
  return solved_layers(columns, device.name, network, solution.layers, limits.timeless,
                       [&](CsvRow& row, const DeviceLayerSolution& layer) {
                         row.add(moved_tensors(layer.moves)).add(name(question.row_model));
                         add_device_layer(row, layer);
                       });
}

std::string plan_csv(const Architecture& architecture, const Network& network,
                     const Question& question, const LayoutPlan& plan) {
  std::string text = files::csv_header(
      joined({{"architecture", "network", "node", "repetitions", "weight"},
              shape_names(),
              {"method", "row_model", "objective"},
              kCosts,
              {"input_layout", "input_order", "copy_before_latency", "copy_before_energy",
               "copy_before_activations", "output_layout", "copy_after_latency",
               "copy_after_energy", "copy_after_activations"}}));
  for (const PlannedLayer& layer : plan.layers) {
    const Mapping& mapping = *layer.solution.mapping;
    const auto layout = [&](Tensor t) {
      return kLayoutNames[static_cast<std::size_t>(mapping.layout[index(t)])];
    };
    const bool sequential = mapping.layout[index(Tensor::input)] == Layout::sequential;
    CsvRow row = first_columns(architecture.name, network, network.graph->nodes[layer.node].name,
                               layer.repetitions, layer.workload);
    row.add(name(question.method)).add(name(question.row_model));
    row.add(question.objective.to_string());
    add_costs(row, *layer.solution.metrics);
    row.add(layout(Tensor::input))
        .add(sequential ? name(mapping.input_order_on(architecture)) : "");
    add_copy(row, layer.before);
    add_copy(row.add(layout(Tensor::output)), layer.after);
    text += row.text();
  }
  return text;
}

}  // namespace pimbb::dram_pim::cli
