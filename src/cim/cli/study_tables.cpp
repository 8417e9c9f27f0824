// The tables of a study.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "cim/cli/study_results.hpp"
#include "statistics/statistics.hpp"
#include "terminal/format.hpp"

namespace pimbb::cim::cli {
namespace {

using Values = std::vector<double>;

std::string factor(double ratio) { return fmt::format("{:.3f}", ratio); }
std::string share(double ratio) { return fmt::format("{:.1f} %", 100 * ratio); }
std::string count_text(std::size_t count) { return number(static_cast<std::int64_t>(count)); }
double greatest(const Values& values) { return *std::ranges::max_element(values); }

Rational times_of(const NetworkLayer& layer) { return layer.workload.weight * layer.repetitions; }

std::vector<Column> variant_columns(std::vector<Column> first) {
  for (std::size_t v = 1; v < study::kVariants.size(); ++v) {
    first.push_back({std::string(study::kVariants[v])});
  }
  return first;
}

/// The comparisons of one goal that have a ratio, and their sums with repetitions and weights.
struct Compared {
  Values ratios;
  Rational own, best;
};

Compared compared(const NetworkStudy& of, Goal goal, std::size_t variant) {
  Compared all;
  for (const study::Comparison& each : of.comparisons) {
    const auto ratio = each.goal == goal ? each.ratio(variant) : std::nullopt;
    if (!ratio) continue;
    const Rational times = times_of(of.network.layers[each.layer]);
    all.ratios.push_back(ratio->to_double());
    all.own += times * *each.value(variant);
    all.best += times * *each.value(0);
  }
  return all;
}

std::vector<Goal> goals_of(const NetworkStudy& of) {
  std::vector<Goal> goals;
  for (const study::Comparison& each : of.comparisons) {
    if (std::ranges::count(goals, each.goal) == 0) goals.push_back(each.goal);
  }
  return goals;
}

bool has_spaces(const NetworkStudy& of) {
  return std::ranges::any_of(of.comparisons, [](const study::Comparison& each) {
    return each.solutions.back().status != Status::unknown;
  });
}

/// Every network and goal: the sum over the layers, their geometric mean, the worst one.
Section spaces(const Study& all) {
  Section section{"Spaces and heuristics, times the optimum",
                  variant_columns({{"network", 0, false},
                                   {"goal", 0, false},
                                   {"layers", 0, true, 1},
                                   {"figure", 0, false}}),
                  {}};
  for (const NetworkStudy& of : all.networks) {
    if (!has_spaces(of)) continue;
    for (const Goal goal : goals_of(of)) {
      std::array<std::vector<std::string>, 3> rows;
      const std::array<const char*, 3> figures{"sum", "mean", "worst"};
      const std::string layers = count_text(compared(of, goal, 0).ratios.size());
      for (std::size_t k = 0; k < rows.size(); ++k) {
        rows[k] = {of.network.name, std::string(name(goal)), layers, figures[k]};
      }
      for (std::size_t v = 1; v < study::kVariants.size(); ++v) {
        const Compared c = compared(of, goal, v);
        const bool none = c.ratios.empty();
        rows[0].push_back(none || c.best.sign() == 0 ? "-" : factor((c.own / c.best).to_double()));
        rows[1].push_back(none ? "-" : factor(statistics::geometric_mean(c.ratios)));
        rows[2].push_back(none ? "-" : factor(greatest(c.ratios)));
      }
      section.rows.insert(section.rows.end(), rows.begin(), rows.end());
    }
  }
  return section;
}

/// Every layer, for the last goal.
Section layers_of(const NetworkStudy& of) {
  const Goal goal = of.comparisons.back().goal;
  Section section{fmt::format("{}, {} of each layer: the optimum, and the others times it",
                              of.network.name, name(goal)),
                  variant_columns({{"layer", 0, false}, {"optimum"}}),
                  {}};
  for (const study::Comparison& each : of.comparisons) {
    if (each.goal != goal) continue;
    const auto best = each.value(0);
    std::vector<std::string> cells{printable(of.network.layers[each.layer].workload.name),
                                   best ? fmt::format("{:.4g}", best->to_double()) : "-"};
    for (std::size_t v = 1; v < study::kVariants.size(); ++v) {
      const auto ratio = each.ratio(v);
      cells.push_back(ratio ? factor(ratio->to_double()) : "-");
    }
    section.rows.push_back(std::move(cells));
  }
  return section;
}

/// Pairs of a model's latency and the simulator's, in groups within which ranks are compared.
struct Pairs {
  std::vector<std::pair<Values, Values>> groups;

