// Tables with a column each for the given mapping, the best, and what lies between them.
#include "dram_pim/cli/audit_report.hpp"

#include <fmt/format.h>

#include "dram_pim/cli/audit_terms.hpp"
#include "dram_pim/cli/breakdown.hpp"
#include "dram_pim/cli/dataflow_report.hpp"
#include "dram_pim/cli/goal_text.hpp"
#include "dram_pim/cli/loop_nest.hpp"
#include "dram_pim/cli/report.hpp"
#include "pimbb/dram_pim/dataflow.hpp"
#include "pimbb/dram_pim/padded.hpp"
#include "terminal/format.hpp"
#include "terminal/table.hpp"

namespace pimbb::dram_pim::cli {
namespace {

using Cells = std::vector<std::string>;
using Figure = std::string (*)(const Rational&);

std::string heading(const Style& style, std::string_view text, const std::string& aside) {
  return "\n" + style.heading(text) + "  " + style.faint(aside) + "\n";
}

std::string signed_number(const Rational& value) {
  return (value.sign() > 0 ? "+" : "") + number(value);
}

/// Never "1" for what is not exactly one.
std::string times(const std::optional<Rational>& ratio) {
  if (!ratio) return "-";
  std::string text = number(*ratio);
  if (text == "1" && *ratio != 1) text = *ratio > 1 ? "just above 1" : "just below 1";
  return text;
}

std::string marked(const std::string& figure, bool mark) { return figure + (mark ? " *" : "  "); }

Cells term_row(const ComparedTerm& term, Figure figure, bool shares) {
  Cells cells{(term.part ? "    " : "  ") + term.name, marked(figure(term.given), term.given_binds),
              term.best ? marked(figure(*term.best), term.best_binds) : "-  "};
  if (!shares) cells.push_back(term.best ? signed_number(term.given - *term.best) : "-");
  return cells;
}

std::string term_table(const Style& style, const Audit& audit, std::string_view header,
                       const std::vector<ComparedTerm>& terms, Figure figure, bool shares) {
  std::vector<Cells> rows;
  for (const ComparedTerm& term : terms) rows.push_back(term_row(term, figure, shares));
  std::vector<Column> columns{
      {"  " + std::string(header), 0, false}, {"given  "}, {std::string(other(audit)) + "  "}};
  if (!shares) columns.push_back({"difference"});
  return whole_table(style, columns, rows);
}

std::string nests(const Style& style, const GivenMapping& given, const Audit& audit) {
  const auto part = [&](std::string_view whose, const Workload& mapped, const Mapping& mapping) {
    const Dataflow dataflow = analyse_dataflow(given.architecture, mapped, mapping);
    return heading(style, whose, "level, what it stores, its loops") +
           draw_loop_nest(style, given.architecture, mapping) +
           "  dataflow: " + printable(describe(given.architecture, dataflow)) + "\n" +
           padded_line(given.layer, mapped.bounds);
  };
  std::string text = part("The given mapping", given.workload, given.mapping);
  if (!audit.solution.mapping) return text;
  return text + part(fmt::format("The {} mapping", other(audit)),
                     mapped_layer(given.layer, audit.solution), *audit.solution.mapping);
}

std::string bound_by(const Architecture& architecture, const Audit& audit) {
  const auto names = [&](const Metrics& metrics) {
    return fmt::format("{}", fmt::join(bottlenecks(architecture, metrics), " and "));
  };
  std::string text = "* what binds: the given mapping is bound by " + names(audit.metrics);
  if (audit.solution.metrics) {
    text += fmt::format(", the {} one by {}", other(audit), names(*audit.solution.metrics));
  }
  return text;
}

std::string activations(const Style& style, const GivenMapping& given, const Audit& audit,
                        const std::vector<ComparedTerm>& terms) {
  std::vector<Cells> rows;
  for (const Tensor t : kAllTensors) {
    Cells cells = term_row(terms[index(t)], number, false);
    cells.push_back(layout(given.architecture, given.mapping, t));
    if (audit.solution.mapping)
      cells.push_back(layout(given.architecture, *audit.solution.mapping, t));
    rows.push_back(std::move(cells));
  }
  return whole_table(style,
                     {{"  tensor", 0, false},
                      {"given  "},
                      {std::string(other(audit)) + "  "},
                      {"difference"},
                      {"given layout", 0, false, 1},
                      {fmt::format("{} layout", other(audit)), 0, false, 1}},
                     rows);
}

/// The goal that decides, or the first.
const GoalDistance& deciding(const Distance& distance) {
  return distance.goals[distance.decided_by.value_or(0)];
}

std::string goal_name(const GoalDistance& g) { return std::string(name(g.goal)); }

/// "latency is optimal; energy 5 nJ": the goals before the one that decides, then that one.
std::string subject(const Distance& distance) {
  std::string text;
  for (std::size_t k = 0; k < distance.decided_by.value_or(0); ++k) {
    text += goal_name(distance.goals[k]) + " is optimal; ";
  }
  const GoalDistance& g = deciding(distance);
  return text + goal_name(g) + " " + with_unit(g.goal, g.value);
}

}  // namespace

std::string_view other(const Distance& distance) { return distance.complete ? "best" : "found"; }

std::string audit_report(const Style& style, const GivenMapping& given, const Audit& audit) {
  const Comparison terms = compare(given, audit);
  return nests(style, given, audit) +
         heading(style, "Where the cycles go", bound_by(given.architecture, audit)) +
         term_table(style, audit, "cycles", terms.cycles, number, false) +
         heading(style, "Where the energy goes", "nJ") +
         term_table(style, audit, "nJ", terms.energy, number, false) +
         heading(style, "Row activations", given.layouts) +
         activations(style, given, audit, terms.activations) +
         heading(style, "Utilization", "of the PEs, of each buffer, of each bandwidth") +
         term_table(style, audit, "part", terms.utilization, percent, true);
}

std::string goal_table(const Style& style, const Distance& distance) {
  const bool proven = distance.complete;
  std::vector<Cells> rows;
  for (std::size_t k = 0; k < distance.goals.size(); ++k) {
    const GoalDistance& g = distance.goals[k];
    const bool later = distance.decided_by && k > *distance.decided_by;
    Cells cells{"  " + goal_name(g), with_unit(g.goal, g.value),
                g.best ? with_unit(g.goal, *g.best) : "-"};
    if (!proven) cells.push_back(number(g.bound));
    cells.push_back(later ? "" : times(g.ratio()));
    cells.push_back(later ? "" : percent(g.gap()));
    rows.push_back(std::move(cells));
  }
  std::vector<Column> columns{{"  goal", 0, false}, {"given"}, {std::string(other(distance))}};
  if (!proven) columns.push_back({"bound"});
  columns.push_back({proven ? "x optimum" : "x bound"});
  columns.push_back({"gap"});
  return "\n" + style.heading("Distance") + "\n" + whole_table(style, columns, rows);
}

std::string audit_verdict(const Style& style, const Distance& distance, bool interrupted) {
  const GoalDistance& g = deciding(distance);
  if (distance.standing == Standing::optimal) {
    return style.good("optimal, proven") + ": no mapping is better in " + subject(distance);
  }
  if (distance.certified()) {
    return style.bad("not optimal, proven") + fmt::format(": {} is {} x the optimum, {} ({})",
                                                          subject(distance), times(g.ratio()),
                                                          with_unit(g.goal, g.bound), gap(g.gap()));
  }
  const std::string cut = interrupted ? "interrupted" : "limit hit";
  const std::string most = fmt::format("at most {} x the optimum (bound {}, {})", times(g.ratio()),
                                       number(g.bound), gap(g.gap()));
  if (distance.standing == Standing::not_optimal) {
    return style.bad("not optimal") + ", " + style.warning(cut) +
           fmt::format(": {} is {}", subject(distance), most);
  }
  return style.warning(cut) +
         fmt::format(": {} is {}; nothing better found so far", subject(distance), most);
}

}  // namespace pimbb::dram_pim::cli
