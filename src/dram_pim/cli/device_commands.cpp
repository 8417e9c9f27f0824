// The same steps as for one unit: read, search or price, report, write documents.
#include "dram_pim/cli/device_commands.hpp"

#include <fmt/format.h>

#include "dram_pim/cli/audit_report.hpp"
#include "dram_pim/cli/certificate.hpp"
#include "dram_pim/cli/device_report.hpp"
#include "dram_pim/cli/given_on_device.hpp"
#include "dram_pim/cli/goal_text.hpp"
#include "dram_pim/cli/log_solution.hpp"
#include "dram_pim/cli/report.hpp"
#include "dram_pim/cli/verdict.hpp"
#include "pimbb/dram_pim/device_proof.hpp"
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
  check_proof(settings.output, question.method);
  check_instance(settings.instance, settings.output, name(question.method), true,
                 name(Method::exact));
  const Device device = read_machine(settings.device, settings.layer, settings.output);
  add_constraints(question, settings.question, device.unit);
  const Workload layer = read_layer(settings.layer);
  const Moves moves = moves_of(settings.device, layer);
  validate(device, question);
  Output output(settings.output);
  if (!settings.instance.empty()) {
    write_instance(settings.instance, canonical_instance(device, layer, moves, question), output);
    return kProven;
  }
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
  output.report(write_proof(settings.output.proof, device, layer, moves, question, settings.limits,
                            solution));
  output.json([&] {
    return device_solution_json(device, layer, moves, question, settings.limits, solution);
  });
  output.finish();
  log.finish();
  return exit_code(solution.status);
}

int audit_on_device(const DeviceAuditSettings& settings) {
  Question question = question_of(settings.question);
  check_proof(settings.output, question.method);
  const GivenOnDevice given =
      read_given_on_device(settings.mapping, settings.device, settings.output);
  const auto& [device, layer, moves, mapping] = given;
  add_constraints(question, settings.question, device.unit);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  output.report(device_title(style, device, layer,
                             fmt::format("the mapping of {} against the best: {}",
                                         printable(settings.mapping.mapping), task(question))));
  log.start("audit",
            {{"device", device.name},
             {"layer", layer.name},
             {"mapping", settings.mapping.mapping},
             {"objective", settings.question.objective.to_string()},
             {"row_model", row_model_name(settings.question.row_model)}},
            settings.limits);
  DeviceAudit found;
  bool interrupted = false;
  {
    Session session(settings.limits, settings.output, log);
    found = audit(device, layer, moves, mapping, question, session.limits());
    interrupted = session.interrupted();
  }
  const Solution claim = found.solution.claim();
  log_solution(log, "end", claim);
  const auto part = [&](std::string_view whose, const DeviceMapping& of,
                        const DeviceMetrics& metrics) {
    return "\n" + style.heading(fmt::format("The {} mapping", whose)) + "\n" +
           device_report(style, given.device, given.layer, of, metrics, question.row_model);
  };
  output.report(part("given", mapping, found.metrics));
  if (found.solution.mapping && found.standing != Standing::optimal) {
    output.report(part(other(found), *found.solution.mapping, *found.solution.metrics));
  }
  output.report(goal_table(style, found) + "\n" + audit_verdict(style, found, interrupted) + "\n" +
                style.faint(effort(claim, settings.output.timeless)) + "\n");
  output.report(write_proof(settings.output.proof, device, layer, moves, question, settings.limits,
                            found.solution));
  output.json([&] {
    return device_audit_json(given.device, given.layer, given.moves, question, settings.limits,
                             given.mapping, found);
  });
  output.finish();
  log.finish();
  return found.certified() ? kProven : kUnproven;
}

int evaluate_on_device(const MappingSettings& settings, const DeviceSettings& device_settings,
                       RowModel row_model, const OutputSettings& output_settings) {
  const GivenOnDevice given = read_given_on_device(settings, device_settings, output_settings);
  const auto& [device, layer, moves, mapping] = given;
  Output output(output_settings);
  const Style style = style_of(output_settings);
  const DeviceMetrics metrics = evaluate(device, layer, moves, mapping, row_model);
  output.report(
      device_title(style, device, layer,
                   fmt::format("evaluating the mapping of {}; row activations by the {} model",
                               printable(settings.mapping), row_model_name(row_model))) +
      device_report(style, device, layer, mapping, metrics, row_model) +
      fmt::format("\nlatency {}, energy {}, edp {}, row activations {}\n",
                  with_unit(Goal::latency, metrics.latency),
                  with_unit(Goal::energy, metrics.energy),
                  with_unit(Goal::edp, metrics.latency * metrics.energy),
                  with_unit(Goal::activations, metrics.activations)));
  output.json([&, &found = given] {
    return device_evaluation_json(found.device, found.layer, found.moves, row_model, found.mapping,
                                  metrics);
  });
  output.finish();
  return kProven;
}

}  // namespace pimbb::dram_pim::cli
