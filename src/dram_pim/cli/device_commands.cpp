// The same steps as for one unit: read, search or price, report, write documents.
#include "dram_pim/cli/device_commands.hpp"

#include <fmt/format.h>

#include "dram_pim/cli/device_report.hpp"
#include "dram_pim/cli/goal_text.hpp"
#include "dram_pim/cli/log_solution.hpp"
#include "dram_pim/cli/report.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/error.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::dram_pim::cli {

int map_on_device(const DeviceMapSettings& settings) {
  Question question = question_of(settings.question);
  if (question.method != Method::exact) {
    throw InputError(
        fmt::format("--method: found '{}' with --device, allowed is exact", name(question.method)));
  }
  if (!settings.output.proof.empty()) {
    throw InputError("--proof: found with --device, allowed are problems of one unit");
  }
  const Device device = read_machine(settings.device, settings.layer, settings.output);
  add_constraints(question, settings.question, device.unit);
  const Workload layer = read_layer(settings.layer);
  const Moves moves = moves_of(settings.device, layer);
  validate(device, question);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  output.report(device_title(style, device, layer, task(question)));
  log.start("map",
            {{"device", device.name},
             {"layer", layer.name},
             {"objective", settings.question.objective.to_string()},
             {"row_model", row_model_name(settings.question.row_model)}},
            settings.limits);
  DeviceSolution solution;
  bool interrupted = false;
  {
    Session session(settings.limits, settings.output, log);
    solution = solve(device, layer, moves, question, session.limits());
    interrupted = session.interrupted();
  }
  log_solution(log, "end", solution.claim());
  if (solution.mapping) {
    output.report(device_report(style, device, layer, *solution.mapping, *solution.metrics,
                                question.row_model));
  }
  output.report(device_verdict(style, solution, interrupted, settings.output.timeless));
  output.json([&] {
    return device_solution_json(device, layer, moves, question, settings.limits, solution);
  });
  output.finish();
  log.finish();
  return exit_code(solution.status);
}

int evaluate_on_device(const MappingSettings& settings, const DeviceSettings& device_settings,
                       RowModel row_model, const OutputSettings& output_settings) {
  if (settings.mapping.empty()) {
    throw InputError(
        "--mapping: found none; allowed is a JSON file as 'pimbb map --device D "
        "--json FILE' writes it");
  }
  if (settings.layout != LayoutChoice::given) {
    throw InputError("--layout: found with --device, allowed are the layouts of the file");
  }
  const Device device = read_machine(device_settings, settings, output_settings);
  const Workload layer = read_layer(settings);
  const DeviceMappingFile file = read_device_mapping(settings.mapping, device);
  const Moves moves =
      device_settings.moves || !file.moves ? moves_of(device_settings, layer) : *file.moves;
  const std::string wrong = find_violation(device, layer, moves, file.mapping);
  if (!wrong.empty()) throw InputError(settings.mapping + ": " + wrong);
  Output output(output_settings);
  const Style style = style_of(output_settings);
  const DeviceMetrics metrics = evaluate(device, layer, moves, file.mapping, row_model);
  output.report(
      device_title(style, device, layer,
                   fmt::format("evaluating the mapping of {}; row activations by the {} model",
                               printable(settings.mapping), row_model_name(row_model))) +
      device_report(style, device, layer, file.mapping, metrics, row_model) +
      fmt::format("\nlatency {}, energy {}, edp {}, row activations {}\n",
                  with_unit(Goal::latency, metrics.latency),
                  with_unit(Goal::energy, metrics.energy),
                  with_unit(Goal::edp, metrics.latency * metrics.energy),
                  with_unit(Goal::activations, metrics.activations)));
  output.json([&] {
    return device_evaluation_json(device, layer, moves, row_model, file.mapping, metrics);
  });
  output.finish();
  return kProven;
}

}  // namespace pimbb::dram_pim::cli
