// Tables for a designer: what a little more of each figure gives, and where the mapping changes.
#include "terminal/sensitivity_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "files/csv.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/table.hpp"

namespace pimbb::terminal {
namespace {

using Rows = std::vector<std::vector<std::string>>;

bool is_continuous(const FigureSensitivity& figure) {
  return figure.kind == FigureKind::energy || figure.kind == FigureKind::time ||
         figure.kind == FigureKind::rate;
}

std::string change_to(const SensitivitySummary& summary, const std::optional<Rational>& value) {
  if (!value) return "no mapping";
  if (summary.value.sign() == 0) return number(*value);
  return signed_percent((*value - summary.value) / summary.value);
}

/// An end of an interval: bare where the mapping is beaten, in brackets where the range ends.
std::string end_text(const std::optional<StayEnd>& end) {
  if (!end) return "";
  switch (end->reason) {
    case StayEnd::Reason::range: return "(" + number(end->proven) + ")";
    case StayEnd::Reason::open: return number(end->proven) + " ?";
    default: return (end->is_exact() ? "" : "~ ") + number(end->proven);
  }
}

std::string ratio_text(const FigureSensitivity& figure, const std::optional<StayEnd>& end) {
  if (!end || figure.today.sign() == 0) return "";
  return fmt::format("x {:.3g}", (end->proven / figure.today).to_double());
}

/// Figures that no solution's value depends on, in one line.
std::string without_effect(const SensitivitySummary& summary) {
  std::string paths;
  for (const FigureSensitivity& f : summary.figures) {
    if (!f.matters) paths += (paths.empty() ? "" : ", ") + f.path;
  }
  return paths.empty() ? "" : "no effect on " + summary.goal + ": " + paths + "\n";
}

std::string continuous_table(const Style& style, const SensitivitySummary& summary) {
  Rows rows;
  for (const FigureSensitivity& f : summary.figures) {
    if (!is_continuous(f) || !f.matters) continue;
    rows.push_back({f.path, number(f.today), f.unit, signed_percent(f.elasticity / Rational(100)),
                    end_text(f.down), ratio_text(f, f.down), end_text(f.up), ratio_text(f, f.up)});
  }
  if (rows.empty()) return without_effect(summary);
  return whole_table(style,
                     {{"parameter", 0, false},
                      {"today"},
                      {"unit", 0, false, 2},
                      {"+1 % gives"},
                      {"optimal from"},
                      {"", 0, true, 3},
                      {"to"},
                      {"", 0, true, 3}},
                     rows) +
         style.faint("optimal: today's mapping. (x): looked no further. x ?: not decided beyond.") +
         "\n" + without_effect(summary);
}

/// What takes over at the ends of the intervals.
std::string beyond_lines(const Style& style, const SensitivitySummary& summary) {
  std::string text;
  for (const FigureSensitivity& f : summary.figures) {
    for (const auto& [word, end] : {std::pair{"below", &f.down}, std::pair{"above", &f.up}}) {
      if (!*end || !(*end)->next || !(*end)->beyond) continue;
      text += fmt::format("  {} {} {}: {}\n", f.path, word, number(*(*end)->beyond),
                          summary.difference(*(*end)->next));
    }
  }
  return text.empty() ? "" : style.heading("beyond") + "\n" + text;
}

std::string step_text(const SensitivitySummary& summary, const FigureSensitivity& figure,
                      const NextStep& step) {
  const std::string at = number(step.at) + " " + figure.unit;
  switch (step.reason) {
    case NextStep::Reason::step: return at + ": " + change_to(summary, step.value);
    case NextStep::Reason::none: return "none";
    default: return "? beyond " + at;
  }
}

std::string one_more_text(const SensitivitySummary& summary, const FigureSensitivity& figure) {
  const NextStep& larger = *figure.larger;
  const bool at_once =
      larger.reason == NextStep::Reason::step && Rational(larger.at) == figure.today + Rational(1);
  if (at_once) return change_to(summary, larger.value);
  return larger.reason == NextStep::Reason::open && Rational(larger.at) == figure.today ? "?" : "0";
}

std::string size_table(const Style& style, const SensitivitySummary& summary) {
  Rows rows;
  for (const FigureSensitivity& f : summary.figures) {
    if (!f.larger || !f.smaller) continue;
    rows.push_back({f.path, number(f.today) + " " + f.unit, one_more_text(summary, f),
                    step_text(summary, f, *f.larger), step_text(summary, f, *f.smaller)});
  }
  if (rows.empty()) return "";
  Style wide = style;  // names are not cut
  wide.table_width = Style::kAnyWidth;
  return whole_table(
      wide,
      {{"parameter", 0, false}, {"today"}, {"one more"}, {"next step up"}, {"next step down"}},
      rows);
}

/// The optimum, or the best value known and what nothing is below.
std::string step_value(const SizeStep& step) {
  if (!step.bound) return step.value ? number(*step.value) : "";
  return (step.value ? number(*step.value) + ", " : "") + ">= " + number(*step.bound);
}

std::string step_change(const SensitivitySummary& summary, const SizeStep& step) {
  return step.bound && !step.value ? "?" : change_to(summary, step.value);
}

/// The sizes that were tried of a figure in which the optimum is not monotone, or all of a range.
std::string steps_table(const Style& style, const SensitivitySummary& summary) {
  std::string text;
  for (const FigureSensitivity& f : summary.figures) {
    if (f.steps.empty()) continue;
    Rows rows;
    for (const SizeStep& step : f.steps) {
      rows.push_back({number(step.from), step.to == step.from ? "" : number(step.to),
                      step_value(step), step_change(summary, step),
                      step.solution ? summary.difference(*step.solution) : ""});
    }
    Style wide = style;  // the last column is text, which may be long
    wide.table_width = Style::kAnyWidth;
    text +=
        (text.empty() ? "" : "\n") + whole_table(wide,
                                                 {{f.path, 0, true},
                                                  {"to"},
                                                  {summary.goal},
                                                  {"change"},
                                                  {"differs from today's mapping in", 0, false}},
                                                 rows);
  }
  return text;
}

std::string pieces_table(const Style& style, const SensitivitySummary& summary) {
  std::string text;
  for (const FigureSensitivity& f : summary.figures) {
    if (f.pieces.empty()) continue;
    Rows rows;
    for (const RangePiece& piece : f.pieces) {
      rows.push_back({number(piece.from), number(piece.to), number(piece.value_from),
                      number(piece.value_to), piece.proven ? "yes" : "no",
                      summary.difference(piece.solution)});
    }
    Style wide = style;
    wide.table_width = Style::kAnyWidth;
    text +=
        (text.empty() ? "" : "\n") + whole_table(wide,
                                                 {{f.path},
                                                  {"to"},
                                                  {summary.goal},
                                                  {"to"},
                                                  {"proven", 0, false},
                                                  {"differs from today's mapping in", 0, false}},
                                                 rows);
  }
  return text;
}

/// Rows that all kinds of answers share.
class CsvRows {
 public:
  CsvRows(const SensitivitySummary& summary, const std::string& layer)
      : summary_(summary), layer_(layer) {
    text_ = files::csv_header({"layer", "parameter", "kind", "unit", "today", "elasticity", "what",
                               "status", "from", "to", "value", "differs_in"});
  }

