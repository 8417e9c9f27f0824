// pimbb sensitivity: what the optimum of a layer owes to each figure of the accelerator.
#include <fmt/format.h>

#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/difference.hpp"
#include "dram_pim/cli/goal_text.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/report.hpp"
#include "pimbb/dram_pim/sensitivity.hpp"
#include "pimbb/error.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/sensitivity_options.hpp"
#include "terminal/sensitivity_report.hpp"
#include "terminal/session.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct LayerSensitivitySettings {
  LayerSettings layer;
  QuestionSettings question;
  terminal::SensitivitySettings sensitivity;
  RunLimits limits;
  OutputSettings output;
};

terminal::SensitivitySummary summary_of(const Architecture& architecture, const Question& question,
                                        const Sensitivity& found) {
  const Goal goal = question.objective.goals.front();
  terminal::SensitivitySummary summary;
  summary.status = found.status;
  summary.reason = found.reason;
  if (found.metrics) summary.today = fmt::format("{} {}", name(goal), with_unit(goal, found.value));
  summary.goal = name(goal);
  summary.suffix = traits(goal).suffix;
  summary.value = found.value;
  summary.figures = found.figures;
  summary.difference = [&architecture, &found](std::size_t k) {
    return k == 0 ? std::string() : difference(architecture, found.mappings[k], found.mappings[0]);
  };
  return summary;
}

std::string work_of(const Sensitivity& found, bool timeless) {
  std::string work = terminal::plural(static_cast<std::int64_t>(found.solves), "solve") + ", " +
                     terminal::plural(static_cast<std::int64_t>(found.nodes), "node");
  if (found.first_nodes > 0) {
    work += fmt::format(" ({} of them today's optimum)",
                        number(static_cast<std::int64_t>(found.first_nodes)));
  }
  if (!timeless) {
    work +=
        fmt::format(", {}, {}", duration(found.seconds), terminal::plural(found.threads, "thread"));
  }
  return work;
}

int run(const LayerSensitivitySettings& settings) {
  if (settings.layer.layer.empty()) ask_for_layer();
  Question question = question_of(settings.question);
  const SensitivityOptions options = terminal::sensitivity_options(settings.sensitivity);
  const Architecture architecture = read_machine(settings.layer, settings.output);
  add_constraints(question, settings.question, architecture);
  const Workload layer = read_layer(settings.layer);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  log.start("sensitivity",
            {{"architecture", architecture.name},
             {"layer", layer.name},
             {"objective", settings.question.objective.to_string()},
             {"row_model", row_model_name(settings.question.row_model)}},
            settings.limits);
  output.report(title(style, architecture, layer, task(question, layer)) + "\n");
  Sensitivity found;
  bool interrupted = false;
  {
    Session session(settings.limits, settings.output, log);
    found = sensitivity(architecture, layer, question, options, session.limits());
    interrupted = session.interrupted();
  }
  auto summary = summary_of(architecture, question, found);
  summary.range = options.range.has_value();
  summary.interrupted = interrupted;
  summary.limited = settings.limits.time_limit || settings.limits.node_limit;
  terminal::log_sensitivity(log, summary,
                            {found.solves, found.nodes, found.seconds, found.threads});
  output.report(terminal::sensitivity_text(style, summary));
  output.report(style.faint(work_of(found, settings.output.timeless)) + "\n");
  output.json([&] {
    return sensitivity_json(architecture, layer, question, options, settings.limits, found);
  });
  output.csv([&] { return terminal::sensitivity_csv(summary, layer.name); });
  output.finish();
  log.finish();
  return terminal::exit_code(found.status);
}

OptionRows rows(LayerSensitivitySettings& s) {
  return rows_of({layer_rows(s.layer),
                  terminal::sensitivity_rows(s.sensitivity, nullptr),
                  objective_rows(s.question),
                  {constraints_row(s.question)},
                  {row_model_row(s.question.row_model)},
                  limit_rows(s.limits),
                  {json_row(s.output), csv_row(s.output, "a row for each end, step and piece"),
                   log_row(s.output), timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command sensitivity_command() {
  return {
      "sensitivity", "Find how the optimum of a layer depends on each figure of the accelerator",
      "For energies, times and bandwidths: the interval around today's value in which the\n"
      "best mapping stays the best. For sizes: the next one with another optimum, up and down.\n"
      "All of it is exact and proven; docs/answers.md explains how.\n"
      "Examples:\n"
      "  pimbb sensitivity --layer resnet18:conv2_x --objective edp\n"
      "  pimbb sensitivity --layer resnet18:conv2_x --objective edp \\\n"
      "    --parameter levels.GlobalBuffer.entries --range 64..256\n"
      "  pimbb sensitivity --layer resnet18:conv2_x --objective energy \\\n"
      "    --parameter activation_energy --range 0..10 --csv pieces.csv",
      terminal::prepare<LayerSensitivitySettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
