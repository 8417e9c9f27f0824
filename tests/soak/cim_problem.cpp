// Exhaustion, proofs, and false claims put to the checker.
#include "soak/cim_problem.hpp"

#include <algorithm>
#include <array>
#include <random>

#include "cim/certify.hpp"
#include "cim/exhaust.hpp"
#include "cim/io/result_json.hpp"
#include "layers/workload_json.hpp"
#include "pimbb/error.hpp"
#include "pimbb/io.hpp"

namespace soak_cim {
namespace {

using namespace pimbb;
using namespace pimbb::cim;
using testkit::Json;

constexpr std::int64_t kExhaustibleMacs = 8;
constexpr std::size_t kFalseClaims = 2;

Solution solved(const Problem& p, int threads) {
  RunLimits limits;
  limits.threads = threads;
  limits.node_limit = p.node_limit;
  return solve(p.instance.architecture, p.instance.layer, p.question, limits);
}

std::string differs(const char* what, const Rational& found, const Rational& right) {
  return std::string(what) + " " + found.to_string() + ", but the optimum is " + right.to_string();
}

/// A mapping that is claimed to be optimal is, and bounds hold.
std::string against_values(const Problem& p, const Solution& s,
                           const std::optional<std::vector<Rational>>& best) {
  if (!best) return s.mapping ? "a mapping where there is none" : "";
  if (s.status == Status::infeasible) return "infeasible, but there is a mapping";
  if (best->front() < s.goals.at(0).bound) return differs("bound", s.goals[0].bound, best->front());
  const bool may_stop = p.node_limit || p.question.pricing.semantics == Semantics::simulator;
  if (!s.mapping) return may_stop ? "" : "no mapping";
  if (s.goals[0].value < best->front()) return differs("value", s.goals[0].value, best->front());
  if (s.status != Status::optimal) return may_stop ? "" : "not proven";
  for (std::size_t g = 0; g < best->size(); ++g) {
    if (s.goals[g].value != (*best)[g]) return differs("value", s.goals[g].value, (*best)[g]);
  }
  return "";
}

/// Mappings that are worse than the optimum must not be proven to be optimal.
std::string against_false_claims(const Problem& p, const Solution& s,
                                 const std::vector<naive::Priced>& all) {
  if (s.status != Status::optimal || p.question.pricing.semantics == Semantics::simulator) {
    return "";
  }
  const std::size_t step = 1 + all.size() / kFalseClaims;
  for (std::size_t k = step / 2; k < all.size(); k += step) {
    const auto& [architecture, layer] = p.instance;
    const Solution other = certify::claim(architecture, layer, p.question, all[k].mapping);
    if (!(s.goals[0].value < other.goals[0].value)) continue;
    if (certify::unproven(architecture, layer, p.question, other).empty()) {
      return "a false claim is accepted: " + other.goals[0].value.to_string() +
             ", but the optimum is " + s.goals[0].value.to_string();
    }
  }
  return "";
}

std::string against_exhaustion(const Problem& p, const Solution& s) {
  const auto& [architecture, layer] = p.instance;
  if (layer.macs() > kExhaustibleMacs || p.question.factors == FactorRule::flex) return "";
  // The fewest products are those of a scheme, which a bounded DRAM may leave without a mapping.
  const bool full = p.question.schemes == SchemeRule::full || p.question.method == Method::ws;
  if (full && architecture.levels.back().size_bits) return "";
  const bool grow = p.question.pricing.padding == cim::Padding::ceil;
  const std::vector<naive::Priced> all = naive::all_mappings(architecture, layer, grow);
  std::string wrong = against_values(p, s, naive::exhausted(all, p.question, architecture, layer));
  return wrong.empty() ? against_false_claims(p, s, all) : wrong;
}

std::string against_one_thread(const Problem& p, const Solution& s) {
  const Solution one = solved(p, 1);
  if (one.status != s.status) return "another status on one thread";
  if (one.labels != s.labels) return "other labels on one thread";
  return one.mapping == s.mapping ? "" : "another mapping on one thread";
}

std::string word(const Json& json, const char* key) { return json.at(key).get<std::string>(); }

template <class Enum, class Names>
Enum place(const Names& names, const Json& json, const char* key) {
  const auto found = std::find(names.begin(), names.end(), word(json, key));
  return static_cast<Enum>(found - names.begin());
}

template <class Names, class Enum>
std::string text(const Names& names, Enum value) {
  return std::string(names[static_cast<std::size_t>(value)]);
}

}  // namespace

Problem random_problem(std::uint64_t seed) {
  std::mt19937_64 random(seed ^ 0x50AC);
  const auto pick = [&](std::uint64_t n) { return static_cast<std::size_t>(random() % n); };
  constexpr std::array<std::int64_t, 5> kProducts{4, 6, kExhaustibleMacs, 24, 48};
  Problem p;
  const std::int64_t products = kProducts[pick(kProducts.size())];
  p.instance = naive::random_instance(random(), products);
  const bool simulated = pick(6) == 0;
  p.question = certify::random_question(random(), simulated);
  if (pick(6) == 0) {
    p.instance.architecture.levels.back().size_bits = 64 + 8 * static_cast<std::int64_t>(pick(64));
  }
  if (pick(4) == 0) {
    const Goal goal = pick(2) == 0 ? Goal::latency : Goal::edp;
    const Rational cycles = p.instance.layer.macs() * p.instance.architecture.product_cycles();
    p.question.caps = {{goal, cycles * Rational(1 + static_cast<std::int64_t>(pick(12)), 4)}};
  }
  if (pick(8) == 0) p.threads = 2 + static_cast<int>(pick(3));
  if (pick(8) == 0) p.node_limit = pick(60);
  return p;
}

Json write(const Problem& p) {
  Json json;
  json["kind"] = "cim";
  const auto copied = [](const auto& other) { return Json::parse(other.dump()); };
  json["architecture"] = copied(io::architecture_json(p.instance.architecture));
  json["workload"] = copied(layers::workload_json(p.instance.layer));
  const Question& q = p.question;
  json["objective"] = q.objective.to_string();
  json["alpha"] = q.objective.alpha.to_string();
  json["beta"] = q.objective.beta.to_string();
  json["at_most"] = Json::array();
  for (const GoalCap& cap : q.caps) {
    json["at_most"].push_back({text(kGoalNames, cap.goal), cap.most.to_string()});
  }
  json["semantics"] = text(kSemanticsNames, q.pricing.semantics);
  json["contention"] = text(kContentionNames, q.pricing.contention);
  json["pad"] = text(kPaddingNames, q.pricing.padding);
  json["factors"] = text(kFactorRuleNames, q.factors);
  json["schemes"] = text(kSchemeRuleNames, q.schemes);
  json["double"] = text(kDoubleRuleNames, q.doubling);
  json["method"] = text(kMethodNames, q.method);
  json["threads"] = p.threads;
  if (p.node_limit) json["node_limit"] = *p.node_limit;
  return json;
}

Problem read(const Json& json) {
  Problem p;
  p.instance.architecture = parse_architecture(json.at("architecture").dump(), "kept");
  p.instance.architecture.warnings.clear();
  p.instance.layer = parse_workload(json.at("workload").dump(), "kept");
  Question& q = p.question;
  q.objective = Objective::parse(word(json, "objective"));
  q.objective.alpha = Rational::parse(word(json, "alpha"));
  q.objective.beta = Rational::parse(word(json, "beta"));
  for (const Json& cap : json.at("at_most")) {
    const auto goal = std::ranges::find(kGoalNames, cap.at(0).get<std::string>());
    q.caps.push_back({static_cast<Goal>(goal - kGoalNames.begin()),
                      Rational::parse(cap.at(1).get<std::string>())});
  }
  q.pricing.semantics = place<Semantics>(kSemanticsNames, json, "semantics");
  q.pricing.contention = place<Contention>(kContentionNames, json, "contention");
  q.pricing.padding = place<cim::Padding>(kPaddingNames, json, "pad");
  q.factors = place<FactorRule>(kFactorRuleNames, json, "factors");
  q.schemes = place<SchemeRule>(kSchemeRuleNames, json, "schemes");
  q.doubling = place<DoubleRule>(kDoubleRuleNames, json, "double");
  q.method = place<Method>(kMethodNames, json, "method");
  p.threads = json.at("threads");
  if (json.contains("node_limit")) p.node_limit = json.at("node_limit").get<std::uint64_t>();
  return p;
}

bool valid(const Problem& p) {
  try {
    validate(p.instance.architecture);
    validate(p.instance.layer);
  } catch (const InputError&) {
    return false;
  }
  return !p.question.objective.goals.empty();
}

std::string complaint(const Problem& p) {
  const Solution s = solved(p, p.threads);
  std::string wrong = against_exhaustion(p, s);
  if (wrong.empty() && p.threads > 1) wrong = against_one_thread(p, s);
  const bool claims = s.status == Status::optimal || s.status == Status::infeasible;
  if (!wrong.empty() || !claims) return wrong;
  return certify::unproven(p.instance.architecture, p.instance.layer, p.question, s);
}

}  // namespace soak_cim