  void add(const Metrics& metrics, Semantics model, bool new_group) {
    if (new_group || groups.empty()) groups.emplace_back();
    groups.back().first.push_back(metrics.latency_of(model).to_double());
    groups.back().second.push_back(metrics.latency_of(Semantics::simulator).to_double());
  }
};

void add_accuracy(Section& section, const std::string& mappings, Semantics model,
                  const Pairs& pairs) {
  Values judged;
  Values truth;
  Values ranks;
  for (const auto& [own, exact] : pairs.groups) {
    judged.insert(judged.end(), own.begin(), own.end());
    truth.insert(truth.end(), exact.begin(), exact.end());
    ranks.push_back(statistics::model_accuracy(own, exact).spearman);
  }
  if (judged.empty()) return;
  const statistics::ModelAccuracy a = statistics::model_accuracy(judged, truth);
  const double rank =
      std::accumulate(ranks.begin(), ranks.end(), 0.0) / static_cast<double>(ranks.size());
  section.rows.push_back({mappings, std::string(name(model)), count_text(a.samples), share(a.bias),
                          share(a.error), share(a.worst), fmt::format("{:.3f}", rank)});
}

Pairs at_optima(const Study& all, Goal goal, Semantics model) {
  Pairs pairs;
  for (const NetworkStudy& of : all.networks) {
    bool first = true;
    for (const study::Comparison& each : of.comparisons) {
      const std::optional<Metrics>& metrics = each.solutions.front().metrics;
      if (each.goal == goal && metrics) pairs.add(*metrics, model, std::exchange(first, false));
    }
  }
  return pairs;
}

Pairs at_optima_of_table3(const Study& all, Semantics model) {
  Pairs pairs;
  for (const NetworkStudy& of : all.networks) {
    bool first = true;
    for (const Solution& solution : of.table3) {
      if (solution.metrics) pairs.add(*solution.metrics, model, std::exchange(first, false));
    }
  }
  return pairs;
}

Pairs at_random(const Study& all, Semantics model) {
  Pairs pairs;
  for (const NetworkStudy& of : all.networks) {
    for (const std::vector<Metrics>& layer : of.random) {
      bool first = true;
      for (const Metrics& metrics : layer) pairs.add(metrics, model, std::exchange(first, false));
    }
  }
  return pairs;
}

/// Of all networks together, both models: at optima of each goal, and at random mappings.
Section accuracy(const Study& all) {
  Section section{"Latency by the models against the simulator",
                  {{"mappings", 0, false},
                   {"model", 0, false},
                   {"number"},
                   {"bias"},
                   {"mean error"},
                   {"worst"},
                   {"Spearman"}},
                  {}};
  for (const Semantics model : {Semantics::recursion, Semantics::table3}) {
    for (const Goal goal : {Goal::latency, Goal::energy, Goal::edp, Goal::blended}) {
      add_accuracy(section, fmt::format("optima, {}", name(goal)), model,
                   at_optima(all, goal, model));
    }
    add_accuracy(section, "optima of table3", model, at_optima_of_table3(all, model));
    add_accuracy(section, "random", model, at_random(all, model));
  }
  return section;
}

/// Ports and bus: what they add to the least latency, and what ignoring them costs.
Section contention(const Study& all) {
  Section section{"Contention: least latency over that without, and regret of ignoring it",
                  {{"network", 0, false},
                   {"contention", 0, false},
                   {"layers", 0, true, 1},
                   {"least"},
                   {"most added"},
                   {"regret"},
                   {"most regret"}},
                  {}};
  for (const NetworkStudy& of : all.networks) {
    for (const std::size_t c : {std::size_t{1}, std::size_t{2}}) {
      Values added;
      Values regret;
      for (const study::Contended& each : of.contended) {
        if (!each.aware[c].mapping || !each.aware[0].mapping) continue;
        const Rational& least = each.aware[c].goals.front().value;
        added.push_back((least / each.aware[0].goals.front().value).to_double());
        regret.push_back((each.unaware[c] / least).to_double());
      }
      if (added.empty()) continue;
      section.rows.push_back({of.network.name, std::string(kContentionNames[c]),
                              count_text(added.size()), factor(statistics::geometric_mean(added)),
                              factor(greatest(added)), factor(statistics::geometric_mean(regret)),
                              factor(greatest(regret))});
    }
  }
  return section;
}

/// Sums over the layers at one setting.
struct Sums {
  Rational latency, energy, edp;
};

std::optional<Sums> sums_of(const NetworkStudy& of, const study::SweepPoint& point) {
  Sums sums;
  for (std::size_t i = 0; i < point.layers.size(); ++i) {
    const std::optional<Metrics>& metrics = point.layers[i].metrics;
    if (!metrics) return std::nullopt;
    const Rational times = times_of(of.network.layers[i]);
    sums.latency += times * metrics->latency;
    sums.energy += times * metrics->energy;
    sums.edp += times * metrics->edp();
  }
  return sums;
}

Section sweep(const Study& all, const NetworkStudy& of) {
  Section section{fmt::format("{} with other figures, times the original (least {} of each layer)",
                              of.network.name, name(all.sweep_goal)),
                  {{"figure", 0, false}, {"value"}, {"times"}, {"latency"}, {"energy"}, {"edp"}},
                  {}};
  const auto original = sums_of(of, of.sweep.front());
  for (const study::SweepPoint& point : of.sweep) {
    const auto sums = sums_of(of, point);
    if (point.setting.figure.empty() || !original) continue;
    std::vector<std::string> cells{printable(point.setting.figure), point.setting.value,
                                   point.setting.times.to_string()};
    const auto add = [&](const Rational& own, const Rational& before) {
      cells.push_back(before.sign() == 0 ? "-" : factor((own / before).to_double()));
    };
    if (sums) {
      add(sums->latency, original->latency);
      add(sums->energy, original->energy);
      add(sums->edp, original->edp);
    } else {
      cells.insert(cells.end(), {"none", "none", "none"});
    }
    section.rows.push_back(std::move(cells));
  }
  return section;
}

}  // namespace

std::vector<Section> study_sections(const Study& study) {
  std::vector<Section> all{spaces(study)};
  for (const NetworkStudy& of : study.networks) {
    if (has_spaces(of)) all.push_back(layers_of(of));
  }
  const bool random = std::ranges::any_of(
      study.networks, [](const NetworkStudy& of) { return !of.random.empty(); });
  if (random) all.push_back(accuracy(study));
  all.push_back(contention(study));
  for (const NetworkStudy& of : study.networks) {
    if (of.sweep.size() > 1) all.push_back(sweep(study, of));
  }
  std::erase_if(all, [](const Section& section) { return section.rows.empty(); });
  return all;
}

}  // namespace pimbb::cim::cli
