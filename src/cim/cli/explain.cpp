// pimbb explain: why a layer has no mapping, and what would help.
#include "pimbb/cim/explain.hpp"

#include "cim/cli/commands.hpp"
#include "cim/cli/options.hpp"
#include "cim/cli/report.hpp"
#include "cim/cli/verdict.hpp"
#include "terminal/claim.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/explanation_report.hpp"
#include "terminal/format.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::cim::cli {
namespace {

struct ExplainSettings {
  LayerSettings layer;
  QuestionSettings question;
  RunLimits limits;
  OutputSettings output;
};

/// "dataflow ws, latency <= 1,000 cycles"
std::string explained_task(const Question& question) {
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (question.method != Method::exact) add("dataflow " + std::string(name(question.method)));
  if (question.factors != FactorRule::any) add("factors " + std::string(name(question.factors)));
  if (question.schemes != SchemeRule::all) add("schemes " + std::string(name(question.schemes)));
  if (question.doubling != DoubleRule::free) add("double " + std::string(name(question.doubling)));
  for (const GoalCap& cap : question.caps) {
    add(std::string(name(cap.goal)) + " <= " + with_unit(cap.goal, cap.most));
  }
  return (text.empty() ? "any mapping" : text) + "; " + pricing_text(question.pricing);
}

std::string explained_effort(const Explanation& found, bool timeless) {
  const std::string text = plural(static_cast<std::int64_t>(found.solves), "solve") + ", " +
                           plural(static_cast<std::int64_t>(found.labels), "label");
  return terminal::effort_text(text, found.seconds, found.threads, timeless);
}

int run(const ExplainSettings& settings) {
  if (settings.layer.layer.empty()) ask_for_layer();
  const Question question = question_of(settings.question);
  const Architecture architecture = read_machine(settings.layer, settings.output);
  const Workload layer = read_workload(settings.layer.layer, settings.layer.network_options);
  terminal::refuse_padding(layer, "an architecture of kind cim");
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  log.start("explain",
            {{"architecture", architecture.name},
             {"layer", layer.name},
             {"method", name(question.method)},
             {"semantics", name(question.pricing.semantics)}},
            settings.limits);
  output.report(title(style, architecture, layer, explained_task(question)) + "\n");
  Explanation found;
  bool interrupted = false;
  {
    Session session(settings.limits, settings.output, log);
    found = explain(architecture, layer, question, session.limits());
    interrupted = session.interrupted();
  }
  terminal::log_explanation(log, found.status, found.solves, found.labels, found.seconds,
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
                  {at_most_row(s.question)},
                  pricing_rows(s.question.question.pricing),
                  space_rows(s.question.question),
                  limit_rows(s.limits),
                  {json_row(s.output), csv_row(s.output, "a row for each constraint in conflict"),
                   log_row(s.output), timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command explain_command() {
  return {"explain", "Find why a layer has no mapping, and the least changes that would help",
          "With SRAM compute-in-memory:\n"
          "  pimbb explain --arch miredo_default --layer resnet18:conv2_x --at-most latency=2e5\n"
          "  pimbb explain --arch miredo_default --layer resnet18:fc --method ws \\\n"
          "    --at-most energy=30000",
          terminal::prepare<ExplainSettings>(rows, run)};
}

}  // namespace pimbb::cim::cli
