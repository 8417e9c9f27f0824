// pimbb sensitivity: what the optimum of a layer owes to each figure of the accelerator.
#include "pimbb/cim/sensitivity.hpp"

#include <fmt/format.h>

#include "cim/cli/commands.hpp"
#include "cim/cli/options.hpp"
#include "cim/cli/report.hpp"
#include "cim/cli/verdict.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/output.hpp"
#include "terminal/sensitivity_options.hpp"
#include "terminal/sensitivity_report.hpp"
#include "terminal/session.hpp"

namespace pimbb::cim::cli {
namespace {

struct LayerSensitivitySettings {
  LayerSettings layer;
  QuestionSettings question;
  terminal::SensitivitySettings sensitivity;
  RunLimits limits;
  OutputSettings output;
};

/// The parts of a mapping that are another one's no more: "axes, loops".
std::string changed_parts(const Mapping& mapping, const Mapping& from) {
  std::string parts;
  const auto add = [&](bool changed, const char* part) {
    if (changed) parts += (parts.empty() ? "" : ", ") + std::string(part);
  };
  const auto nest = [](const Mapping& m) {
    std::vector<std::pair<Dim, std::int64_t>> loops;
    for (const Loop& loop : m.loops) loops.emplace_back(loop.dim, loop.factor);
    return loops;
  };
  const bool other_nest = nest(mapping) != nest(from);
  add(mapping.spatial != from.spatial, "axes");
  add(other_nest, "loops");
  add(!other_nest && mapping.loops != from.loops, "levels of loops");
  add(mapping.doubled != from.doubled, "double buffers");
  return "other " + parts;
}

terminal::SensitivitySummary summary_of(const Question& question, const Sensitivity& found) {
  const Goal goal = question.objective.goals.front();
  terminal::SensitivitySummary summary;
  summary.status = found.status;
  summary.reason = found.reason;
  if (found.metrics) summary.today = fmt::format("{} {}", name(goal), with_unit(goal, found.value));
  summary.goal = name(goal);
  summary.suffix = unit_suffix(goal);
  summary.value = found.value;
  summary.figures = found.figures;
  summary.difference = [&found](std::size_t k) {
    return k == 0 ? std::string() : changed_parts(found.mappings[k], found.mappings[0]);
  };
  return summary;
}

std::string work_of(const Sensitivity& found, bool timeless) {
  const std::string work = plural(static_cast<std::int64_t>(found.solves), "solve") + ", " +
                           plural(static_cast<std::int64_t>(found.labels), "label");
  return terminal::effort_text(work, found.seconds, found.threads, timeless);
}

int run(const LayerSensitivitySettings& settings) {
  if (settings.layer.layer.empty()) ask_for_layer();
  const Question question = question_of(settings.question);
  const SensitivityOptions options = terminal::sensitivity_options(settings.sensitivity);
  const Architecture architecture = read_machine(settings.layer, settings.output);
  const Workload layer = read_workload(settings.layer.layer, settings.layer.network_options);
  terminal::refuse_padding(layer, "an architecture of kind cim");
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  log.start("sensitivity",
            {{"architecture", architecture.name},
             {"layer", layer.name},
             {"objective", question.objective.to_string()},
             {"semantics", name(question.pricing.semantics)}},
            settings.limits);
  output.report(title(style, architecture, layer, task(question)) + "\n");
  Sensitivity found;
  bool interrupted = false;
  {
    Session session(settings.limits, settings.output, log);
    found = sensitivity(architecture, layer, question, options, session.limits());
    interrupted = session.interrupted();
  }
  auto summary = summary_of(question, found);
  summary.range = options.range.has_value();
  summary.interrupted = interrupted;
  summary.limited = settings.limits.time_limit || settings.limits.node_limit;
  terminal::log_sensitivity(log, summary,
                            {found.solves, found.labels, found.seconds, found.threads});
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
                  pricing_rows(s.question.question.pricing),
                  limit_rows(s.limits),
                  {json_row(s.output), csv_row(s.output, "a row for each end, step and piece"),
                   log_row(s.output), timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command sensitivity_command() {
  return {"sensitivity",
          "Find how the optimum of a layer depends on each figure of the accelerator",
          "With SRAM compute-in-memory:\n"
          "  pimbb sensitivity --arch miredo_default --layer resnet18:fc --objective energy\n"
          "  pimbb sensitivity --arch miredo_default --layer resnet18:fc --objective edp \\\n"
          "    --parameter spatial_axes.cores.size --range 1..16",
          terminal::prepare<LayerSensitivitySettings>(rows, run)};
}

}  // namespace pimbb::cim::cli
