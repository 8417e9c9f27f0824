// pimbb top: the best classes of mappings of one layer, and how many there are.
#include <fmt/format.h>

#include "dram_pim/cli/commands.hpp"
#include "dram_pim/cli/difference.hpp"
#include "dram_pim/cli/goal_text.hpp"
#include "dram_pim/cli/options.hpp"
#include "dram_pim/cli/report.hpp"
#include "files/csv.hpp"
#include "pimbb/dram_pim/top.hpp"
#include "pimbb/error.hpp"
#include "terminal/claim.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"
#include "terminal/table.hpp"
#include "terminal/top_options.hpp"

namespace pimbb::dram_pim::cli {
namespace {

struct LayerTopSettings {
  LayerSettings layer;
  QuestionSettings question;
  terminal::TopSettings top;
  RunLimits limits;
  OutputSettings output;
};

/// By how much a value exceeds the best one, in per cent.
Rational excess_of(const Rational& value, const Rational& best) {
  return best.sign() == 0 ? Rational(0) : (value - best) / best * Rational(100);
}

std::string table_of(const Style& style, const Architecture& architecture, const Question& question,
                     const TopClasses& top) {
  std::vector<std::vector<std::string>> rows;
  for (std::size_t k = 0; k < top.classes.size(); ++k) {
    const MappingClass& c = top.classes[k];
    const Rational excess = excess_of(c.values[0], top.classes[0].values[0]);
    std::vector<std::string> cells{number(static_cast<std::int64_t>(k + 1))};
    for (const Rational& value : c.values) cells.push_back(number(value));
    cells.push_back(terminal::excess_text(excess));
    cells.push_back(c.mappings ? number(*c.mappings) : "?");
    cells.push_back(k == 0 ? "" : difference(architecture, c.mapping, top.classes[0].mapping));
    rows.push_back(std::move(cells));
  }
  std::vector<terminal::Column> columns{{"rank"}};
  for (const Goal goal : question.objective.goals) columns.push_back({std::string(name(goal))});
  columns.push_back({"more"});
  columns.push_back({"mappings"});
  columns.push_back({"differs from the best in", 0, false});
  Style wide = style;  // the last column is text, which may be long
  wide.table_width = Style::kAnyWidth;
  return whole_table(wide, columns, rows);
}

std::string counts_of(const ClassCount& count) {
  return fmt::format("{} with {} mappings",
                     count.classes == 1
                         ? std::string("1 class")
                         : number(static_cast<std::int64_t>(count.classes)) + " classes",
                     number(count.mappings));
}

/// The claim, and the counts.
std::string claim_of(const Style& style, const Question& question, const TopRange& range,
                     const TopClasses& top, bool interrupted) {
  if (top.status == TopStatus::infeasible) return style.bad("infeasible: " + top.reason) + "\n";
  const Goal goal = question.objective.goals.front();
  std::string text;
  if (top.status == TopStatus::complete) {
    text = style.good("complete") + ": " +
           (range.within ? fmt::format("{} within {} of the optimum", counts_of(*top.within),
                                       terminal::share_text(*range.within))
                         : fmt::format("no other class costs less than the last one")) +
           "\n";
  } else {
    text = style.warning(interrupted ? "interrupted" : "limit hit") +
           fmt::format(": what is missing has {} {} or more\n", name(goal),
                       with_unit(goal, *top.bound));
  }
  if (top.optimal.classes == 0) return text;
  text += fmt::format("optimal{}: {}\n",
                      top.status == TopStatus::complete ? "" : ", as far as they were found",
                      counts_of(top.optimal));
  if (top.tied > 0) {
    text += fmt::format("tied: {} more {} as much as the last one listed\n",
                        number(static_cast<std::int64_t>(top.tied)),
                        top.tied == 1 ? "class costs" : "classes cost");
  }
  return text;
}

std::string csv_of(const Architecture& architecture, const Workload& workload,
                   const Question& question, const TopClasses& top) {
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
    row.add(excess_of(c.values[0], top.classes[0].values[0]));
    row.add(c.mappings ? c.mappings->to_string() : std::string());
    row.add(top.texts[k]);
    row.add(k == 0 ? "" : difference(architecture, c.mapping, top.classes[0].mapping));
    csv += row.text();
  }
  return csv;
}

int exit_code_of(TopStatus status) {
  if (status == TopStatus::complete) return terminal::kProven;
  return status == TopStatus::infeasible ? terminal::kInfeasible : terminal::kUnproven;
}

void log_end(Log& log, const TopClasses& top) {
  if (!log.wanted()) return;
  files::Json fields = files::Json::object();
  fields["status"] = name(top.status);
  fields["classes"] = top.classes.size();
  fields["nodes"] = top.nodes;
  log.end(std::move(fields), top.seconds, top.threads);
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
  log_end(log, top);
  if (!top.classes.empty()) {
    output.report(table_of(style, architecture, question, top) + "\n");
  }
  output.report(claim_of(style, question, range, top, interrupted));
  std::string work = terminal::plural(static_cast<std::int64_t>(top.nodes), "node");
  if (!settings.output.timeless) {
    work += fmt::format(", {}, {}", duration(top.seconds), terminal::plural(top.threads, "thread"));
  }
  output.report(style.faint(work) + "\n");
  output.json(
      [&] { return top_json(architecture, workload, question, range, settings.limits, top); });
  output.csv([&] { return csv_of(architecture, workload, question, top); });
  output.finish();
  log.finish();
  return exit_code_of(top.status);
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
