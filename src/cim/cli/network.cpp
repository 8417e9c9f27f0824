// pimbb network: every distinct layer of a network solved, a table that grows as they finish.
#include <fmt/format.h>

#include <algorithm>

#include "cim/cli/commands.hpp"
#include "cim/cli/network_report.hpp"
#include "cim/cli/options.hpp"
#include "cim/cli/report.hpp"
#include "cim/cli/verdict.hpp"
#include "pimbb/cim/io.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/network_summary.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::cim::cli {
namespace {

struct NetworkSettings : MachineSettings {
  std::string network = "resnet18";
  NetworkOptions network_options;
  QuestionSettings question;
  bool per_layer = false;
  RunLimits limits;
  OutputSettings output;
};

struct SearchedNetwork {
  NetworkSolution solution;
  std::optional<NetworkSolution> whole;  ///< without the restrictions, if there are some
  bool interrupted = false;
};

SearchedNetwork search(const NetworkSettings& settings, const Question& question,
                       const Architecture& architecture, const Network& merged,
                       const LayerTable& table, Output& output, Log& log) {
  log.start("network",
            {{"architecture", architecture.name},
             {"network", merged.name},
             {"layers", merged.layers.size()},
             {"objective", question.objective.to_string()},
             {"semantics", name(question.pricing.semantics)}},
            settings.limits);
  Session session(settings.limits, settings.output, log);
  const auto on_layer = [&](const LayerSolution& layer) {
    log.about("layer", layer.workload.name);
    session.progress().interleave([&] { output.report(table.row(layer)); });
    log_solution(log, "layer", layer.solution);
  };
  SearchedNetwork found;
  found.solution =
      solve_network(architecture, merged, question, session.limits(), on_layer, settings.per_layer);
  if (question.is_restricted()) {
    RunLimits left = session.limits();
    if (left.time_limit)
      *left.time_limit = std::max(0.0, *left.time_limit - found.solution.seconds);
    found.whole =
        solve_network(architecture, merged, question.unrestricted(), left, {}, settings.per_layer);
  }
  found.interrupted = session.interrupted();
  return found;
}

files::Json log_end(const NetworkSolution& solution, bool timeless) {
  files::Json json = files::Json::object();
  json["status"] = name(solution.status);
  json["latency"] = solution.totals.latency.to_double();
  json["energy"] = solution.totals.energy.to_double();
  if (!timeless) json["seconds"] = solution.seconds;
  return json;
}

std::string heading(const Style& style, const Architecture& architecture, const Network& network,
                    const Network& merged, const Question& question) {
  return network_heading(style, network, merged,
                         printable(architecture.name) + ": " + summary(architecture),
                         task(question));
}

std::string left_out(const Style& style, const Network& network, const NetworkSolution& solution) {
  std::vector<std::string> names;
  for (const LayerSolution& layer : solution.layers) {
    if (!layer.solution.mapping) names.push_back(layer.workload.name);
  }
  return left_out_note(style, network, names);
}

int run(const NetworkSettings& settings) {
  const Question question = question_of(settings.question);
  const Architecture architecture = read_machine(settings, settings.output);
  const Network network = read_network(settings.network, settings.network_options);
  for (const NetworkLayer& layer : network.layers) {
    terminal::refuse_padding(layer.workload, "an architecture of kind cim");
  }
  const Network merged = merge_equal_layers(network);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  const LayerTable table(style, merged, question.objective, settings.output.timeless);

  output.report(heading(style, architecture, network, merged, question) + table.header());
  const SearchedNetwork found =
      search(settings, question, architecture, merged, table, output, log);
  const NetworkSolution& solution = found.solution;
  log.end(log_end(solution, settings.output.timeless));
  output.report(table.totals(solution) + left_out(style, network, solution) + "\n" +
                network_claim(style, question, solution, found.interrupted) + "\n");
  if (found.whole) output.report(network_comparison(question.objective, solution, *found.whole));
  output.json([&] {
    return network_json(architecture, network, question, settings.limits, solution,
                        found.whole ? &*found.whole : nullptr);
  });
  output.csv([&] { return network_csv(solution, settings.output.timeless); });
  output.finish();
  log.finish();
  return exit_code(solution.status);
}

OptionRows rows(NetworkSettings& s) {
  return rows_of(
      {machine_rows(s),
       {network_row(s.network), batch_row(s.network_options), dim_row(s.network_options),
        skip_row(s.network_options)},
       objective_rows(s.question),
       pricing_rows(s.question.question.pricing),
       {{"--per-layer", nullptr, groups::kGoal, "",
         "Minimise each layer's own EDP, not the network's (total latency * total energy); for "
         "goals "
         "that are sums there is no difference",
         [&](auto, auto&) { s.per_layer = true; }}},
       space_rows(s.question.question),
       limit_rows(s.limits),
       {json_row(s.output), csv_row(s.output, "a row for each distinct layer"), log_row(s.output),
        timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command network_command() {
  return {"network", "Map every layer of a network; equal layers are solved once",
          "With SRAM compute-in-memory:\n"
          "  pimbb network --arch miredo_default --network resnet18 --objective edp\n"
          "  pimbb network --arch miredo_default --network mobilenet_v1 --objective energy "
          "--method ws",
          terminal::prepare<NetworkSettings>(rows, run)};
}

}  // namespace pimbb::cim::cli
