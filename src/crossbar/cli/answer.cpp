// The search, and its answer in words and as a document.
#include "crossbar/cli/answer.hpp"

#include <fmt/format.h>

#include "crossbar/io/formats.hpp"
#include "pimbb/error.hpp"
#include "run/clock.hpp"
#include "terminal/claim.hpp"
#include "terminal/format.hpp"
#include "terminal/option_values.hpp"

namespace pimbb::crossbar::cli {
namespace {

/// Status, mapping, metrics and reason of any search.
template <class Result>
void take(Answer& found, const Result& best) {
  found.status = best.status;
  found.mapping = best.mapping;
  found.metrics = best.metrics;
  found.reason = best.reason;
}

void solve_exactly(Answer& found, const Problem& problem, const Asked& asked, Goal goal,
                   const RunLimits& limits) {
  found.best = solve(problem.architecture, problem.partition, {goal, asked.seed}, limits);
  found.threads = found.best->threads;
  found.bound = found.best->result.bound;
  if (!asked.baseline || found.best->status == Status::infeasible) take(found, *found.best);
  if (!asked.baseline) found.value = found.best->result.value;
}

void search_locally(Answer& found, const Problem& problem, const Asked& asked,
                    const RunLimits& limits) {
  found.local = minimise(problem.architecture, problem.partition,
                         {asked.goals(), asked.schedule(), asked.seed}, limits);
  const BestFound& best = *found.local;
  found.threads = best.threads;
  if (!asked.baseline || best.status == Status::infeasible) take(found, best);
  if (best.results.empty()) return;
  found.bound = best.results.front().bound;
  if (!asked.baseline) found.value = best.results.front().value;
}

void evolve(Answer& found, const Problem& problem, const Asked& asked, const RunLimits& limits) {
  const Architecture& a = problem.architecture;
  const Partition& p = problem.partition;
  BaselineResult made =
      baseline(a, p, *asked.baseline, {asked.objective, asked.schedule(), asked.seed}, limits);
  found.evaluations = made.evaluations;
  if (!made.mapping) return;
  found.status = Status::feasible;
  found.metrics = evaluate(a, p, *made.mapping);
  found.value = value(*found.metrics, asked.objective, asked.schedule());
  found.mapping = std::move(made.mapping);
}

void take_fastest(Answer& found, Fastest&& best) {
  take(found, best);
  found.value = best.time;
  found.bound = best.bound;
  found.threads = best.threads;
  found.search = std::move(best);
}

std::string stopped_text(const Asked& asked, const Answer& found) {
  if (found.interrupted) return "interrupted";
  if (asked.simulated || (found.local && !asked.baseline)) return "best found";
  return asked.baseline ? fmt::format("{}, not proven", name(*asked.baseline)) : "limit hit";
}

/// What a heuristic costs against the mapping of the search.
std::string comparison(const Asked& asked, const Answer& found) {
  if (!asked.baseline || !found.mapping) return "";
  const std::optional<Metrics>& metrics = found.best ? found.best->metrics : found.local->metrics;
  if (!metrics) return "";
  const Rational best = value(*metrics, asked.objective, asked.schedule());
  if (best.sign() == 0) return "";
  const Status status = found.best ? found.best->status : found.local->status;
  return fmt::format("{} {:.4f} times {} {}\n", name(asked.objective),
                     (found.value / best).to_double(),
                     status == Status::optimal ? "the optimum" : "the best mapping found,",
                     with_unit(asked.objective, best));
}

/// The results of the goals after the first one.
std::vector<EstimateResult> further(const Asked& asked, const Answer& found) {
  if (asked.baseline || !found.local || !found.mapping) return {};
  const std::vector<EstimateResult>& all = found.local->results;
  return {all.begin() + 1, all.end()};
}

files::Json objective_json(const Asked& asked, const Answer& found) {
  files::Json json = files::Json::object();
  json["name"] = asked.goal();
  if (found.mapping) json["value"] = found.value.to_double();
  if (found.status != Status::infeasible) json["bound"] = found.bound.to_double();
  if (found.mapping) json["gap"] = found.gap().to_double();
  json["method"] = std::string(asked.method());
  if (asked.baseline == Baseline::ga || asked.simulated) json["seed"] = asked.seed;
  files::add_list(json, "then", further(asked, found),
                  [](const EstimateResult& result) -> files::Json {
                    return {{"name", std::string(name(result.estimate))},
                            {"value", result.value.to_double()},
                            {"bound", result.bound.to_double()},
                            {"gap", result.gap().to_double()}};
                  });
  if (!found.mapping) return json;
  json["exact"] = {{"value", found.value.to_string()}, {"bound", found.bound.to_string()}};
  return json;
}

}  // namespace

std::vector<Estimate> Asked::goals() const {
  std::vector<Estimate> goals{objective};
  goals.insert(goals.end(), then.begin(), then.end());
  return goals;
}

std::string Asked::goal() const {
  if (simulated) return std::string(kSimulated);
  std::string names(name(objective));
  for (const Estimate goal : then) names += "," + std::string(name(goal));
  return names;
}

std::optional<Goal> Asked::exact_goal() const {
  if (simulated || !then.empty()) return std::nullopt;
  if (objective == Estimate::ht) return Goal::ht;
  return objective == Estimate::ll ? std::optional(Goal::ll) : std::nullopt;
}

std::vector<std::string_view> methods() {
  std::vector<std::string_view> all{kExact};
  all.insert(all.end(), kBaselineNames.begin(), kBaselineNames.end());
  return all;
}

files::Json stats_json(const Answer& found, bool timeless) {
  files::Json json = files::Json::object();
  if (found.evaluations > 0) json["evaluations"] = found.evaluations;
  if (found.best) {
    json["starts"] = found.best->starts;
    json["steps"] = found.best->steps;
    json["nodes"] = found.best->nodes;
    json["leaves"] = found.best->leaves;
    json["memory"] = found.best->memory;
  }
  if (found.local) {
    json["starts"] = found.local->starts;
    json["tried"] = found.local->evaluations;
  }
  if (found.search) {
    json["starts"] = found.search->starts;
    json["simulations"] = found.search->simulations;
    json["start_time"] = found.search->start_time;
  }
  if (timeless) return json;
  json["seconds"] = found.seconds;
  json["threads"] = found.threads;
  return json;
}

std::string with_unit(Estimate estimate, const Rational& value) {
  if (estimate == Estimate::energy) return number(value) + " pJ";
  return number(value) + (estimate == Estimate::edp ? " pJ ns" : " ns");
}

void check(const Asked& asked, const SimulationSettings& simulation) {
  if (asked.simulated && asked.baseline) {
    refuse("--objective", kSimulated,
           fmt::format("the estimates with --method {}", name(*asked.baseline)));
  }
  if (asked.simulated && simulation.policy == Policy::ag) {
    refuse("--policy", "ag", "naive, add, live and exact with --objective sim");
  }
  if (asked.baseline && !asked.then.empty()) {
    refuse("--objective", asked.goal(),
           "one estimate with puma, w0h0, uniform and ga; a list with --method exact");
  }
}

Answer answer(const Problem& problem, const Asked& asked, const RunLimits& limits) {
  const run::Clock clock(limits);
  const Partition& p = problem.partition;
  for (const Estimate goal : asked.goals()) require_latency(p, goal, asked.schedule());
  Answer found;
  if (asked.simulated) {
    take_fastest(found, fastest(problem.architecture, p, {asked.schedule(), asked.seed}, limits));
    found.interrupted = limits.stop.stop_requested();
    found.seconds = clock.seconds();
    return found;
  }
  if (asked.baseline) evolve(found, problem, asked, limits);
  RunLimits left = limits;
  left.time_limit = clock.left();
  if (const std::optional<Goal> goal = asked.exact_goal()) {
    solve_exactly(found, problem, asked, *goal, left);
  } else {
    search_locally(found, problem, asked, left);
  }
  const bool all_proven = asked.then.empty() || found.status == Status::optimal;
  if (found.mapping && found.value == found.bound && all_proven) found.status = Status::optimal;
  found.interrupted = limits.stop.stop_requested();
  found.seconds = clock.seconds();
  return found;
}

std::string verdict(const Style& style, const Asked& asked, const Answer& found) {
  Claim claim{found.status, {}, found.reason, "", stopped_text(asked, found)};
  if (found.mapping) {
    claim.goals.push_back(
        {fmt::format("{} {}", asked.simulated ? kSimulated : name(asked.objective),
                     with_unit(asked.objective, found.value)),
         found.bound, found.gap(), found.value == found.bound});
  }
  for (const EstimateResult& result : further(asked, found)) {
    claim.goals.push_back(
        {fmt::format("{} {}", name(result.estimate), with_unit(result.estimate, result.value)),
         result.bound, result.gap(), result.value == result.bound});
  }
  return terminal::verdict(style, claim) + "\n" + comparison(asked, found);
}

std::string effort(const Answer& found, bool timeless) {
  const auto count = [](std::uint64_t n, std::string_view thing) {
    return plural(static_cast<std::int64_t>(n), thing);
  };
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (found.evaluations > 0) add(count(found.evaluations, "mapping") + " evaluated");
  if (found.best) {
    add(count(found.best->starts, "start"));
    add(count(found.best->steps, "exchange"));
    add(count(found.best->nodes, "node"));
  }
  if (found.local) {
    add(count(found.local->starts, "start"));
    add(count(found.local->evaluations, "mapping") + " tried");
  }
  if (found.search) {
    add(count(found.search->starts, "start"));
    add(count(found.search->simulations, "simulation"));
  }
  if (timeless) return text;
  add(duration(found.seconds));
  add(plural(found.threads, "thread"));
  return text;
}

std::string answer_json(const Problem& problem, const Asked& asked, const Answer& found,
                        bool timeless) {
  files::Json json = files::Json::object();
  json["format"] = std::string(io::kMappingFormat);
  json["network"] = problem.partition.graph.name;
  json["accelerator"] = problem.architecture.name;
  json["status"] = std::string(name(found.status));
  if (!found.reason.empty()) json["reason"] = found.reason;
  json["objective"] = objective_json(asked, found);
  if (found.mapping) {
    const files::Json mapping = files::Json::parse(evaluation_json(
        problem.architecture, problem.partition, *found.mapping, *found.metrics, asked.schedule()));
    for (const auto& [key, part] : mapping.items()) json[key] = part;
  }
  json["stats"] = stats_json(found, timeless);
  return files::to_text(json);
}

files::Json log_fields(const Asked& asked, const Answer& found, const Simulated& simulated,
                       bool timeless) {
  files::Json json = files::Json::object();
  json["status"] = std::string(name(found.status));
  json["goals"] = files::Json::array({objective_json(asked, found)});
  const files::Json stats = stats_json(found, timeless);
  for (const auto& [key, part] : stats.items()) json[key] = part;
  if (simulated.simulation) json["simulated_time"] = simulated.simulation->time;
  return json;
}

}  // namespace pimbb::crossbar::cli
