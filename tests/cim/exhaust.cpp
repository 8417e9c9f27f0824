// All mappings in a list, and the rules of the question one by one.
#include "cim/exhaust.hpp"

#include <algorithm>

#include "exact/factors.hpp"

namespace naive {

using namespace pimbb;
using namespace pimbb::cim;

namespace {

/// Whether a mapping is in the space of the question.
bool admits(const Question& question, const Architecture& a, const Mapping& m,
            std::int64_t fewest) {
  std::int64_t products = 1;
  for (const Loop& loop : m.loops) products *= loop.factor;
  const bool full = question.schemes == SchemeRule::full || question.method == Method::ws;
  if (full && products != fewest) return false;
  if (question.factors == FactorRule::prime &&
      !std::ranges::all_of(m.loops, [](const Loop& l) { return is_prime(l.factor); })) {
    return false;
  }
  if (question.method == Method::ws) {
    for (const Loop& loop : m.loops) {
      if (!relevant(Tensor::weight, loop.dim) &&
          loop.level[index(Tensor::weight)] != a.innermost(Tensor::weight)) {
        return false;
      }
    }
  }
  for (std::size_t l = 0; l < a.levels.size(); ++l) {
    for (const Tensor t : kAllTensors) {
      const bool used =
          std::ranges::any_of(m.loops, [&](const Loop& loop) { return loop.level[index(t)] == l; });
      const bool doubled = m.doubled[l][index(t)];
      if (question.doubling == DoubleRule::off && doubled) return false;
      if (question.doubling == DoubleRule::on && used && a.may_double(l, t) && !doubled) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

Rational Priced::latency(const Pricing& pricing) const {
  const auto s = static_cast<std::size_t>(pricing.semantics);
  Rational latency = cost.latency[s];
  if (pricing.contention != Contention::none) latency = max(latency, cost.ports[s]);
  if (pricing.contention == Contention::bus) latency = max(latency, cost.bus[s]);
  return latency;
}

Rational Priced::value(const Objective& objective, Goal goal, const Architecture& a,
                       const Pricing& pricing) const {
  const Rational l = latency(pricing);
  return objective.value(goal, l, cost.dynamic + a.leakage * l);
}

std::vector<Priced> all_mappings(const Architecture& a, const Workload& layer, bool grow) {
  std::vector<Priced> all;
  for_each_mapping(
      a, layer,
      [&](const Mapping& m) {
        all.push_back({m, naive::cost(a, grow ? grown(layer, m) : layer, m)});
      },
      grow);
  return all;
}

std::vector<const Priced*> admitted(const std::vector<Priced>& all, const Question& question,
                                    const Architecture& a, const Workload& layer) {
  std::int64_t fewest = layer.macs();
  for (const Priced& p : all) {
    std::int64_t products = 1;
    for (const Loop& loop : p.mapping.loops) products *= loop.factor;
    fewest = std::min(fewest, products);
  }
  std::vector<const Priced*> found;
  for (const Priced& p : all) {
    if (!admits(question, a, p.mapping, fewest)) continue;
    const bool within = std::ranges::all_of(question.caps, [&](const GoalCap& cap) {
      return p.value(question.objective, cap.goal, a, question.pricing) <= cap.most;
    });
    if (within) found.push_back(&p);
  }
  return found;
}

std::optional<std::vector<Rational>> exhausted(const std::vector<Priced>& all,
                                               const Question& question, const Architecture& a,
                                               const Workload& layer) {
  std::optional<std::vector<Rational>> best;
  for (const Priced* p : admitted(all, question, a, layer)) {
    std::vector<Rational> values;
    for (const Goal goal : question.objective.goals) {
      values.push_back(p->value(question.objective, goal, a, question.pricing));
    }
    if (!best || values < *best) best = values;
  }
  return best;
}

}  // namespace naive
