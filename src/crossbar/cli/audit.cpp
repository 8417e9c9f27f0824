// pimbb audit: a given mapping of a network against the best there is.
#include <fmt/format.h>

#include <algorithm>

#include "crossbar/cli/answer.hpp"
#include "crossbar/cli/certificate.hpp"
#include "crossbar/cli/commands.hpp"
#include "crossbar/cli/report.hpp"
#include "terminal/bars.hpp"
#include "terminal/certificate.hpp"
#include "terminal/exit_code.hpp"
#include "terminal/format.hpp"
#include "terminal/limit_options.hpp"
#include "terminal/option_values.hpp"
#include "terminal/output.hpp"
#include "terminal/session.hpp"
#include "terminal/table.hpp"

namespace pimbb::crossbar::cli {
namespace {

struct AuditSettings {
  ProblemSettings problem;
  std::string mapping;
  Goal goal = Goal::ht;
  RunLimits limits;
  OutputSettings output;

  [[nodiscard]] Asked asked() const {
    Asked asked;
    asked.objective = goal == Goal::ll ? Estimate::ll : Estimate::ht;
    return asked;
  }
};

struct Audited {
  Asked asked;
  Mapping mapping;  ///< the given one
  Metrics metrics;  ///< of the given mapping
  Answer best;
  std::string proof;  ///< a line for the report

