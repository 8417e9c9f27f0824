// pimbb top: the best replications of a network, and how many mappings each has.
#include "pimbb/crossbar/top.hpp"

#include <fmt/format.h>

#include "crossbar/cli/commands.hpp"
#include "crossbar/cli/options.hpp"
#include "crossbar/cli/report.hpp"
#include "files/csv.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/limit_options.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"
#include "terminal/top_options.hpp"
#include "terminal/top_report.hpp"

namespace pimbb::crossbar::cli {
namespace {

struct NetworkTopSettings {
  ProblemSettings problem;
  Question question;
  terminal::TopSettings top;
  RunLimits limits;
  OutputSettings output;
};

/// The replicas that differ: "conv1 8, fc 1"; without `from`, all of them.
std::string replicas_text(const Partition& partition, const Mapping& mapping, const Mapping* from) {
  std::string text;
  for (std::size_t v = 0; v < mapping.replication.size(); ++v) {
    const ArrayNode& array = partition.arrays[v];
    if (array.family != v) continue;  // parts of a node have the same
    if (from != nullptr && mapping.replication[v] == from->replication[v]) continue;
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", partition.node(array).name,
                        mapping.replication[v]);
  }
  return text;
}

terminal::TopSummary summary_of(const Problem& problem, const Question& question,
                                const TopRange& range, const TopClasses& top) {
  terminal::TopSummary summary;
  summary.status = top.status;
  summary.reason = top.reason;
  summary.goals = {std::string(name(question.goal))};
  if (top.bound) summary.bound = number(*top.bound) + " ns";
  for (const MappingClass& c : top.classes) {
    const bool is_first = summary.classes.empty();
    summary.classes.push_back(
        {{c.value},
         c.mappings,
         is_first ? "" : replicas_text(problem.partition, c.mapping, &top.classes[0].mapping)});
  }
  summary.share = range.within;
  summary.within = top.within;
  summary.optimal = top.optimal;
  summary.tied = top.tied;
  return summary;
}

/// What the table does not say: the replicas of the first class, and costs that are not proven.
std::string first_class_text(const Problem& problem, const TopClasses& top) {
  if (top.classes.empty()) return "";
  std::string text =
      "replicas of the best: " + replicas_text(problem.partition, top.classes[0].mapping, nullptr) +
      "\n";
  std::int64_t open = 0;
  for (const MappingClass& c : top.classes) {
    if (c.bound < c.value) ++open;
  }
  if (open == 0) return text;
  return text +
         fmt::format(
             "{} listed with the cost of the best packing found, not proven to be the least\n",
             number(open));
}

std::string csv_of(const Problem& problem, const Question& question, const TopClasses& top,
                   const terminal::TopSummary& summary) {
  std::string csv = files::csv_header({"network", "status", "rank", "objective", "value", "bound",
                                       "excess_percent", "mappings", "text", "differs_in"});
  for (std::size_t k = 0; k < top.classes.size(); ++k) {
    const MappingClass& c = top.classes[k];
    files::CsvRow row;
    row.add(problem.partition.graph.name).add(name(top.status));
    row.add(static_cast<std::int64_t>(k + 1)).add(name(question.goal)).add(c.value).add(c.bound);
    row.add(terminal::excess_of(c.value, top.classes[0].value));
    row.add(c.mappings ? c.mappings->to_string() : std::string());
    row.add(top.texts[k]).add(summary.classes[k].difference);
    csv += row.text();
  }
  return csv;
}

int run_top(const NetworkTopSettings& settings) {
  const TopRange range{settings.top.most(), settings.top.within};
  const Question& question = settings.question;
  const Problem problem = read_problem(settings.problem, settings.output);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  log.start("top",
            {{"architecture", problem.architecture.name},
             {"network", problem.partition.graph.name},
             {"objective", name(question.goal)}},
            settings.limits);
  output.report(
      title(style, problem, fmt::format("best replications under {}", name(question.goal))) + "\n");
  TopClasses top;
  bool interrupted = false;
  {
    Session session(settings.limits, settings.output, log);
    top = best_mappings(problem.architecture, problem.partition, question, range, session.limits());
    interrupted = session.interrupted();
  }
  terminal::TopSummary summary = summary_of(problem, question, range, top);
  summary.interrupted = interrupted;
  const std::string work = plural(static_cast<std::int64_t>(top.starts), "start") + ", " +
                           plural(static_cast<std::int64_t>(top.nodes), "node");
  terminal::report_top(output, log, style, summary, {top.nodes, work, top.seconds, top.threads},
                       settings.output.timeless, first_class_text(problem, top));
  output.json([&] {
    return top_json(problem.architecture, problem.partition, question, range, settings.limits, top);
  });
  output.csv([&] { return csv_of(problem, question, top, summary); });
  output.finish();
  log.finish();
  return terminal::exit_code(top.status);
}

OptionRows top_rows_of(NetworkTopSettings& s) {
  return rows_of({problem_rows(s.problem, /*alone=*/false),
                  {layer_row(s.problem)},
                  terminal::top_rows(s.top),
                  {ht_or_ll_row(s.question.goal), seed_row(s.question.seed, kSeedOfSearches)},
                  limit_rows(s.limits),
                  {json_row(s.output), csv_row(s.output, "a row for each class"), log_row(s.output),
                   timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command top_command() {
  return {"top",
          "List the best classes of mappings of one layer, and how many mappings are optimal",
          "With crossbar accelerators, of a whole network:\n"
          "  pimbb top --arch pimcomp --network resnet18 --objective ht --k 5\n"
          "  pimbb top --arch pimcomp --network alexnet --objective ll --within 1%",
          terminal::prepare<NetworkTopSettings>(top_rows_of, run_top)};
}

}  // namespace pimbb::crossbar::cli
