// Rows of the shared options, and what is read by them.
#include "crossbar/cli/options.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "pimbb/error.hpp"
#include "terminal/layer_options.hpp"
#include "terminal/option_values.hpp"
#include "terminal/warnings.hpp"

namespace pimbb::crossbar::cli {
namespace {

std::int64_t grouped_layers(const Network& network) {
  if (!network.graph) return 0;
  return std::ranges::count_if(network.graph->nodes, [](const GraphNode& node) {
    return node.layer && node.layer->workload.bound(Dim::G) > 1;
  });
}

}  // namespace

Problem read_problem(const ProblemSettings& settings, const OutputSettings& output) {
  Problem problem;
  problem.architecture = read_architecture(settings.arch, settings.set);
  warn(warnings(problem.architecture), settings.strict, output.quiet);
  const Network network = read_network(settings.network, settings.network_options);
  for (const NetworkLayer& layer : network.layers) {
    terminal::refuse_padding(layer.workload, "an architecture of kind crossbar");
  }
  problem.grouped = grouped_layers(network);
  try {
    problem.graph = node_graph(network);
    problem.partition = make_partition(problem.architecture, problem.graph);
  } catch (const InputError& error) {
    throw InputError(settings.network + ": " + error.what());
  }
  return problem;
}

Mapping read_given_mapping(const std::string& path, const Problem& problem) {
  if (path.empty()) {
    throw InputError(
        "--mapping: found none; allowed is a JSON file with replication and cores, as 'pimbb "
        "evaluate --json FILE' writes it");
  }
  Mapping mapping = read_mapping(path, problem.architecture, problem.partition);
  if (const auto broken = find_violation(problem.architecture, problem.partition, mapping)) {
    throw InputError(fmt::format("{}: the mapping breaks the rule '{}': {}", path, broken->rule,
                                 broken->message));
  }
  return mapping;
}

OptionRows problem_rows(ProblemSettings& s, bool alone) {
  OptionRow network = network_row(s.network);
  network.alone = alone;
  return rows_of(
      {machine_rows(s, "", architecture_presets, "such as mvm.time=4000 or core.crossbars=32"),
       {std::move(network), batch_row(s.network_options), dim_row(s.network_options)}});
}

OptionRow layer_row(ProblemSettings& s) {
  OptionRow row = network_row(s.network);
  row.name = "--layer";
  row.value = "LAYER";
  row.preset = "";
  row.help = "The same as --network";
  row.alone = true;
  return row;
}

OptionRow mapping_row(std::string& mapping) {
  return {"--mapping",
          "FILE",
          groups::kProblem,
          "",
          "a JSON file with the replication and the cores of a network",
          [&](auto option, auto& text) { mapping = not_empty(option, text); },
          [] { return Choices{.files = {"json"}}; }};
}

OptionRow ht_or_ll_row(Goal& goal, const char* what) {
  return {"--objective",
          "GOALS",
          groups::kGoal,
          "ht",
          what,
          [&](auto option, auto& text) {
            goal = static_cast<Goal>(place_among(option, text, kGoalNames));
          },
          [] { return one_of(kGoalNames); }};
}

OptionRow mode_row(std::optional<Mode>& mode) {
  return {"--mode",
          "MODE",
          groups::kGoal,
          "ht",
          "The schedule that energy and memory are about: ht (high throughput: layers work on "
          "different inferences) or ll (low latency: one inference flows through all layers)",
          [&](auto option, auto& text) {
            mode = static_cast<Mode>(place_among(option, text, kModeNames));
          },
          [] { return one_of(kModeNames); }};
}

OptionRow seed_row(std::uint64_t& seed, const char* of) {
  return {"--seed", "N", groups::kMethod, "1", of, [&](auto option, auto& text) {
            seed = integer<std::uint64_t>(option, text, 0, std::uint64_t{1} << 62);
          }};
}

}  // namespace pimbb::crossbar::cli
