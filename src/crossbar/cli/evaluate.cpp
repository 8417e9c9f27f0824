// pimbb evaluate: a given mapping of a network under all estimates.
#include <fmt/format.h>

#include "crossbar/cli/commands.hpp"
#include "crossbar/cli/report.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::crossbar::cli {
namespace {

struct EvaluateSettings {
  ProblemSettings problem;
  std::string mapping;
  std::optional<Mode> mode;
  SimulationSettings simulation;
  RunLimits limits;
  OutputSettings output;
};

Simulated simulate_given(const EvaluateSettings& settings, const Problem& problem,
                         const Mapping& mapping) {
  const Mode mode = settings.mode.value_or(Mode::ht);
  if (!settings.simulation.wanted()) return {{mode, Policy::add}, {}, 0, ""};
  Log log(settings.output);
  Session session(settings.limits, settings.output, log);
  session.progress().begin("simulating");
  return simulate(settings.simulation, problem, mapping, mode, session.limits());
}

int run(const EvaluateSettings& settings) {
  check(settings.simulation, settings.output);
  const Problem problem = read_problem(settings.problem, settings.output);
  const Mapping mapping = read_given_mapping(settings.mapping, problem);
  Output output(settings.output);
  const Style style = style_of(settings.output);
  const Metrics metrics = evaluate(problem.architecture, problem.partition, mapping);
  output.report(title(style, problem,
                      fmt::format("evaluating the mapping of {}", printable(settings.mapping))));
  const Simulated simulated = simulate_given(settings, problem, mapping);
  output.report(mapping_report(style, problem, mapping, metrics, simulated));
  const std::string stream = stream_text(style, settings.simulation, simulated);
  if (!stream.empty()) output.report("\n" + stream);
  output.json([&] {
    return with_simulation(evaluation_json(problem.architecture, problem.partition, mapping,
                                           metrics, simulated.options.mode),
                           problem, simulated);
  });
  output.finish();
  return simulated.stopped.empty() ? kProven : kUnproven;
}

/// Limits of the simulation.
OptionRows effort_rows(RunLimits& limits) {
  return {{"--time-limit", "TIME", groups::kEffort, "", "Give up the simulation after this time",
           [&](auto option, auto& text) { limits.time_limit = duration_seconds(option, text); }},
          {"--memory-limit", "SIZE", groups::kEffort, "4GiB",
           "Memory for the instructions that are simulated: bytes, or with a unit, such as 512M",
           [&](auto option, auto& text) { limits.memory_limit = memory_size(option, text); }}};
}

OptionRows rows(EvaluateSettings& s) {
  return rows_of({problem_rows(s.problem, /*alone=*/false),
                  {mapping_row(s.mapping), mode_row(s.mode)},
                  simulation_rows(s.simulation),
                  effort_rows(s.limits),
                  {json_row(s.output)}});
}

}  // namespace

Command evaluate_command() {
  return {"evaluate", "Cost of a given mapping in every term, or the rule that it breaks",
          "With crossbar accelerators:\n"
          "  pimbb evaluate --arch pimcomp --network resnet18 --mapping mapping.json\n"
          "  pimbb evaluate --arch pimcomp --network vgg16.onnx --mapping mapping.json --mode ll "
          "--simulate",
          terminal::prepare<EvaluateSettings>(rows, run)};
}

}  // namespace pimbb::crossbar::cli
