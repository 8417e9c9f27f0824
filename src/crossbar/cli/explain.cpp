// pimbb explain: why a network has no mapping, or none within limits, and what would help.
#include "pimbb/crossbar/explain.hpp"

#include <fmt/format.h>

#include "crossbar/cli/answer.hpp"
#include "crossbar/cli/commands.hpp"
#include "crossbar/cli/options.hpp"
#include "crossbar/cli/report.hpp"
#include "terminal/at_most.hpp"
#include "terminal/claim.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/explanation_report.hpp"
#include "terminal/format.hpp"
#include "terminal/limit_options.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::crossbar::cli {
namespace {

struct NetworkExplainSettings {
  ProblemSettings problem;
  ExplainQuestion question;
  RunLimits limits;
  OutputSettings output;
};

/// "any mapping", "ht <= 100,000 ns, ll <= 5,000 ns".
std::string limits_text(const ExplainQuestion& question) {
  std::string text;
  for (const GoalCap& cap : question.caps) {
    text +=
        fmt::format("{}{} <= {} ns", text.empty() ? "" : ", ", name(cap.goal), number(cap.most));
  }
  return text.empty() ? "any mapping" : text;
}

std::string explained_effort(const Explanation& found, bool timeless) {
  const std::string text = plural(static_cast<std::int64_t>(found.solves), "solve") + ", " +
                           plural(static_cast<std::int64_t>(found.nodes), "node");
  return terminal::effort_text(text, found.seconds, found.threads, timeless);
}

int run(const NetworkExplainSettings& settings) {
  const Problem problem = read_problem(settings.problem, settings.output);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  log.start("explain",
            {{"architecture", problem.architecture.name}, {"network", problem.graph.name}},
            settings.limits);
  output.report(title(style, problem, limits_text(settings.question)) + "\n");
  Explanation found;
  bool interrupted = false;
  {
    Session session(settings.limits, settings.output, log);
    found = explain(problem.architecture, problem.graph, settings.question, session.limits());
    interrupted = session.interrupted();
  }
  terminal::log_explanation(log, found.status, found.solves, found.nodes, found.seconds,
                            found.threads);
  const std::string tables = explanation_tables(style, found.conflict);
  output.report(tables + (tables.empty() ? "" : "\n") +
                explanation_verdict(style, found.status, found.conflict,
                                    interrupted ? "interrupted" : "limit hit") +
                "\n" + style.faint(explained_effort(found, settings.output.timeless)) + "\n");
  output.json([&] {
    return explanation_json(problem.architecture, problem.graph, settings.question, settings.limits,
                            found);
  });
  output.csv([&] { return explanation_csv(found.conflict, problem.graph.name); });
  output.finish();
  log.finish();
  return found.status == ExplanationStatus::partial ? kUnproven : kProven;
}

OptionRows rows(NetworkExplainSettings& s) {
  return rows_of({problem_rows(s.problem, /*alone=*/false),
                  {layer_row(s.problem), at_most_row(s.question.caps, kGoalNames),
                   seed_row(s.question.seed, kSeedOfSearches)},
                  limit_rows(s.limits),
                  {json_row(s.output), csv_row(s.output, "a row for each constraint in conflict"),
                   log_row(s.output), timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command explain_command() {
  return {"explain", "Find why a layer has no mapping, and the least changes that would help",
          "With crossbar accelerators, of a whole network:\n"
          "  pimbb explain --arch pimcomp --network vgg16 --set cores=16\n"
          "  pimbb explain --arch pimcomp --network resnet18 --at-most ht=1e5",
          terminal::prepare<NetworkExplainSettings>(rows, run)};
}

}  // namespace pimbb::crossbar::cli
