// The optimum of today, then one figure after the other: what the searches of src/answers ask of
// this wing, as solves of changed accelerators.
#include "pimbb/cim/sensitivity.hpp"

#include <algorithm>
#include <utility>

#include "answers/figure_sensitivity.hpp"
#include "cim/answers/figures.hpp"
#include "cim/solver/known_start.hpp"
#include "pimbb/cim/feasibility.hpp"
#include "pimbb/error.hpp"
#include "run/budget.hpp"
#include "run/threads.hpp"

namespace pimbb::cim {
namespace figures {
namespace {

using pimbb::answers::ValueCurve;

/// The searches of one computation, their limits, and the mappings that they have found.
class LayerSearches {
 public:
  LayerSearches(const Architecture& a, const Workload& layer, Question question,
                const RunLimits& limits, Sensitivity& result)
      : a_(a),
        layer_(layer),
        question_(std::move(question)),
        limits_(limits),
        budget_(limits, [this] { return result_.labels; }),
        result_(result) {}

  /// The optimum for the first goal; nothing if a limit was hit. No mapping costs less than
  /// `least`. Throws InputError if the numbers of the accelerator have more digits than the solver
  /// computes with.
  std::optional<Solution> solve(const Architecture& architecture,
                                const std::optional<Rational>& least = std::nullopt) {
    Question question = question_;
    question.objective.goals.resize(1);
    const std::optional<RunLimits> rest = budget_.left();
    if (!rest) return std::nullopt;
    try {
      const mapper::KnownStart start{best_known(architecture), least};
      return counted(mapper::solve_from(start, architecture, layer_, question, *rest));
    } catch (const LimitError&) {
      return std::nullopt;
    }
  }

  /// The optimum of today, with all goals.
  Solution solve_today() { return counted(cim::solve(a_, layer_, question_, limits_)); }

  std::size_t number_of(const Mapping& mapping) {
    const auto known = std::ranges::find(result_.mappings, mapping);
    const auto number = static_cast<std::size_t>(known - result_.mappings.begin());
    if (known == result_.mappings.end()) {
      result_.mappings.push_back(mapping);
      fits_today_.push_back(!find_violation(a_, layer_, mapping, question_.pricing.padding));
    }
    return number;
  }

  [[nodiscard]] Rational value(const Architecture& architecture, std::size_t solution) const {
    const Metrics metrics =
        evaluate(architecture, layer_, result_.mappings[solution], question_.pricing);
    return question_.objective.value(goal(), metrics.latency, metrics.energy);
  }

  [[nodiscard]] const Architecture& today() const { return a_; }
  [[nodiscard]] const Workload& layer() const { return layer_; }
  [[nodiscard]] Goal goal() const { return question_.objective.goals.front(); }
  [[nodiscard]] const Mapping& mapping(std::size_t solution) const {
    return result_.mappings[solution];
  }
  [[nodiscard]] std::size_t known() const { return result_.mappings.size(); }
  /// Whether a mapping, which may have been found for other sizes, is feasible today.
  [[nodiscard]] bool fits_today(std::size_t solution) const { return fits_today_[solution]; }
  [[nodiscard]] double seconds() const { return budget_.seconds(); }

 private:
  /// Of the mappings known, the best one for this accelerator.
  [[nodiscard]] std::optional<Mapping> best_known(const Architecture& architecture) const {
    std::optional<std::size_t> best;
    Rational least;
    for (std::size_t k = 0; k < known(); ++k) {
      if (find_violation(architecture, layer_, mapping(k), question_.pricing.padding)) continue;
      Rational value_here = value(architecture, k);
      if (best && value_here >= least) continue;
      best = k;
      least = std::move(value_here);
    }
    return best ? std::optional(mapping(*best)) : std::nullopt;
  }

  Solution counted(Solution solution) {
    result_.add_search(solution);
    ++result_.solves;
    return solution;
  }

  const Architecture& a_;
  const Workload& layer_;
  Question question_;
  const RunLimits& limits_;
  run::Budget budget_;
  Sensitivity& result_;
  std::vector<bool> fits_today_;  // by solution
};

/// An energy that varies. Energies enter every goal linearly, because no latency depends on them:
/// the curve of a mapping is one line.
class VariedEnergy final : public pimbb::answers::VariedProblem {
 public:
  VariedEnergy(LayerSearches& searches, const Figure& figure)
      : searches_(searches), figure_(figure) {}

  [[nodiscard]] bool is_linear() const override { return true; }

  [[nodiscard]] const ValueCurve& curve(std::size_t solution) override {
    if (curves_.size() <= solution) curves_.resize(solution + 1);
    if (!curves_[solution]) {
      const auto at = [&](const Rational& p) {
        return searches_.value(figure_.changed(searches_.today(), p), solution);
      };
      curves_[solution] = std::make_unique<ValueCurve>(
          std::vector{pimbb::answers::line_through(1, at(1), 2, at(2))});
    }
    return *curves_[solution];
  }

