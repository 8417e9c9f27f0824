// pimbb pareto: the front of a network, all trade-offs between throughput and latency of one
// mapping that nothing beats on both.
#include <fmt/format.h>

#include "crossbar/cli/certificate.hpp"
#include "crossbar/cli/commands.hpp"
#include "crossbar/cli/options.hpp"
#include "crossbar/cli/report.hpp"
#include "pimbb/crossbar/front.hpp"
#include "terminal/certificate.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/front_options.hpp"
#include "terminal/front_report.hpp"
#include "terminal/limit_options.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"

namespace pimbb::crossbar::cli {
namespace {

struct ParetoSettings {
  ProblemSettings problem;
  std::string axes = "ht,ll";
  FrontOptions front;
  std::uint64_t seed = 1;
  RunLimits limits;
  OutputSettings output;
};

FrontSummary summary_of_front(const Front& front, bool interrupted) {
  std::vector<FrontAxis> axes;
  for (const Goal axis : front.axes) axes.push_back({std::string(name(axis)), " ns"});
  return front_summary(std::move(axes), front, interrupted);
}

void log_front(Log& log, const Front& front) {
  if (!log.wanted()) return;
  files::Json fields = files::Json::object();
  fields["status"] = std::string(name(front.status));
  fields["points"] = front.points.size();
  fields["covered"] = front.covered.to_double();
  fields["nodes"] = front.nodes;
  fields["solves"] = front.solves;
  fields["memory"] = front.memory;
  log.end(std::move(fields), front.seconds, front.threads);
}

std::string effort_of_front(const Front& front, bool timeless) {
  const auto count = [](std::uint64_t n, std::string_view thing) {
    return plural(static_cast<std::int64_t>(n), thing);
  };
  std::string text = number(static_cast<std::int64_t>(front.solves)) +
                     (front.solves == 1 ? " search, " : " searches, ") +
                     count(front.starts, "start") + ", " + count(front.nodes, "node");
  if (timeless) return text;
  return text + ", " + duration(front.seconds) + ", " + plural(front.threads, "thread");
}

int run_pareto(const ParetoSettings& settings) {
  terminal::check_front_proof(settings.output, "", settings.front);
  check_proof(settings.output, "", /*proven=*/true, "");
  const std::vector<Goal> axes = parse_axes(settings.axes, "--axes");
  const Problem problem = read_problem(settings.problem, settings.output);
  check_provable(settings.output, problem);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  output.report(
      title(style, problem,
            fmt::format("front of {} and {} of one mapping", name(axes[0]), name(axes[1]))));
  log.start("pareto",
            {{"architecture", problem.architecture.name},
             {"network", problem.partition.graph.name},
             {"axes", settings.axes}},
            settings.limits);
  Session session(settings.limits, settings.output, log);
  const Front front = solve_front(problem.architecture, problem.partition, axes, settings.seed,
                                  session.limits(), settings.front);
  log_front(log, front);
  const FrontSummary summary = summary_of_front(front, session.interrupted());
  output.report("\n" + (front.points.empty() ? "" : front_table(style, summary)) + "\n" +
                front_verdict(style, summary) + "\n" +
                style.faint(effort_of_front(front, settings.output.timeless)) + "\n");
  output.json(
      [&] { return front_json(problem.architecture, problem.partition, settings.limits, front); });
  output.csv([&] { return front_csv(summary, problem.partition.graph.name); });
  output.report(
      style.faint(write_certificate(settings.output.proof, problem, session.limits(), front)));
  output.finish();
  log.finish();
  return exit_code(front.status);
}

OptionRows pareto_rows(ParetoSettings& s) {
  return rows_of({problem_rows(s.problem, /*alone=*/false),
                  front_rows(s.axes, s.front, "ht,ll (by default) or ll,ht", "ht,ll"),
                  {seed_row(s.seed, kSeedOfSearches)},
                  limit_rows(s.limits),
                  {json_row(s.output), csv_row(s.output, "a row for each point"),
                   terminal::proof_row(s.output), log_row(s.output),
                   timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command pareto_command() {
  return {"pareto", "Find all trade-offs of latency and energy that nothing beats",
          "With crossbar accelerators, of throughput (ht) and latency (ll):\n"
          "  pimbb pareto --arch pimcomp --network vgg16 --time-limit 60 --csv front.csv\n"
          "  pimbb pareto --arch pimcomp --network resnet18 --points 10\n"
          "  pimbb pareto --arch pimcomp --network small.yaml --proof front.proof",
          terminal::prepare<ParetoSettings>(pareto_rows, run_pareto)};
}

}  // namespace pimbb::crossbar::cli
