// Two tables: what contradicts, and what alone would be enough.
#include "terminal/explanation_report.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "files/csv.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/table.hpp"

namespace pimbb::terminal {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string amount(const ProblemConstraint& constraint, const std::optional<Rational>& value) {
  return value ? number(*value) + " " + constraint.unit : "";
}

std::string today_of(const ProblemConstraint& constraint) {
  return amount(constraint, constraint.today);
}

std::string need_text(const ConflictPart& part) {
  if (!part.need) return "";
  switch (part.need->reason) {
    case LeastChange::Reason::enough: return amount(part.constraint, part.need->value);
    case LeastChange::Reason::none: return "no number is enough";
    default: return part.need->value ? "at most " + amount(part.constraint, part.need->value) : "?";
  }
}

std::string change_text(const Repair& repair) {
  const LeastChange& change = repair.change;
  switch (change.reason) {
    case LeastChange::Reason::enough:
      return change.value ? amount(repair.constraint, change.value) : "without it";
    case LeastChange::Reason::none: return "does not help alone";
    default:
      if (change.value) return "at most " + amount(repair.constraint, change.value);
      if (change.not_enough) return "? beyond " + amount(repair.constraint, change.not_enough);
      return "?";
  }
}

/// "+9.4 %"; empty where nothing is to be divided by.
std::string percent_text(const Repair& repair) {
  const std::optional<Rational>& today = repair.constraint.today;
  if (!today || !repair.change.value || today->sign() == 0) return "";
  return signed_percent((*repair.change.value - *today) / *today);
}

std::string conflict_table(const Style& style, const Conflict& conflict) {
  Rows rows;
  for (const ConflictPart& part : conflict.parts) {
    rows.push_back({part.constraint.words, today_of(part.constraint), need_text(part)});
  }
  Style wide = style;  // words are not cut
  wide.table_width = Style::kAnyWidth;
  return whole_table(wide, {{"constraint", 0, false}, {"today"}, {"beside the others"}}, rows);
}

std::string repair_table(const Style& style, const Conflict& conflict) {
  Rows rows;
  for (const Repair& repair : conflict.repairs) {
    const ProblemConstraint& constraint = repair.constraint;
    rows.push_back({constraint.parameter.empty() ? constraint.words : constraint.parameter,
                    today_of(constraint), change_text(repair), percent_text(repair)});
  }
  Style wide = style;
  wide.table_width = Style::kAnyWidth;
  return whole_table(wide, {{"change alone", 0, false}, {"today"}, {"enough"}, {"change"}}, rows);
}

/// "levels.GlobalBuffer.entries 128 -> 140 B is enough".
std::string best_repair(const Conflict& conflict) {
  if (conflict.repairs.empty()) return "";
  const Repair& best = conflict.repairs.front();
  if (best.change.reason != LeastChange::Reason::enough) return "";
  if (!best.change.value) return "enough is to drop '" + best.constraint.words + "'";
  return fmt::format("{} {} -> {} is enough", best.constraint.parameter,
                     number(*best.constraint.today), amount(best.constraint, best.change.value));
}

}  // namespace

std::string explanation_tables(const Style& style, const Conflict& conflict) {
  if (conflict.parts.empty()) return "";
  return conflict_table(style, conflict) + "\n" + repair_table(style, conflict);
}

std::string explanation_verdict(const Style& style, ExplanationStatus status,
                                const Conflict& conflict, std::string_view stopped) {
  if (status == ExplanationStatus::feasible) {
    return style.good("feasible") + ": a mapping satisfies every constraint";
  }
  if (conflict.parts.empty()) {
    return style.warning(std::string(stopped)) + ": it is not decided whether a mapping exists";
  }
  const auto parts = static_cast<std::int64_t>(conflict.parts.size());
  std::string text = style.bad("infeasible, proven") + ": ";
  text += parts == 1 ? "one constraint that no mapping satisfies"
                     : number(parts) + " constraints that no mapping satisfies together";
  if (conflict.minimal && parts > 1) {
    text += parts == 2 ? ", but each of them alone" : ", but any " + number(parts - 1) + " of them";
  }
  if (status == ExplanationStatus::partial) {
    text += "; " + style.warning(std::string(stopped)) + ", not all is decided";
  }
  const std::string best = best_repair(conflict);
  return best.empty() ? text : text + "\n" + style.good(best);
}

void log_explanation(Log& log, ExplanationStatus status, std::uint64_t solves, std::uint64_t nodes,
                     double seconds, int threads) {
  if (!log.wanted()) return;
  files::Json fields = files::Json::object();
  fields["status"] = name(status);
  fields["solves"] = solves;
  fields["nodes"] = nodes;
  log.end(std::move(fields), seconds, threads);
}

std::string explanation_csv(const Conflict& conflict, const std::string& layer) {
  std::string text = files::csv_header({"layer", "kind", "words", "parameter", "unit", "today",
                                        "need_status", "need", "repair_status", "repair"});
  const auto add_change = [](files::CsvRow& row, const std::optional<LeastChange>& change) {
    row.add(change ? name(change->reason) : "");
    row.add(change && change->value ? change->value->to_string() : std::string());
  };
  for (const ConflictPart& part : conflict.parts) {
    const ProblemConstraint& constraint = part.constraint;
    files::CsvRow row;
    row.add(layer).add(name(constraint.kind)).add(constraint.words).add(constraint.parameter);
    row.add(constraint.unit);
    row.add(constraint.today ? constraint.today->to_string() : std::string());
    add_change(row, part.need);
    const auto repair = std::ranges::find(conflict.repairs, part.number, &Repair::number);
    add_change(row, repair->change);
    text += row.text();
  }
  return text;
}

}  // namespace pimbb::terminal