  void add(const FigureSensitivity& f, std::string_view what, std::string_view status,
           const Rational& from, const Rational& to, const std::optional<Rational>& value,
           const std::optional<std::size_t>& solution) {
    files::CsvRow row;
    row.add(layer_).add(f.path).add(name(f.kind)).add(f.unit).add(f.today).add(f.elasticity);
    row.add(what).add(status).add(from).add(to);
    row.add(value ? value->to_string() : std::string());
    row.add(solution ? summary_.difference(*solution) : std::string());
    text_ += row.text();
  }

  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  const SensitivitySummary& summary_;
  const std::string& layer_;
  std::string text_;
};

std::string figure_tables(const Style& style, const SensitivitySummary& summary) {
  std::vector<std::string> parts{pieces_table(style, summary), steps_table(style, summary)};
  if (!summary.range) {
    parts = {continuous_table(style, summary), beyond_lines(style, summary),
             size_table(style, summary), steps_table(style, summary)};
  }
  std::string text;
  for (const std::string& part : parts) {
    text += (text.empty() || part.empty() ? "" : "\n") + part;
  }
  return text;
}

std::string figure_verdict(const Style& style, const SensitivitySummary& summary) {
  const auto open = std::ranges::count_if(summary.figures,
                                          [](const FigureSensitivity& f) { return !f.complete; });
  if (open == 0) {
    return style.good("complete") + (summary.range
                                         ? ": every breakpoint is exact and proven"
                                         : ": every interval and step is exact and proven");
  }
  return style.warning(summary.interrupted ? "interrupted"
                       : summary.limited   ? "limit hit"
                                           : "partial") +
         fmt::format(": {} of {} {} not decided in full", open, summary.figures.size(),
                     open == 1 ? "parameters is" : "parameters are");
}

}  // namespace

std::string sensitivity_text(const Style& style, const SensitivitySummary& summary) {
  if (summary.status == SensitivityStatus::infeasible) {
    return style.bad("infeasible: " + summary.reason) + "\n";
  }
  if (summary.today.empty()) {
    return style.warning(summary.interrupted ? "interrupted" : "limit hit") +
           ": the optimum of today is not proven, and nothing is known of the parameters\n";
  }
  return summary.today + " today\n\n" + figure_tables(style, summary) + "\n" +
         figure_verdict(style, summary) + "\n";
}

void log_sensitivity(Log& log, const SensitivitySummary& summary, const SensitivityEffort& effort) {
  if (!log.wanted()) return;
  files::Json fields = files::Json::object();
  fields["status"] = name(summary.status);
  fields["parameters"] = summary.figures.size();
  fields["solves"] = effort.solves;
  fields["nodes"] = effort.nodes;
  log.end(std::move(fields), effort.seconds, effort.threads);
}

ExitCode exit_code(SensitivityStatus status) {
  if (status == SensitivityStatus::complete) return kProven;
  return status == SensitivityStatus::infeasible ? kInfeasible : kUnproven;
}

std::string sensitivity_csv(const SensitivitySummary& summary, const std::string& layer) {
  CsvRows rows(summary, layer);
  for (const FigureSensitivity& f : summary.figures) {
    if (f.down) {
      rows.add(f, "down", name(f.down->reason), f.down->proven, f.today, std::nullopt,
               f.down->next);
    }
    if (f.up)
      rows.add(f, "up", name(f.up->reason), f.today, f.up->proven, std::nullopt, f.up->next);
    for (const auto& [what, step] : {std::pair{"smaller", &f.smaller}, {"larger", &f.larger}}) {
      if (!*step) continue;
      const NextStep& next = **step;
      rows.add(f, what, name(next.reason), next.at, next.at, next.value, next.solution);
    }
    for (const SizeStep& step : f.steps) {
      rows.add(f, "step", step.bound ? "open" : "proven", step.from, step.to, step.value,
               step.solution);
    }
    for (const RangePiece& piece : f.pieces) {
      rows.add(f, "piece", piece.proven ? "proven" : "open", piece.from, piece.to, piece.value_from,
               piece.solution);
    }
    if (!f.matters) rows.add(f, "none", "proven", f.today, f.today, std::nullopt, std::nullopt);
  }
  return std::move(rows).text();
}

}  // namespace pimbb::terminal