  [[nodiscard]] Rational given(Estimate estimate) const {
    return value(metrics, estimate, asked.schedule());
  }
  [[nodiscard]] Rational given() const { return given(asked.objective); }
  [[nodiscard]] bool has_bound() const { return best.bound.sign() > 0; }
  [[nodiscard]] bool is_optimal() const { return given() == best.bound; }
  [[nodiscard]] bool certified() const {
    return has_bound() && (best.status == Status::optimal || is_optimal());
  }
  [[nodiscard]] const char* standing() const {
    if (!certified()) return "unknown";
    return is_optimal() ? "optimal" : "not_optimal";
  }
};

Audited search(const AuditSettings& settings, const Problem& problem, const Mapping& mapping,
               Log& log) {
  log.start("audit",
            {{"architecture", problem.architecture.name},
             {"network", problem.partition.graph.name},
             {"mapping", settings.mapping},
             {"objective", name(settings.goal)}},
            settings.limits);
  Session session(settings.limits, settings.output, log);
  Audited found;
  found.asked = settings.asked();
  found.mapping = mapping;
  found.metrics = evaluate(problem.architecture, problem.partition, mapping);
  found.best = answer(problem, found.asked, session.limits());
  found.best.interrupted = session.interrupted();
  session.progress().begin("proving");
  found.proof = write_certificate(settings.output.proof, problem, {settings.goal, found.asked.seed},
                                  session.limits(), *found.best.best);
  return found;
}

/// The goal of the solver whose bound holds for the estimate; nothing if there is none.
std::optional<Goal> bounding_goal(const Architecture& a, Estimate estimate) {
  switch (estimate) {
    case Estimate::ht:
    case Estimate::ht_roof: return Goal::ht;
    case Estimate::ht_code:
      return a.mvm.time >= a.mvm.interval ? std::optional(Goal::ht) : std::nullopt;
    case Estimate::ll:
    case Estimate::ll_paper: return Goal::ll;
    default: return std::nullopt;
  }
}

/// The estimates that the goal's bound holds for, the goal first.
std::vector<Estimate> bounded(const Architecture& a, Goal goal) {
  std::vector<Estimate> all;
  for (std::size_t e = 0; e < kEstimateNames.size(); ++e) {
    const auto estimate = static_cast<Estimate>(e);
    if (bounding_goal(a, estimate) == goal) all.push_back(estimate);
  }
  return all;
}

std::string times_bound(const Rational& given, const Rational& bound) {
  return bound.sign() == 0 ? "-" : fmt::format("{:.4f}", (given / bound).to_double());
}

std::vector<Term> array_terms(const Problem& problem, const Mapping& mapping) {
  const Partition& p = problem.partition;
  std::vector<Term> terms;
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    terms.push_back({printable(p.node(p.arrays[v]).name), Rational(mapping.replication[v])});
  }
  return terms;
}

std::vector<Term> energy_terms(const Metrics& metrics, Mode mode) {
  const Energy& energy = metrics.energy_of(mode);
  return {{"static", energy.standing}, {"dynamic", energy.dynamic}};
}

std::string comparisons(const Style& style, const Problem& problem, const Audited& audited) {
  const Mode mode = audited.asked.schedule();
  const Metrics& given = audited.metrics;
  const Metrics& best = *audited.best.metrics;
  const std::string busy = mode == Mode::ll ? "ns; busy times of all chips" : "ns";
  return compared(style, "Replicas", "", array_terms(problem, audited.mapping),
                  array_terms(problem, *audited.best.mapping)) +
         compared(style, "Times", busy, time_terms(given, mode), time_terms(best, mode)) +
         compared(style, "Energy", "pJ", energy_terms(given, mode), energy_terms(best, mode));
}

/// All estimates that the bound holds for.
std::string distance_table(const Style& style, const Problem& problem, Goal goal,
                           const Audited& audited) {
  std::vector<std::vector<std::string>> rows;
  for (const Estimate estimate : bounded(problem.architecture, goal)) {
    const Rational given = audited.given(estimate);
    const auto& best = audited.best.metrics;
    rows.push_back({"  " + std::string(name(estimate)), number(given),
                    best ? number(value(*best, estimate, audited.asked.schedule())) : "-",
                    number(audited.best.bound), times_bound(given, audited.best.bound)});
  }
  return section(style, "Distance", "ns") +
         whole_table(style,
                     {{"  estimate", 0, false}, {"given"}, {"best"}, {"bound"}, {"given / bound"}},
                     rows);
}

std::string audit_verdict(const Style& style, const Audited& audited) {
  if (!audited.has_bound()) return style.warning("not audited") + ": no bound so far";
  const std::string goal(name(audited.asked.objective));
  if (audited.is_optimal()) {
    return style.good("optimal, proven") + ": no mapping is better in " + goal;
  }
  const Rational& bound = audited.best.bound;
  const std::string distance = times_bound(audited.given(), bound) + " x";
  if (audited.certified()) {
    return style.bad("not optimal, proven") +
           fmt::format(": {} is {} the optimum, {}", goal, distance,
                       with_unit(audited.asked.objective, bound));
  }
  return style.warning(audited.best.interrupted ? "interrupted" : "not proven") +
         fmt::format(": {} is at most {} the optimum (bound {})", goal, distance, number(bound));
}

files::Json distance_json(const Audited& audited, Estimate estimate) {
  const Rational given = audited.given(estimate);
  const Rational& bound = audited.best.bound;
  files::Json json = files::Json::object();
  json["name"] = std::string(name(estimate));
  json["given"] = given.to_double();
  json["bound"] = bound.to_double();
  json["exact"] = {{"given", given.to_string()}, {"bound", bound.to_string()}};
  if (bound.sign() > 0) json["ratio"] = (given / bound).to_double();
  if (!audited.best.metrics) return json;
  const Rational best = value(*audited.best.metrics, estimate, audited.asked.schedule());
  json["value"] = best.to_double();
  json["exact"]["value"] = best.to_string();
  return json;
}

files::Json mapping_part(const Problem& problem, const Mapping& mapping, const Metrics& metrics,
                         Mode mode) {
  files::Json json = files::Json::parse(
      evaluation_json(problem.architecture, problem.partition, mapping, metrics, mode));
  for (const char* key : {"format", "network", "accelerator"}) json.erase(key);
  return json;
}

std::string audit_document(const Problem& problem, Goal goal, const Audited& audited,
                           bool timeless) {
  files::Json json = files::Json::object();
  json["format"] = "pimbb-crossbar-audit/1";
  json["network"] = problem.partition.graph.name;
  json["accelerator"] = problem.architecture.name;
  json["objective"] = std::string(name(goal));
  json["standing"] = audited.standing();
  json["certified"] = audited.certified();
  json["goals"] = files::Json::array();
  for (const Estimate estimate : bounded(problem.architecture, goal)) {
    json["goals"].push_back(distance_json(audited, estimate));
  }
  const Mode mode = audited.asked.schedule();
  json["given"] = mapping_part(problem, audited.mapping, audited.metrics, mode);
  if (audited.best.mapping) {
    json["best"] = mapping_part(problem, *audited.best.mapping, *audited.best.metrics, mode);
  }
  json["stats"] = stats_json(audited.best, timeless);
  return files::to_text(json);
}

int run(const AuditSettings& settings) {
  check_proof(settings.output, kExact, /*proven=*/true, kExact);
  const Problem problem = read_problem(settings.problem, settings.output);
  check_provable(settings.output, problem);
  const Mapping mapping = read_given_mapping(settings.mapping, problem);
  Output output(settings.output);
  Log log(settings.output);
  const Style style = style_of(settings.output);
  const bool timeless = settings.output.timeless;
  output.report(title(style, problem,
                      fmt::format("the mapping of {} against the best: minimise {}",
                                  printable(settings.mapping), name(settings.goal))));
  const Audited audited = search(settings, problem, mapping, log);
  log.result("end", log_fields(audited.asked, audited.best, {}, timeless));
  if (audited.best.metrics) output.report(comparisons(style, problem, audited));
  output.report(distance_table(style, problem, settings.goal, audited) + "\n" +
                audit_verdict(style, audited) + "\n" + style.faint(effort(audited.best, timeless)) +
                "\n" + audited.proof);
  output.json([&] { return audit_document(problem, settings.goal, audited, timeless); });
  output.finish();
  log.finish();
  return audited.certified() ? kProven : kUnproven;
}

OptionRows rows(AuditSettings& s) {
  return rows_of({problem_rows(s.problem, /*alone=*/false),
                  {mapping_row(s.mapping), ht_or_ll_row(s.goal, "ht or ll (ht by default)")},
                  limit_rows(s.limits),
                  {json_row(s.output), proof_row(s.output), log_row(s.output),
                   timeless_row(s.output, s.limits.timeless)}});
}

}  // namespace

Command audit_command() {
  return {"audit", "How far a given mapping is from the best, term by term, with a proof",
          "With crossbar accelerators:\n"
          "  pimbb network --arch pimcomp --network vgg16 --method puma --json puma.json\n"
          "  pimbb audit --arch pimcomp --network vgg16 --mapping puma.json --time-limit 10 "
          "--proof bound.proof",
          terminal::prepare<AuditSettings>(rows, run)};
}

}  // namespace pimbb::crossbar::cli