  Found cheaper(const Rational& p, const Rational& limit) override {
    for (std::size_t k = 1; k < searches_.known(); ++k) {
      if (searches_.fits_today(k) && curve(k).at(p) < limit) return {Found::State::found, k};
    }
    const Found found = best(p);
    if (found.state == Found::State::found && curve(found.solution).at(p) >= limit) {
      return {Found::State::none, 0};
    }
    return found;
  }

  Found best(const Rational& p) override try {
    const auto solution = searches_.solve(figure_.changed(searches_.today(), p));
    if (!solution || solution->status != Status::optimal) return {Found::State::stopped, 0};
    return {Found::State::found, searches_.number_of(*solution->mapping)};
  } catch (const InputError&) {  // all but the figure is as it is today
    return {Found::State::too_fine, 0};
  }

  /// Lines need no lists.
  std::optional<std::vector<std::size_t>> all_within(const Rational&, const Rational&,
                                                     const Wanted&) override {
    return std::nullopt;
  }

 private:
  LayerSearches& searches_;
  const Figure& figure_;
  std::vector<std::unique_ptr<ValueCurve>> curves_;  // by solution, where made
};

/// A size that varies, or a shape, of which every value is a problem of its own.
class SizedFigure final : public pimbb::answers::SizedProblem {
 public:
  SizedFigure(LayerSearches& searches, const Figure& figure)
      : searches_(searches), figure_(figure) {}

  Optimum best(std::int64_t size, const Known& known) override try {
    const auto solution = searches_.solve(figure_.changed(searches_.today(), size), known.least);
    if (!solution) return {.stopped = true};
    if (solution->status == Status::infeasible) return {};
    if (solution->status != Status::optimal) return {.stopped = true};
    const Rational& value = solution->goals.front().value;
    if (known.below && value >= *known.below) return {};
    const std::int64_t need =
        figure_.need ? figure_.need(searches_.layer(), *solution->mapping) : size;
    return {.value = value, .solution = searches_.number_of(*solution->mapping), .need = need};
  } catch (const InputError&) {  // too many digits, of a bandwidth
    return {.stopped = true};
  }

 private:
  LayerSearches& searches_;
  const Figure& figure_;
};

FigureSensitivity answer(LayerSearches& searches, const Figure& figure,
                         const SensitivityOptions& options, const Rational& value) {
  auto asked = figure.asked(searches.layer(), searches.mapping(0));
  asked.matters = figure.kind != FigureKind::energy || searches.goal() != Goal::latency;
  if (figure.is_axis && !options.range) {  // wide axes have too many schemes
    const double reach = (figure.today * options.reach).to_double();
    if (reach < static_cast<double>(asked.useful)) asked.useful = static_cast<std::int64_t>(reach);
  }
  // Shapes are bandwidths, which only divide times: of these, latencies are sums and maxima.
  asked.never_hurts = true;
  asked.varied = [&] { return std::make_unique<VariedEnergy>(searches, figure); };
  asked.sized = [&] { return std::make_unique<SizedFigure>(searches, figure); };
  return pimbb::answers::answer(asked, options, value);
}

void check_sensitivity(const Question& question, const SensitivityOptions& options) {
  if (question.is_restricted()) {
    throw InputError("sensitivity: found a restricted space, allowed are all mappings");
  }
  if (!question.caps.empty()) {
    throw InputError("sensitivity: found a limit on a goal, allowed is none");
  }
  if (question.pricing.semantics == Semantics::simulator) {
    throw InputError("sensitivity: found semantics 'simulator', allowed are recursion and table3");
  }
  if (question.pricing.padding != Padding::exact) {
    throw InputError("sensitivity: found bounds that may be padded, allowed is padding 'exact'");
  }
  pimbb::answers::check(options);
}

}  // namespace
}  // namespace figures

std::vector<std::string> figure_paths(const Architecture& architecture) {
  std::vector<std::string> paths;
  for (const figures::Figure& figure : figures::figures_of(architecture)) {
    paths.push_back(figure.path);
  }
  return paths;
}

Sensitivity sensitivity(const Architecture& architecture, const Workload& workload,
                        const Question& question, const SensitivityOptions& options,
                        const RunLimits& limits) {
  figures::check_sensitivity(question, options);
  const std::vector<figures::Figure> all = figures::figures_of(architecture);
  const std::vector<std::size_t> chosen =
      pimbb::answers::chosen_figures(figure_paths(architecture), options);
  Sensitivity result;
  figures::LayerSearches searches(architecture, workload, question, limits, result);
  const Solution today = searches.solve_today();
  result.threads = run::thread_count(limits);
  if (today.status == Status::infeasible) {
    result.status = SensitivityStatus::infeasible;
    result.reason = today.reason.empty() ? "no mapping is feasible" : today.reason;
  } else if (today.status == Status::optimal) {
    result.metrics = today.metrics;
    result.value = today.goals.front().value;
    searches.number_of(*today.mapping);
    for (const std::size_t k : chosen) {
      result.figures.push_back(figures::answer(searches, all[k], options, result.value));
    }
    if (std::ranges::all_of(result.figures, &FigureSensitivity::complete)) {
      result.status = SensitivityStatus::complete;
    }
  }
  result.seconds = searches.seconds();
  return result;
}

}  // namespace pimbb::cim
