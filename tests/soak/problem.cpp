// Judged by brute force where that takes milliseconds, else by the checker and by attacks; and
// false claims put to the checker.
#include "soak/problem.hpp"

#include <algorithm>

#include "pimbb/error.hpp"
#include "support/attack.hpp"
#include "support/certify.hpp"
#include "support/check_solution.hpp"
#include "support/forge.hpp"
#include "support/oracle_dataflow.hpp"

namespace soak {
namespace {

using namespace pimbb;
using namespace pimbb::dram_pim;
using testkit::Choices;
using testkit::Instance;
using testkit::Json;
using testkit::SolveOptions;

constexpr std::int64_t kExhaustibleMacs = 48;
constexpr std::size_t kExhaustibleLevels = 5;
constexpr std::size_t kForgedClaims = 8;
constexpr std::int64_t kTraceableMacs = 300;  // the oracle's streams of longer layers take seconds

Instance random_instance_of_any_size(Choices& choices, std::uint64_t seed) {
  switch (choices.pick(8)) {
    case 0: return testkit::deep_traced_instance(seed);
    case 1: return random_instance(choices, {.macs = 2000, .largest_factor = 30});
    case 2: return random_instance(choices, {.macs = kExhaustibleMacs});
    case 3: return random_instance(choices, {.macs = 24, .free_levels = 3});
    default: return random_instance(choices, {.macs = choices.one_of<std::int64_t>({12, 24, 36})});
  }
}

SolveOptions options_for(const Problem& p) {
  SolveOptions options = testkit::options_for(p.instance);
  options.method = p.method;
  options.rules = p.rules;
  options.threads = p.threads;
  options.node_limit = p.node_limit;
  return options;
}

/// Brute force tries every mapping.
std::string against_exhaustion(const Problem& p, const Solution& solution) {
  const Instance& i = p.instance;
  const oracle::Restriction part = is_dataflow(p.method)
                                       ? oracle::within(i.architecture, i.workload, p.method)
                                       : oracle::Restriction{};
  return testkit::complaint(
      i, solution, oracle::brute_force(i.architecture, i.workload, i.objective, i.row_model, part),
      p.node_limit.has_value());
}

/// Random mappings and annealing, from the best of them and from the claimed optimum. They take no
/// notice of a dataflow, so there they say nothing.
std::string against_attacks(const Problem& p, const Solution& solution) {
  const Instance& i = p.instance;
  std::string wrong = testkit::false_claim(i, solution);
  if (!wrong.empty() || p.method != Method::exact) return wrong;
  testkit::Attack attack(i, 1);
  attack.random(200, 4);
  if (attack.best()) {
    const Mapping start = attack.best()->first;
    attack.anneal(start, 300, 0.3);
  }
  if (solution.status == Status::infeasible) {
    return attack.feasible() > 0 ? "infeasible, but a random mapping is feasible" : "";
  }
  if (solution.mapping) attack.anneal(*solution.mapping, 300, 0.1);
  const bool claimed = !solution.goals.empty();
  if (claimed && attack.best() && attack.best()->second < solution.goals.front().bound) {
    return "an attack found " + attack.best()->second.to_string() + ", below the bound " +
           solution.goals.front().bound.to_string();
  }
  return "";
}

/// On several threads the same tree gives the same mapping.
std::string against_one_thread(const Problem& p, const Solution& solution) {
  SolveOptions options = options_for(p);
  options.threads = 1;
  const Solution one = solve(p.instance.architecture, p.instance.workload, options);
  if (one.status != solution.status) return "another status on one thread";
  if (one.nodes != solution.nodes) return "another tree on one thread";
  return one.mapping == solution.mapping ? "" : "another mapping on one thread";
}

/// That a mapping is optimal which is worse than the one found, whatever the method: the checker
/// must find no way to accept that.
std::string against_forgeries(const Problem& p, const Solution& solution) {
  if (!solution.mapping) return "";
  Choices choices(1);
  testkit::Forgeries forgeries;
  forge(p.instance, *solution.mapping, choices, kForgedClaims, forgeries);
  return forgeries.accepted.empty() ? "" : "a false claim is accepted: " + forgeries.accepted;
}

}  // namespace

Problem random_problem(std::uint64_t seed) {
  Choices choices(seed);
  Problem p;
  p.instance = random_instance_of_any_size(choices, seed);
  if (p.instance.workload.macs() > kTraceableMacs && p.instance.row_model == RowModel::trace) {
    p.instance.row_model = RowModel::hybrid;
  }
  if (choices.once_in(4)) {
    p.method = choices.one_of({Method::ws, Method::os, Method::is, Method::rs});
  }
  if (choices.once_in(3)) {
    for (std::size_t k = 0; k < kRules; ++k) {
      p.rules.set(static_cast<Rule>(k), !choices.once_in(3));
    }
  }
  if (choices.once_in(8)) p.threads = choices.one_of({2, 4});
  if (choices.once_in(8)) p.node_limit = choices.one_of<std::uint64_t>({1, 5, 50});
  return read(write(p));  // numbers as the files have them
}

Json write(const Problem& p) {
  Json json = Json::parse(to_json(p.instance));
  json["method"] = name(p.method);
  json["rules_off"] = Json::array();
  for (std::size_t k = 0; k < kRules; ++k) {
    if (!p.rules.has(static_cast<Rule>(k))) json["rules_off"].push_back(kRuleNames[k]);
  }
  json["threads"] = p.threads;
  if (p.node_limit) json["node_limit"] = *p.node_limit;
  return json;
}

Problem read(const Json& json) {
  Problem p;
  p.instance.architecture = testkit::read_architecture(json.at("architecture"));
  p.instance.workload = testkit::read_workload(json.at("workload"));
  p.instance.objective = Objective::parse(json.at("objective").get<std::string>());
  p.instance.objective.alpha = Rational::parse(json.value("alpha", "1"));
  p.instance.objective.beta = Rational::parse(json.value("beta", "1"));
  p.instance.row_model = testkit::read_row_model(json.at("row_model"));
  const auto place = [](const auto& names, const Json& wanted) {
    return static_cast<std::size_t>(std::find(names.begin(), names.end(), wanted) - names.begin());
  };
  p.method = static_cast<Method>(place(kMethodNames, json.at("method")));
  for (const Json& rule : json.at("rules_off")) {
    p.rules.set(static_cast<Rule>(place(kRuleNames, rule)), false);
  }
  p.threads = json.at("threads");
  if (json.contains("node_limit")) p.node_limit = json.at("node_limit").get<std::uint64_t>();
  return p;
}

bool valid(const Problem& p) {
  try {
    validate(p.instance.architecture);
    validate(p.instance.workload);
  } catch (const InputError&) {
    return false;
  }
  return !p.instance.objective.goals.empty();
}

std::string complaint(const Problem& p) {
  const Instance& i = p.instance;
  const Solution solution = solve(i.architecture, i.workload, options_for(p));
  std::string wrong =
      i.workload.macs() <= kExhaustibleMacs && i.architecture.levels.size() <= kExhaustibleLevels
          ? against_exhaustion(p, solution)
          : against_attacks(p, solution);
  if (wrong.empty() && p.threads > 1) wrong = against_one_thread(p, solution);
  if (wrong.empty()) wrong = against_forgeries(p, solution);
  return wrong;
}

}  // namespace soak
