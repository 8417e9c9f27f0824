// pimbb explain: why a layer has no mapping, and what would help.
#include "pimbb/dram_pim/explain.hpp"
#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/goal_text.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/report.hpp"
#include "terminal/claim.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/explanation_report.hpp"
#include "terminal/format.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct ExplainSettings {
  LayerSettings layer;
  QuestionSettings question;
  RunLimits limits;
  OutputSettings output;
};

/// " within ws, latency <= 1,000 cycles, constraints.yaml"
std::string explained_task(const Question& question) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (question.method != Method::exact) add("dataflow " + std::string(name(question.method)));
  for (const GoalCap& cap : question.all_caps()) {
    add(std::string(name(cap.goal)) + " <= " + with_unit(cap.goal, cap.most));
  }
  if (question.constraints.any()) add(question.constraints.source);
  return text.empty() ? "any mapping" : text;
}

std::string explained_effort(const Explanation& found, bool timeless) {
  const std::string text = terminal::plural(static_cast<std::int64_t>(found.solves), "solve") +
                           ", " + terminal::plural(static_cast<std::int64_t>(found.nodes), "node");
  return terminal::effort_text(text, found.seconds, found.threads, timeless);
}

int run(const ExplainSettings& settings) {
  if (settings.layer.layer.empty()) ask_for_layer();
  Question question = question_of(settings.question);
  const Architecture architecture = read_machine(settings.layer, settings.output);
  add_constraints(question, settings.question, architecture);
  const Workload layer = read_layer(settings.layer);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  log.start("explain",
            {{"architecture", architecture.name},
             {"layer", layer.name},
             {"method", name(question.method)},
             {"row_model", row_model_name(settings.question.row_model)}},
            settings.limits);
  output.report(title(style, architecture, layer, explained_task(question)) + "\n");
  Explanation found;
  bool interrupted = false;
  {
    Session session(settings.limits, settings.output, log);
    found = explain(architecture, layer, question, session.limits());
    interrupted = session.interrupted();
  }
  terminal::log_explanation(log, found.status, found.solves, found.nodes, found.seconds,
                            found.threads);
  const bool limited = settings.limits.time_limit || settings.limits.node_limit;
  const char* stopped = interrupted ? "interrupted" : limited ? "limit hit" : "memory limit";
  const std::string tables = explanation_tables(style, found.conflict);
  output.report(tables + (tables.empty() ? "" : "\n") +
                explanation_verdict(style, found.status, found.conflict, stopped) + "\n" +
                style.faint(explained_effort(found, settings.output.timeless)) + "\n");
  output.json(
      [&] { return explanation_json(architecture, layer, question, settings.limits, found); });
  output.csv([&] { return terminal::explanation_csv(found.conflict, layer.name); });
  output.finish();
  log.finish();
  return found.status == ExplanationStatus::partial ? terminal::kUnproven : terminal::kProven;
}

OptionRows rows(ExplainSettings& s) {
  return rows_of({layer_rows(s.layer),
                  {at_most_row(s.question), dataflow_row(s.question), constraints_row(s.question),
                   row_model_row(s.question.row_model)},
                  limit_rows(s.limits),
                  {json_row(s.output), csv_row(s.output, "a row for each constraint in conflict"),
                   log_row(s.output), timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command explain_command() {
  return {
      "explain", "Find why a layer has no mapping, and the least changes that would help",
      "Of a layer that has no mapping at all, none within a dataflow, a file of constraints, or\n"
      "limits on goals: the constraints that contradict each other, what each of them would need,\n"
      "and for each the least change that alone makes a mapping possible. All of it is exact and\n"
      "proven; docs/answers.md explains how.\n"
      "Examples:\n"
      "  pimbb explain --layer resnet18:conv2_x --set levels.PELocalBuffer.entries=0\n"
      "  pimbb explain --layer resnet18:conv2_x --at-most latency=1e6\n"
      "  pimbb explain --layer resnet18:conv2_x --method ws --at-most energy=1e6",
      terminal::prepare<ExplainSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
