// Numbers are rounded for reading; documents have them exactly.
#include "terminal/top_report.hpp"

#include <fmt/format.h>

#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/table.hpp"
#include "terminal/top_options.hpp"

namespace pimbb::terminal {
namespace {

std::string classes_of(const ClassTotal& total) {
  return fmt::format("{}{} {}", total.all ? "" : "at least ",
                     number(static_cast<std::int64_t>(total.classes)),
                     total.classes == 1 ? "class" : "classes");
}

/// `where`: begins with a space, or is empty.
std::string counts_of(const ClassTotal& total, const std::string& where = {}) {
  const std::string text = classes_of(total);
  if (!total.mappings) return text + where + ", mappings not counted";
  return fmt::format("{} with {} mappings{}", text, number(*total.mappings), where);
}

/// A row for each class.
std::string top_table(const Style& style, const TopSummary& summary) {
  std::vector<std::vector<std::string>> rows;
  for (const ListedClass& c : summary.classes) {
    std::vector<std::string> cells{number(static_cast<std::int64_t>(rows.size() + 1))};
    for (const Rational& value : c.values) cells.push_back(number(value));
    cells.push_back(excess_text(excess_of(c.values[0], summary.classes[0].values[0])));
    cells.push_back(c.mappings ? number(*c.mappings) : "not counted");
    cells.push_back(c.difference);
    rows.push_back(std::move(cells));
  }
  std::vector<Column> columns{{"rank"}};
  for (const std::string& goal : summary.goals) columns.push_back({goal});
  columns.push_back({"more"});
  columns.push_back({"mappings"});
  columns.push_back({"differs from the best in", 0, false});
  Style wide = style;  // the last column is text, which may be long
  wide.table_width = Style::kAnyWidth;
  return whole_table(wide, columns, rows);
}

/// The claim, and the counts, each line with its end.
std::string top_claim(const Style& style, const TopSummary& summary) {
  if (summary.status == TopStatus::infeasible) {
    return style.bad("infeasible: " + summary.reason) + "\n";
  }
  const bool complete = summary.status == TopStatus::complete;
  std::string text;
  if (complete) {
    text = style.good("complete") + ": " +
           (summary.share ? counts_of(*summary.within, fmt::format(" within {} of the optimum",
                                                                   share_text(*summary.share)))
                          : fmt::format("no other class costs less than the last one")) +
           "\n";
  } else {
    text =
        style.warning(summary.interrupted ? "interrupted" : "limit hit") +
        fmt::format(": what is missing has {} {} or more\n", summary.goals.front(), summary.bound);
  }
  if (!summary.optimal || summary.optimal->classes == 0) return text;
  text += fmt::format("optimal{}: {}\n", complete ? "" : ", as far as they were found",
                      counts_of(*summary.optimal));
  if (summary.tied.classes > 0) {
    text += fmt::format("tied: {}{} more {} as much as the last one listed\n",
                        summary.tied.all ? "" : "at least ",
                        number(static_cast<std::int64_t>(summary.tied.classes)),
                        summary.tied.classes == 1 ? "class costs" : "classes cost");
  } else if (complete && !summary.tied.all) {
    text += "tied: not counted\n";
  }
  return text;
}

void log_top(Log& log, const TopSummary& summary, const TopEffort& effort) {
  if (!log.wanted()) return;
  files::Json fields = files::Json::object();
  fields["status"] = name(summary.status);
  fields["classes"] = summary.classes.size();
  fields["nodes"] = effort.nodes;
  log.end(std::move(fields), effort.seconds, effort.threads);
}

}  // namespace

Rational excess_of(const Rational& value, const Rational& best) {
  return best.sign() == 0 ? Rational(0) : (value - best) / best * Rational(100);
}

void report_top(Output& output, Log& log, const Style& style, const TopSummary& summary,
                const TopEffort& effort, bool timeless, const std::string& below_table) {
  log_top(log, summary, effort);
  if (!summary.classes.empty()) output.report(top_table(style, summary) + "\n" + below_table);
  output.report(top_claim(style, summary));
  output.report(style.faint(effort_text(effort.work, effort.seconds, effort.threads, timeless)) +
                "\n");
}

ExitCode exit_code(TopStatus status) {
  if (status == TopStatus::complete) return kProven;
  return status == TopStatus::infeasible ? kInfeasible : kUnproven;
}

}  // namespace pimbb::terminal
