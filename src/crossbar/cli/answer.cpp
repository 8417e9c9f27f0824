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

bool is_goal(Estimate objective) { return objective == Estimate::ht || objective == Estimate::ll; }

void take(Answer& found, const Solution& best) {
  found.status = best.status;
  found.mapping = best.mapping;
  found.metrics = best.metrics;
  found.value = best.result.value;
  found.reason = best.reason;
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

void take(Answer& found, Fastest&& best) {
  found.status = best.status;
  found.mapping = std::move(best.mapping);
  found.metrics = std::move(best.metrics);
  found.value = best.time;
  found.bound = best.bound;
  found.reason = std::move(best.reason);
  found.search = std::move(best);
}

std::string stopped_text(const Asked& asked, const Answer& found) {
  if (found.interrupted) return "interrupted";
  if (asked.simulated) return "best found";
  return asked.baseline ? fmt::format("{}, not proven", name(*asked.baseline)) : "limit hit";
}

/// What a heuristic costs against the solver's mapping.
std::string comparison(const Asked& asked, const Answer& found) {
  if (!asked.baseline || !found.mapping || !found.best || !found.best->mapping) return "";
  const Rational best = value(*found.best->metrics, asked.objective, asked.schedule());
  if (best.sign() == 0) return "";
  const bool optimum = is_goal(asked.objective) && found.best->status == Status::optimal;
  const char* what = optimum                    ? "the optimum"
                     : is_goal(asked.objective) ? "the best mapping found,"
                                                : "the mapping of the solver,";
  return fmt::format("{} {:.4f} times {} {}\n", name(asked.objective),
                     (found.value / best).to_double(), what, with_unit(asked.objective, best));
}

files::Json objective_json(const Asked& asked, const Answer& found) {
  files::Json json = files::Json::object();
  json["name"] = std::string(asked.goal());
  if (found.mapping) json["value"] = found.value.to_double();
  if (found.status != Status::infeasible) json["bound"] = found.bound.to_double();
  if (found.mapping) json["gap"] = found.gap().to_double();
  json["method"] = std::string(asked.method());
  if (asked.baseline == Baseline::ga || asked.simulated) json["seed"] = asked.seed;
  if (!found.mapping) return json;
  json["exact"] = {{"value", found.value.to_string()}, {"bound", found.bound.to_string()}};
  return json;
}

}  // namespace

std::vector<std::string_view> methods() {
  std::vector<std::string_view> all{kExact};
  all.insert(all.end(), kBaselineNames.begin(), kBaselineNames.end());
  return all;
}

std::optional<Goal> bounding_goal(const Architecture& a, Estimate objective) {
  switch (objective) {
    case Estimate::ht:
    case Estimate::ht_roof: return Goal::ht;
    case Estimate::ht_code:
      return a.mvm.time >= a.mvm.interval ? std::optional(Goal::ht) : std::nullopt;
    case Estimate::ll:
    case Estimate::ll_paper: return Goal::ll;
    default: return std::nullopt;
  }
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
  if (found.search) {
    json["starts"] = found.search->starts;
    json["simulations"] = found.search->simulations;
    json["start_time"] = found.search->start_time;
  }
  if (timeless) return json;
  json["seconds"] = found.seconds;
  if (found.best) json["threads"] = found.best->threads;
  if (found.search) json["threads"] = found.search->threads;
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
  if (asked.simulated) return;
  if (!asked.baseline && !is_goal(asked.objective)) {
    refuse("--objective", name(asked.objective),
           "ht, ll and sim with --method exact; every estimate with puma, w0h0, uniform and ga");
  }
}

Answer answer(const Problem& problem, const Asked& asked, const RunLimits& limits) {
  const run::Clock clock(limits);
  const Partition& p = problem.partition;
  require_latency(p, asked.objective, asked.schedule());
  Answer found;
  if (asked.simulated) {
    take(found, fastest(problem.architecture, p, {asked.schedule(), asked.seed}, limits));
    found.interrupted = limits.stop.stop_requested();
    found.seconds = clock.seconds();
    return found;
  }
  if (asked.baseline) evolve(found, problem, asked, limits);
  if (const auto goal = bounding_goal(problem.architecture, asked.objective)) {
    RunLimits left = limits;
    left.time_limit = clock.left();
    found.best = solve(problem.architecture, p, {*goal, asked.seed}, left);
    found.bound = found.best->result.bound;
    if (!asked.baseline) take(found, *found.best);
    if (found.best->status == Status::infeasible) found.status = Status::infeasible;
    if (found.best->status == Status::infeasible) found.reason = found.best->reason;
  }
  if (found.mapping && found.value == found.bound) found.status = Status::optimal;
  found.interrupted = limits.stop.stop_requested();
  found.seconds = clock.seconds();
  return found;
}

std::string verdict(const Style& style, const Asked& asked, const Answer& found) {
  Claim claim{found.status, {}, found.reason, "", stopped_text(asked, found)};
  if (found.mapping) {
    claim.goals.push_back(
        {fmt::format("{} {}", asked.goal(), with_unit(asked.objective, found.value)), found.bound,
         found.gap(), found.value == found.bound});
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
  if (found.search) {
    add(count(found.search->starts, "start"));
    add(count(found.search->simulations, "simulation"));
  }
  if (!timeless) add(duration(found.seconds));
  if (!timeless && found.best) add(plural(found.best->threads, "thread"));
  if (!timeless && found.search) add(plural(found.search->threads, "thread"));
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
