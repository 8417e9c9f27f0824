// Questions, and what the answers have in common.
#include "cim/study/study.hpp"

#include <fmt/format.h>

#include "cim/heuristic/random_mapping.hpp"

namespace pimbb::cim::study {
namespace {

constexpr std::array<std::int64_t, 4> kTimes{-4, -2, 2, 4};  // negative: divided

std::int64_t scaled(std::int64_t value, std::int64_t times) {
  return times < 0 ? value / -times : value * times;
}

/// A level that tensors pass on their way from the DRAM to where they are used.
bool is_buffer(const Architecture& a, std::size_t level) {
  if (level == a.dram()) return false;
  for (const Tensor t : kAllTensors) {
    if (a.levels[level].stores[index(t)] && a.innermost(t) == level) return false;
  }
  return true;
}

class Settings {
 public:
  explicit Settings(const Architecture& a) : a_(a) { all_.push_back({"", "", 1, a}); }

  /// `member(architecture)` is the figure.
  template <class Member>
  void add(const std::string& figure, const Member& member) {
    for (const std::int64_t times : kTimes) {
      Architecture changed = a_;
      std::int64_t& value = member(changed);
      const std::int64_t before = value;
      value = scaled(before, times);
      if (value < 1 || scaled(value, -times) != before) continue;
      all_.push_back({figure, std::to_string(value),
                      times < 0 ? Rational(1, -times) : Rational(times), std::move(changed)});
    }
  }

  std::vector<Setting> take() { return std::move(all_); }

 private:
  const Architecture& a_;
  std::vector<Setting> all_;
};

}  // namespace

Question question_of(std::size_t variant, const Objective& objective) {
  Question question;
  question.objective = objective;
  switch (variant) {
    case 1: question.method = Method::ws; break;
    case 2: question.method = Method::greedy; break;
    case 3: question.factors = FactorRule::prime; break;
    case 4: question.factors = FactorRule::flex; break;
    case 5: question.schemes = SchemeRule::full; break;
    default: break;
  }
  return question;
}

std::optional<Rational> Comparison::value(std::size_t variant) const {
  const Solution& solution = solutions[variant];
  return solution.mapping ? std::optional(solution.goals.front().value) : std::nullopt;
}

std::optional<Rational> Comparison::ratio(std::size_t variant) const {
  const auto own = value(variant);
  const auto best = value(0);
  if (!own || !best) return std::nullopt;
  return best->sign() == 0 ? Rational(1) : *own / *best;
}

std::vector<Comparison> compare(const Architecture& architecture, const Network& network,
                                const std::vector<Goal>& goals, std::size_t variants,
                                const Ask& ask) {
  std::vector<Comparison> all;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    for (const Goal goal : goals) {
      Comparison comparison{i, goal, {}};
      Objective objective;
      objective.goals = {goal};
      for (std::size_t v = 0; v < variants; ++v) {
        auto solution = ask(architecture, network.layers[i].workload, question_of(v, objective),
                            fmt::format("{} {}", name(goal), kVariants[v]));
        if (!solution) return all;
        comparison.solutions[v] = std::move(*solution);
      }
      all.push_back(std::move(comparison));
    }
  }
  return all;
}

std::vector<Solution> table3_optima(const Architecture& architecture, const Network& network,
                                    const Ask& ask) {
  Question question;
  question.pricing.semantics = Semantics::table3;
  std::vector<Solution> all;
  for (const NetworkLayer& layer : network.layers) {
    auto solution = ask(architecture, layer.workload, question, "latency by table3");
    if (!solution) break;
    all.push_back(std::move(*solution));
  }
  return all;
}

std::vector<std::vector<Metrics>> random_samples(
    const Architecture& architecture, const Network& network, std::uint64_t samples,
    std::uint64_t seed, const std::function<bool(const Workload& layer)>& proceed) {
  std::vector<std::vector<Metrics>> all;
  for (const NetworkLayer& layer : network.layers) {
    if (!proceed(layer.workload)) break;
    heuristic::RandomMappings draw(architecture, layer.workload, seed);
    std::vector<Metrics>& of_layer = all.emplace_back();
    for (std::uint64_t k = 0; k < samples; ++k) {
      const std::optional<Mapping> mapping = draw.next();
      if (!mapping) break;
      of_layer.push_back(evaluate(architecture, layer.workload, *mapping));
    }
  }
  return all;
}

std::vector<Contended> contention(const Architecture& architecture, const Network& network,
                                  const Ask& ask) {
  std::vector<Contended> all;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const Workload& layer = network.layers[i].workload;
    Contended contended;
    contended.layer = i;
    for (std::size_t c = 0; c < kContentionNames.size(); ++c) {
      Question question;
      question.pricing.contention = static_cast<Contention>(c);
      auto solution =
          ask(architecture, layer, question, fmt::format("contention {}", kContentionNames[c]));
      if (!solution) return all;
      contended.aware[c] = std::move(*solution);
      const std::optional<Mapping>& unaware = contended.aware.front().mapping;
      if (!unaware) break;
      contended.unaware[c] = evaluate(architecture, layer, *unaware, question.pricing).latency;
    }
    all.push_back(std::move(contended));
  }
  return all;
}

std::string Setting::text() const { return figure.empty() ? "unchanged" : figure + " = " + value; }

std::vector<Setting> settings_of(const Architecture& a) {
  Settings settings(a);
  settings.add(a.axes.front().name,
               [](Architecture& changed) -> std::int64_t& { return changed.axes.front().size; });
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    if (!is_buffer(a, m) || !a.levels[m].size_bits) continue;
    settings.add(a.levels[m].name + " size_bits", [m](Architecture& changed) -> std::int64_t& {
      return *changed.levels[m].size_bits;
    });
  }
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    if (!is_buffer(a, m) && m != a.dram()) continue;
    settings.add(a.levels[m].name + " bandwidth", [m](Architecture& changed) -> std::int64_t& {
      return changed.levels[m].bandwidth;
    });
  }
  return settings.take();
}

std::vector<SweepPoint> sweep(const Architecture& architecture, const Network& network, Goal goal,
                              const Ask& ask) {
  Question question;
  question.objective.goals = {goal};
  std::vector<SweepPoint> all;
  for (Setting& setting : settings_of(architecture)) {
    SweepPoint point{std::move(setting), {}};
    const std::string what = point.setting.text();
    for (const NetworkLayer& layer : network.layers) {
      auto solution = ask(point.setting.architecture, layer.workload, question, what);
      if (!solution) return all;
      point.layers.push_back(std::move(*solution));
    }
    all.push_back(std::move(point));
  }
  return all;
}

}  // namespace pimbb::cim::study
