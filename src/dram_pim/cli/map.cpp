// pimbb map: the best mapping of one layer, and the proof status of that claim.
#include <fmt/format.h>

#include "dram_pim/cli/certificate.hpp"
#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/device_commands.hpp"
#include "dram_pim/cli/log_solution.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/report.hpp"
#include "dram_pim/cli/verdict.hpp"
#include "pimbb/dram_pim/io.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "pimbb/dram_pim/proof.hpp"
#include "pimbb/error.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct MapSettings {
  LayerSettings layer;
  DeviceSettings device;
  QuestionSettings question;
  RunLimits limits;
  OutputSettings output;
  std::string instance;  ///< where to write the problem, "-" for standard output, empty: solve it
};

struct Solved {
  Solution solution;
  bool interrupted = false;
};

Solved search(const MapSettings& settings, const Question& question,
              const Architecture& architecture, const Workload& workload, Log& log) {
  log.start("map",
            {{"architecture", architecture.name},
             {"layer", workload.name},
             {"objective", settings.question.objective.to_string()},
             {"method", name(settings.question.method)},
             {"row_model", row_model_name(settings.question.row_model)}},
            settings.limits);
  Session session(settings.limits, settings.output, log);
  Solution solution = solve_padded(architecture, workload, question, session.limits());
  solution.padding_hint = padding_hint(architecture, workload, question, solution);
  return {std::move(solution), session.interrupted()};
}

int run(const MapSettings& settings) {
  if (settings.layer.layer.empty()) ask_for_layer();
  if (!settings.device.device.empty()) {
    return map_on_device({settings.layer, settings.device, settings.question, settings.limits,
                          settings.output, settings.instance});
  }
  Question question = question_of(settings.question);
  const RunLimits limits = settings.limits;
  check_proof(settings.output, question.method);
  check_instance(settings.instance, settings.output, name(question.method),
                 question.method == Method::exact, name(Method::exact));
  const Architecture architecture = read_machine(settings.layer, settings.output);
  add_constraints(question, settings.question, architecture);
  const Workload workload = read_layer(settings.layer);
  Output output(settings.output);
  if (!settings.instance.empty()) {
    const std::string instance =
        workload.may_be_padded()
            ? canonical_padded_instance(architecture, workload, question)
            : canonical_instance(architecture, workload, question.objective, question.row_model,
                                 question.caps, question.constraints);
    write_instance(settings.instance, instance, output);
    return kProven;
  }
  Log log(settings.output);
  const Style style = style_of(settings.output);

  output.report(title(style, architecture, workload, task(question, workload)));
  const auto [solution, interrupted] = search(settings, question, architecture, workload, log);
  log_solution(log, "end", solution);
  if (solution.mapping && solution.metrics) {
    output.report(padded_line(workload, solution.padded) +
                  mapping_report(style, architecture, mapped_layer(workload, solution),
                                 *solution.mapping, *solution.metrics, question.row_model));
  }
  output.report("\n" + verdict(style, solution, interrupted) + "\n" +
                style.faint(effort(solution, settings.output.timeless)) + "\n" +
                hint_line(workload, question.objective, solution));
  output.report(
      write_proof(settings.output.proof, architecture, workload, question, limits, solution));
  output.json([&, &found = solution] {
    return solution_json(architecture, workload, question, limits, found);
  });
  output.finish();
  log.finish();
  return exit_code(solution.status);
}

OptionRows rows(MapSettings& s) {
  return rows_of({layer_rows(s.layer),
                  {pad_row(s.layer.padding)},
                  device_rows(s.device),
                  objective_rows(s.question),
                  {at_most_row(s.question), constraints_row(s.question)},
                  {row_model_row(s.question.row_model)},
                  method_rows(s.question),
                  limit_rows(s.limits),
                  rules_rows(s.question.rules),
                  {json_row(s.output), proof_row(s.output), instance_row(s.instance),
                   log_row(s.output), timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command map_command() {
  return {"map", "Find the best mapping of one layer and prove that it is the best",
          "Examples:\n"
          "  pimbb map --layer resnet18:conv2_x\n"
          "  pimbb map --layer resnet18:conv2_x --objective latency,energy --json best.json\n"
          "  pimbb map --arch my_pim.yaml --layer my_layer.yaml --objective edp --time-limit 60\n"
          "  pimbb map --layer resnet18:conv2_x --objective blended --alpha 1 --beta 0.5\n"
          "  pimbb map --layer resnet18:conv2_x --objective energy --at-most latency=2e6\n"
          "  pimbb map --layer resnet18:conv2_x --constraints my_constraints.yaml\n"
          "  pimbb map --layer my_layer.yaml --pad 12.5%\n"
          "  pimbb map --layer resnet18:conv2_x --method ws --row-model trace\n"
          "  pimbb map --device hbm_pim_stack --layer resnet50:fc --objective latency,energy",
          terminal::prepare<MapSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
