// pimbb top: the best classes of mappings of one layer, and how many there are.
#include "pimbb/dram_pim/top.hpp"
#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/difference.hpp"
#include "dram_pim/cli/goal_text.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/report.hpp"
#include "files/csv.hpp"
#include "pimbb/error.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"
#include "terminal/top_options.hpp"
#include "terminal/top_report.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct LayerTopSettings {
  LayerSettings layer;
  QuestionSettings question;
  terminal::TopSettings top;
  RunLimits limits;
  OutputSettings output;
};

terminal::TopSummary summary_of(const Architecture& architecture, const Question& question,
                                const TopRange& range, const TopClasses& top) {
  terminal::TopSummary summary;
  summary.status = top.status;
  summary.reason = top.reason;
  for (const Goal goal : question.objective.goals) summary.goals.emplace_back(name(goal));
  if (top.bound) summary.bound = with_unit(question.objective.goals.front(), *top.bound);
  for (const MappingClass& c : top.classes) {
    const bool is_first = summary.classes.empty();
    summary.classes.push_back(
        {c.values, c.mappings,
         is_first ? "" : difference(architecture, c.mapping, top.classes[0].mapping)});
  }
  summary.share = range.within;
  if (top.within) summary.within = total_of(*top.within);
  summary.optimal = total_of(top.optimal);
  summary.tied.classes = top.tied;
  return summary;
}

std::string csv_of(const Workload& workload, const Question& question, const TopClasses& top,
                   const terminal::TopSummary& summary) {
  std::vector<std::string> names{"layer", "status", "rank"};
  for (const char* cost : {"latency", "energy", "edp", "activations"}) names.emplace_back(cost);
  for (const char* column :
       {"objective", "value", "excess_percent", "mappings", "text", "differs_in"}) {
    names.emplace_back(column);
  }
  std::string csv = files::csv_header(names);
  for (std::size_t k = 0; k < top.classes.size(); ++k) {
    const MappingClass& c = top.classes[k];
    files::CsvRow row;
    row.add(workload.name).add(name(top.status)).add(static_cast<std::int64_t>(k + 1));
    row.add(c.metrics.latency).add(c.metrics.energy).add(c.metrics.edp());
    row.add(c.metrics.activations()).add(question.objective.to_string()).add(c.values[0]);
    row.add(terminal::excess_of(c.values[0], top.classes[0].values[0]));
    row.add(c.mappings ? c.mappings->to_string() : std::string());
    row.add(top.texts[k]).add(summary.classes[k].difference);
    csv += row.text();
  }
  return csv;
}

int run(const LayerTopSettings& settings) {
  if (settings.layer.layer.empty()) ask_for_layer();
  Question question = question_of(settings.question);
  const TopRange range{settings.top.most(), settings.top.within};
  const Architecture architecture = read_machine(settings.layer, settings.output);
  add_constraints(question, settings.question, architecture);
  const Workload workload = read_layer(settings.layer);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  log.start("top",
            {{"architecture", architecture.name},
             {"layer", workload.name},
             {"objective", settings.question.objective.to_string()},
             {"row_model", row_model_name(settings.question.row_model)}},
            settings.limits);
  output.report(title(style, architecture, workload, task(question, workload)) + "\n");
  TopClasses top;
  bool interrupted = false;
  {
    Session session(settings.limits, settings.output, log);
    top = best_mappings(architecture, workload, question, range, session.limits());
    interrupted = session.interrupted();
  }
  terminal::TopSummary summary = summary_of(architecture, question, range, top);
  summary.interrupted = interrupted;
  const std::string work = terminal::plural(static_cast<std::int64_t>(top.nodes), "node");
  terminal::report_top(output, log, style, summary, {top.nodes, work, top.seconds, top.threads},
                       settings.output.timeless);
  output.json(
      [&] { return top_json(architecture, workload, question, range, settings.limits, top); });
  output.csv([&] { return csv_of(workload, question, top, summary); });
  output.finish();
  log.finish();
  return terminal::exit_code(top.status);
}

OptionRows rows(LayerTopSettings& s) {
  return rows_of({layer_rows(s.layer),
                  terminal::top_rows(s.top),
                  objective_rows(s.question),
                  {at_most_row(s.question), constraints_row(s.question)},
                  {row_model_row(s.question.row_model)},
                  limit_rows(s.limits),
                  {json_row(s.output), csv_row(s.output, "a row for each class"), log_row(s.output),
                   timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command top_command() {
  return {"top",
          "List the best classes of mappings of one layer, and how many mappings are optimal",
          "Examples:\n"
          "  pimbb top --layer resnet18:conv2_x --objective edp\n"
          "  pimbb top --layer resnet18:conv2_x --objective edp --k 100 --csv best.csv\n"
          "  pimbb top --layer resnet18:conv2_x --within 1% --most 50 --json near.json",
          terminal::prepare<LayerTopSettings>(rows, run)};
}

}  // namespace pimbb::dram_pim::cli
