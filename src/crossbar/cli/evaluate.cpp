// pimbb evaluate: a given mapping of a network under all estimates.
#include <fmt/format.h>

#include "crossbar/cli/commands.hpp"
#include "crossbar/cli/report.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/output.hpp"

namespace pimbb::crossbar::cli {
namespace {

struct EvaluateSettings {
  ProblemSettings problem;
  std::string mapping;
  std::optional<Mode> mode;
  OutputSettings output;
};

int run(const EvaluateSettings& settings) {
  const Problem problem = read_problem(settings.problem, settings.output);
  const Mapping mapping = read_given_mapping(settings.mapping, problem);
  const Mode mode = settings.mode.value_or(Mode::ht);
  Output output(settings.output);
  const Style style = style_of(settings.output);
  const Metrics metrics = evaluate(problem.architecture, problem.partition, mapping);
  output.report(title(style, problem,
                      fmt::format("evaluating the mapping of {}", printable(settings.mapping))) +
                mapping_report(style, problem, mapping, metrics, mode));
  output.json([&] {
    return evaluation_json(problem.architecture, problem.partition, mapping, metrics, mode);
  });
  output.finish();
  return kProven;
}

OptionRows rows(EvaluateSettings& s) {
  return rows_of({problem_rows(s.problem, /*alone=*/false),
                  {mapping_row(s.mapping), mode_row(s.mode), json_row(s.output)}});
}

}  // namespace

Command evaluate_command() {
  return {"evaluate", "Cost of a given mapping in every term, or the rule that it breaks",
          "With crossbar accelerators:\n"
          "  pimbb evaluate --arch pimcomp --network resnet18 --mapping mapping.json\n"
          "  pimbb evaluate --arch pimcomp --network vgg16.onnx --mapping mapping.json --mode ll",
          terminal::prepare<EvaluateSettings>(rows, run)};
}

}  // namespace pimbb::crossbar::cli
