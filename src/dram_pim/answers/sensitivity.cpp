// The optimum of today, then one figure after the other.
#include "pimbb/dram_pim/sensitivity.hpp"

#include <algorithm>

#include "answers/figure_sensitivity.hpp"
#include "dram_pim/answers/class_text.hpp"
#include "dram_pim/answers/varied_layer.hpp"
#include "dram_pim/model/architecture_fields.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim {
namespace answers {
namespace {

bool matters(FigureKind kind, const GoalTraits& goal) {
  switch (kind) {
    case FigureKind::energy: return goal.energy;
    case FigureKind::time:
    case FigureKind::rate: return goal.latency;
    default: return true;
  }
}

FigureSensitivity answer(LayerSearches& searches, const Figure& figure,
                         const SensitivityOptions& options, const Rational& value) {
  auto asked = figure.asked(searches.workload(), searches.known()[0].mapping);
  asked.matters = matters(figure.kind, traits(searches.goal()));
  asked.varied = [&] { return std::make_unique<VariedFigure>(searches, figure); };
  asked.sized = [&] { return std::make_unique<SizedFigure>(searches, figure); };
  return pimbb::answers::answer(asked, options, value);
}

/// The answer about a figure that is another one times a constant.
FigureSensitivity of_twin(FigureSensitivity twin, const Figure& figure) {
  const auto scale = [&](std::optional<StayEnd>& end) {
    if (!end) return;
    end->proven *= figure.per_twin;
    if (end->beyond) *end->beyond *= figure.per_twin;
  };
  scale(twin.down);
  scale(twin.up);
  twin.path = figure.path;
  twin.unit = figure.unit;
  twin.today = figure.today;
  return twin;
}

std::vector<Figure> chosen_figures(const Architecture& architecture,
                                   const SensitivityOptions& options) {
  const std::vector<Figure> all = figures_of(architecture);
  std::vector<Figure> chosen;
  for (const std::size_t k : pimbb::answers::chosen_figures(figure_paths(architecture), options)) {
    chosen.push_back(all[k]);
  }
  return chosen;
}

void check_sensitivity(const Workload& workload, const Question& question,
                       const SensitivityOptions& options) {
  if (question.method != Method::exact) {
    throw InputError("sensitivity: found method '" + std::string(name(question.method)) +
                     "', allowed is exact");
  }
  if (question.below || !question.all_caps().empty()) {
    throw InputError("sensitivity: found a limit on a goal, allowed is none");
  }
  if (workload.may_be_padded()) {
    throw InputError("sensitivity: layer '" + workload.name +
                     "' may be padded; allowed are layers without padding");
  }
  pimbb::answers::check(options);
}

}  // namespace
}  // namespace answers

std::vector<std::string> figure_paths(const Architecture& architecture) {
  std::vector<std::string> paths;
  for (const answers::Figure& figure : answers::figures_of(architecture)) {
    paths.push_back(figure.path);
  }
  return paths;
}

Sensitivity sensitivity(const Architecture& architecture, const Workload& workload,
                        const Question& question, const SensitivityOptions& options,
                        const RunLimits& limits) {
  answers::check_sensitivity(workload, question, options);
  const std::vector<answers::Figure> figures = answers::chosen_figures(architecture, options);
  answers::LayerSearches searches(architecture, workload, question, limits);
  const Solution today = solve(architecture, workload, question, limits);
  searches.count(today);
  Sensitivity result;
  result.first_nodes = today.nodes;
  result.threads = today.threads;
  if (today.status == Status::infeasible) {
    result.status = SensitivityStatus::infeasible;
    result.reason = today.reason.empty() ? "no mapping is feasible" : today.reason;
  } else if (today.status == Status::optimal) {
    result.metrics = today.metrics;
    result.value = today.goals.front().value;
    searches.number_of(*today.mapping);
    for (const answers::Figure& figure : figures) {
      const auto twin = std::ranges::find(result.figures, figure.twin, &FigureSensitivity::path);
      result.figures.push_back(twin != result.figures.end() && !options.range
                                   ? answers::of_twin(*twin, figure)
                                   : answers::answer(searches, figure, options, result.value));
    }
    const bool complete = std::ranges::all_of(result.figures, &FigureSensitivity::complete);
    if (complete) result.status = SensitivityStatus::complete;
    for (const auto& known : searches.known()) {
      result.mappings.push_back(known.mapping);
      result.texts.push_back(known.text);
    }
  }
  static_cast<SolveStatistics&>(result) += searches.spent();
  result.solves = searches.solves();
  result.seconds = searches.seconds();
  return result;
}

}  // namespace pimbb::dram_pim
