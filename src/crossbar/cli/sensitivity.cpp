// pimbb sensitivity: what the optimum of a network owes to each figure of the accelerator.
#include "pimbb/crossbar/sensitivity.hpp"

#include <fmt/format.h>

#include "crossbar/cli/commands.hpp"
#include "crossbar/cli/options.hpp"
#include "crossbar/cli/report.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/limit_options.hpp"
#include "terminal/output.hpp"
#include "terminal/sensitivity_options.hpp"
#include "terminal/sensitivity_report.hpp"
#include "terminal/session.hpp"

namespace pimbb::crossbar::cli {
namespace {

struct NetworkSensitivitySettings {
  ProblemSettings problem;
  Question question;
  terminal::SensitivitySettings sensitivity;
  RunLimits limits;
  OutputSettings output;
};

constexpr std::size_t kNodesNamed = 4;

/// What a mapping has that another one has not: "R: conv1 4 -> 8, fc 1 -> 2, ...".
std::string changed_nodes(const NamedMapping& mapping, const NamedMapping& from) {
  if (mapping.nodes != from.nodes) return "other parts of nodes";
  std::string nodes;
  std::size_t changed = 0;
  for (std::size_t v = 0; v < mapping.nodes.size(); ++v) {
    const std::int64_t then = mapping.mapping.replication[v];
    const std::int64_t now = from.mapping.replication[v];
    if (then == now || ++changed > kNodesNamed) continue;
    nodes += fmt::format("{}{} {} -> {}", nodes.empty() ? "" : ", ", mapping.nodes[v], now, then);
  }
  if (nodes.empty()) return "other cores";
  if (changed > kNodesNamed) nodes += fmt::format(", {} more", changed - kNodesNamed);
  return "R: " + nodes;
}

SensitivitySummary summary_of(const Question& question, const Sensitivity& found) {
  SensitivitySummary summary;
  summary.status = found.status;
  summary.reason = found.reason;
  if (found.known) {
    summary.today = fmt::format("{} {} ns", name(question.goal), number(found.value));
    if (!found.is_proven()) {
      summary.today += fmt::format(" (not proven to be the least, which is at least {} ns)",
                                   number(found.bound));
    }
  }
  summary.goal = name(question.goal);
  summary.suffix = " ns";
  summary.value = found.value;
  summary.figures = found.figures;
  summary.difference = [&found](std::size_t k) {
    return k == 0 ? std::string() : changed_nodes(found.mappings[k], found.mappings[0]);
  };
  return summary;
}

std::string searches_text(const Sensitivity& found, bool timeless) {
  const std::string text = plural(static_cast<std::int64_t>(found.solves), "solve") + ", " +
                           plural(static_cast<std::int64_t>(found.nodes), "node");
  return terminal::effort_text(text, found.seconds, found.threads, timeless);
}

int run(const NetworkSensitivitySettings& settings) {
  const SensitivityOptions options = sensitivity_options(settings.sensitivity);
  const Problem problem = read_problem(settings.problem, settings.output);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  log.start("sensitivity",
            {{"architecture", problem.architecture.name},
             {"network", problem.graph.name},
             {"objective", name(settings.question.goal)}},
            settings.limits);
  output.report(title(style, problem, fmt::format("minimise {}", name(settings.question.goal))) +
                "\n");
  Sensitivity found;
  bool interrupted = false;
  {
    Session session(settings.limits, settings.output, log);
    found = sensitivity(problem.architecture, problem.graph, settings.question, options,
                        session.limits());
    interrupted = session.interrupted();
  }
  SensitivitySummary summary = summary_of(settings.question, found);
  summary.range = options.range.has_value();
  summary.interrupted = interrupted;
  summary.limited = settings.limits.time_limit || settings.limits.node_limit;
  log_sensitivity(log, summary, {found.solves, found.nodes, found.seconds, found.threads});
  output.report(sensitivity_text(style, summary));
  output.report(style.faint(searches_text(found, settings.output.timeless)) + "\n");
  output.json([&] {
    return sensitivity_json(problem.architecture, problem.graph, settings.question, options,
                            settings.limits, found);
  });
  output.csv([&] { return sensitivity_csv(summary, problem.graph.name); });
  output.finish();
  log.finish();
  return exit_code(found.status);
}

OptionRows rows(NetworkSensitivitySettings& s) {
  return rows_of({problem_rows(s.problem, /*alone=*/false),
                  {layer_row(s.problem)},
                  sensitivity_rows(s.sensitivity, nullptr),
                  {ht_or_ll_row(s.question.goal), seed_row(s.question.seed, kSeedOfSearches)},
                  limit_rows(s.limits),
                  {json_row(s.output), csv_row(s.output, "a row for each end, step and piece"),
                   log_row(s.output), timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command sensitivity_command() {
  return {"sensitivity",
          "Find how the optimum of a layer depends on each figure of the accelerator",
          "With crossbar accelerators, of a whole network:\n"
          "  pimbb sensitivity --arch pimcomp_4000 --network resnet18 --objective ht\n"
          "  pimbb sensitivity --arch pimcomp --network vgg16 --objective ll \\\n"
          "    --parameter cores --range 100..144",
          terminal::prepare<NetworkSensitivitySettings>(rows, run)};
}

}  // namespace pimbb::crossbar::cli
