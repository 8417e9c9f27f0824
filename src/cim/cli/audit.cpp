// pimbb audit: a given mapping against the best there is.
#include <fmt/format.h>

#include <algorithm>

#include "cim/cli/breakdown.hpp"
#include "cim/cli/certificate.hpp"
#include "cim/cli/commands.hpp"
#include "cim/cli/comparison.hpp"
#include "cim/cli/given_mapping.hpp"
#include "cim/cli/report.hpp"
#include "cim/cli/verdict.hpp"
#include "cim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "terminal/certificate.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"
#include "terminal/table.hpp"

namespace pimbb::cim::cli {
namespace {

struct AuditSettings {
  MappingSettings mapping;
  QuestionSettings question;
  RunLimits limits;
  OutputSettings output;
};

struct Audited {
  Question question;
  Metrics metrics;  ///< of the given mapping
  Solution best;
  bool interrupted = false;

  [[nodiscard]] Rational given(Goal goal) const {
    return question.objective.value(goal, metrics.latency, metrics.energy);
  }
  /// The first goal whose bound the given mapping misses; none if it is optimal.
  [[nodiscard]] std::optional<std::size_t> decided_by() const {
    for (std::size_t g = 0; g < best.goals.size(); ++g) {
      if (given(best.goals[g].goal) != best.goals[g].bound) return g;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool is_optimal() const { return !best.goals.empty() && !decided_by(); }
  [[nodiscard]] bool certified() const { return best.status == Status::optimal || is_optimal(); }
};

Audited search(const AuditSettings& settings, const Question& question, const GivenMapping& given,
               Log& log) {
  log.start("audit",
            {{"architecture", given.architecture.name},
             {"layer", given.workload.name},
             {"mapping", settings.mapping.mapping},
             {"objective", question.objective.to_string()},
             {"semantics", name(question.pricing.semantics)}},
            settings.limits);
  Session session(settings.limits, settings.output, log);
  Audited found{question,
                evaluate(given.architecture, given.workload, given.mapping, question.pricing),
                solve(given.architecture, given.workload, question, session.limits()), false};
  found.interrupted = session.interrupted();
  return found;
}

std::string goal_table(const Style& style, const Audited& audited) {
  std::vector<std::vector<std::string>> rows;
  for (const GoalResult& goal : audited.best.goals) {
    const Rational given = audited.given(goal.goal);
    rows.push_back({"  " + std::string(name(goal.goal)), number(given),
                    audited.best.mapping ? number(goal.value) : "-", number(goal.bound),
                    fmt::format("{:.4f}", ratio_of(given, goal.bound).to_double())});
  }
  return section(style, "Goals", "") +
         whole_table(style,
                     {{"  goal", 0, false}, {"given"}, {"best"}, {"bound"}, {"given / bound"}},
                     rows);
}

std::string audit_verdict(const Style& style, const Audited& audited) {
  if (audited.best.goals.empty()) return style.warning("not audited") + ": no bound so far";
  const auto decided = audited.decided_by();
  if (!decided) {
    return style.good("optimal, proven") + ": no mapping is better in " +
           audited.question.objective.to_string();
  }
  const GoalResult& goal = audited.best.goals[*decided];
  const Rational given = audited.given(goal.goal);
  const std::string distance = fmt::format("{:.4f} x", ratio_of(given, goal.bound).to_double());
  if (audited.certified()) {
    return style.bad("not optimal, proven") + fmt::format(": {} is {} the optimum, {}",
                                                          name(goal.goal), distance,
                                                          with_unit(goal.goal, goal.bound));
  }
  return style.warning(audited.interrupted ? "interrupted" : "not proven") +
         fmt::format(": {} is at most {} the optimum (bound {})", name(goal.goal), distance,
                     number(goal.bound));
}

std::string report(const Style& style, const GivenMapping& given, const Audited& audited) {
  std::string text;
  if (audited.best.metrics) {
    const Architecture& a = given.architecture;
    text = compared(style, "Cycles of the macros and of each port", "",
                    cycle_terms(a, audited.metrics), cycle_terms(a, *audited.best.metrics)) +
           compared(style, "Energy, nJ", "", energy_terms(a, audited.metrics),
                    energy_terms(a, *audited.best.metrics));
  }
  return text + goal_table(style, audited) + "\n" + audit_verdict(style, audited) + "\n";
}

files::Json goals_json(const Audited& audited) {
  files::Json list = files::Json::array();
  for (const GoalResult& goal : audited.best.goals) {
    const Rational given = audited.given(goal.goal);
    files::Json json =
        io::goal_json(audited.question.objective, goal, audited.best.mapping.has_value());
    json["given"] = given.to_double();
    json["ratio"] = ratio_of(given, goal.bound).to_double();
    json["exact"]["given"] = given.to_string();
    list.push_back(std::move(json));
  }
  return list;
}

files::Json part_json(const Architecture& a, const Mapping& mapping, const Metrics& metrics) {
  files::Json json = files::Json::object();
  json["mapping"] = io::mapping_json(a, mapping);
  json["metrics"] = io::metrics_json(a, metrics);
  return json;
}

std::string document(const GivenMapping& given, const Audited& audited, const RunLimits& limits) {
  const Solution& best = audited.best;
  files::Json json = files::Json::object();
  json["format"] = "pimbb-cim-audit/1";
  json["layer"] = given.workload.name;
  json["objective"] = audited.question.objective.to_string();
  io::add_question(json, audited.question);
  json["standing"] = audited.is_optimal()  ? "optimal"
                     : audited.certified() ? "not_optimal"
                                           : "unknown";
  json["certified"] = audited.certified();
  json["goals"] = goals_json(audited);
  json["given"] = part_json(given.architecture, given.mapping, audited.metrics);
  if (best.metrics) json["best"] = part_json(given.architecture, *best.mapping, *best.metrics);
  io::add_warnings(json, given.architecture);
  json["workload"] = layers::workload_json(given.workload);
  json["architecture"] = io::architecture_json(given.architecture);
  json["stats"] = io::stats_json(best, best.seconds, best.threads, limits.timeless);
  return files::to_text(json);
}

int run(const AuditSettings& settings) {
  const Question question = question_of(settings.question);
  check_proof(settings.output, kMethodNames[0], /*proven=*/true, kMethodNames[0]);
  const GivenMapping given =
      read_given_mapping(settings.mapping, question.pricing.padding, settings.output);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  output.report(title(style, given.architecture, given.workload,
                      fmt::format("the mapping of {} against the best: {}",
                                  printable(settings.mapping.mapping), task(question))));
  const Audited audited = search(settings, question, given, log);
  log_solution(log, "end", audited.best);
  output.report(report(style, given, audited) +
                style.faint(effort(audited.best, settings.output.timeless)) + "\n");
  output.report(write_certificate(settings.output.proof, given.architecture, given.workload,
                                  question, settings.limits, audited.best));
  output.json([&] { return document(given, audited, settings.limits); });
  output.finish();
  log.finish();
  return audited.certified() ? kProven : kUnproven;
}

OptionRows rows(AuditSettings& s) {
  return rows_of({mapping_rows(s.mapping),
                  objective_rows(s.question),
                  pricing_rows(s.question.question.pricing),
                  limit_rows(s.limits),
                  {json_row(s.output), proof_row(s.output), log_row(s.output),
                   timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command audit_command() {
  return {"audit", "How far a given mapping is from the best, term by term, with a proof",
          "With SRAM compute-in-memory:\n"
          "  pimbb map --arch miredo_default --layer resnet18:conv2_x --method ws --json ws.json\n"
          "  pimbb audit --arch miredo_default --layer resnet18:conv2_x --mapping ws.json "
          "--proof best.proof",
          terminal::prepare<AuditSettings>(rows, run)};
}

}  // namespace pimbb::cim::cli
