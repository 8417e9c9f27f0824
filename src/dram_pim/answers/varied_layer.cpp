// Solves on changed accelerators, and curves from the evaluator's counts.
#include "dram_pim/answers/varied_layer.hpp"

#include <algorithm>
#include <utility>

#include "dram_pim/answers/class_text.hpp"
#include "dram_pim/cost/latency_terms.hpp"
#include "dram_pim/mapper/scale.hpp"
#include "dram_pim/mapper/target.hpp"
#include "pimbb/dram_pim/feasibility.hpp"
#include "pimbb/dram_pim/top.hpp"
#include "pimbb/error.hpp"

namespace pimbb::dram_pim::answers {
namespace {

using pimbb::answers::Line;
using pimbb::answers::ValueCurve;

/// What a list of all classes may take: nodes of the first solve, and in any case; and its length.
constexpr std::uint64_t kListSolves = 10;
constexpr std::uint64_t kListNodes = 20'000;
constexpr std::uint64_t kListed = 20'000;

}  // namespace

LayerSearches::LayerSearches(const Architecture& architecture, const Workload& workload,
                             Question question, RunLimits limits)
    : a_(architecture),
      w_(workload),
      question_(std::move(question)),
      budget_(std::move(limits), [this] { return spent_.nodes; }) {
  question_.objective.goals.resize(1);
}

void LayerSearches::count(const Solution& solution) {
  if (solves_ == 0) first_nodes_ = solution.nodes;
  ++solves_;
  spent_ += solution;
}

std::optional<Solution> LayerSearches::solve(const Architecture& architecture,
                                             const std::optional<Rational>& below) {
  Question question = question_;
  question.below = below;
  return solve(architecture, question);
}

std::optional<Solution> LayerSearches::solve(const Architecture& architecture,
                                             const Question& question) {
  const std::optional<RunLimits> rest = budget_.left();
  if (!rest) return std::nullopt;
  try {
    Solution solution = dram_pim::solve(architecture, w_, question, *rest);
    count(solution);
    return solution;
  } catch (const LimitError&) {
    return std::nullopt;
  }
}

std::optional<std::vector<Mapping>> LayerSearches::all_within(const Architecture& architecture,
                                                              const Rational& share) {
  std::optional<RunLimits> rest = budget_.left();
  if (!rest) return std::nullopt;
  const std::uint64_t nodes = std::max(kListNodes, kListSolves * first_nodes_);
  rest->node_limit = std::min(rest->node_limit.value_or(nodes), nodes);
  try {
    const TopClasses top =
        best_mappings(architecture, w_, question_, {.most = kListed, .within = share}, *rest);
    spent_ += top;
    solves_ += 2;  // the optimum, and the classes
    if (top.status != TopStatus::complete || top.within->classes > top.classes.size()) {
      return std::nullopt;
    }
    std::vector<Mapping> mappings;
    for (const MappingClass& c : top.classes) mappings.push_back(c.mapping);
    return mappings;
  } catch (const LimitError&) {
    return std::nullopt;
  }
}

std::size_t LayerSearches::number_of(const Mapping& mapping) {
  std::string text = class_text(a_, mapping);
  const auto [place, is_new] = numbers_.emplace(text, known_.size());
  if (!is_new) return place->second;
  Known& known = known_.emplace_back();
  known.mapping = mapping;
  known.text = std::move(text);
  known.fits_today = !find_violation(a_, w_, mapping).has_value();
  if (known.fits_today) {
    known.row_activations = evaluate(a_, w_, mapping, question_.row_model).row_activations;
  }
  return known_.size() - 1;
}

bool LayerSearches::can_compute(const Architecture& architecture) const {
  try {
    const mapper::Scale scale = mapper::make_scale(architecture, w_);
    static_cast<void>(mapper::Target(scale, question_.objective, goal()));
    return true;
  } catch (const InputError&) {  // too many digits: all else is as it is today
    return false;
  }
}

Architecture VariedFigure::at(const Rational& p) const {
  return figure_.changed(searches_.today(), figure_.kind == FigureKind::rate ? Rational(1) / p : p);
}

/// From two points, between which every term is linear. A goal grows with the latency, so its
/// greatest term belongs to the greatest of the latency.
ValueCurve VariedFigure::curve_of(const Mapping& mapping,
                                  const PerTensor<Rational>& row_activations) const {
  const Objective& objective = searches_.question().objective;
  const auto values = [&](const Rational& p) {
    const Architecture a = at(p);
    const Metrics metrics = evaluate_with_rows(a, searches_.workload(), mapping, row_activations);
    std::vector<Rational> all;
    for (const Rational& term : latency_terms(a, mapping, metrics)) {
      all.push_back(objective.value(searches_.goal(),
                                    GoalCosts{term, metrics.energy, metrics.activations()}));
    }
    return all;
  };
  const Rational one = 1, two = 2;
  const std::vector<Rational> at_one = values(one), at_two = values(two);
  std::vector<Line> lines;
  for (std::size_t k = 0; k < at_one.size(); ++k) {
    lines.push_back(pimbb::answers::line_through(one, at_one[k], two, at_two[k]));
  }
  return ValueCurve(std::move(lines));
}

const ValueCurve& VariedFigure::curve(std::size_t solution) {
  if (curves_.size() <= solution) curves_.resize(solution + 1);
  if (!curves_[solution]) {
    const LayerSearches::Known& known = searches_.known()[solution];
    curves_[solution] =
        std::make_unique<ValueCurve>(curve_of(known.mapping, known.row_activations));
  }
  return *curves_[solution];
}

std::pair<Rational, std::size_t> VariedFigure::least_known(const Rational& p) {
  std::pair<Rational, std::size_t> least{curve(0).at(p), 0};
  for (std::size_t k = 1; k < searches_.known().size(); ++k) {
    if (!searches_.known()[k].fits_today) continue;
    Rational value = curve(k).at(p);
    if (value < least.first) least = {std::move(value), k};
  }
  return least;
}

VariedFigure::Found VariedFigure::solve(const Rational& p, const Rational& below, bool best) {
  const Architecture a = at(p);
  if (!searches_.can_compute(a)) return {Found::State::too_fine, 0};
  const std::optional<Solution> solution = searches_.solve(a, below);
  if (!solution) return {Found::State::stopped, 0};
  if (solution->status == Status::infeasible) return {Found::State::none, 0};
  if (!solution->mapping || (best && solution->status != Status::optimal)) {
    return {Found::State::stopped, 0};
  }
  return {Found::State::found, searches_.number_of(*solution->mapping)};
}

VariedFigure::Found VariedFigure::cheaper(const Rational& p, const Rational& limit) {
  const auto [value, known] = least_known(p);
  if (value < limit) return {Found::State::found, known};
  return solve(p, limit, false);
}

VariedFigure::Found VariedFigure::best(const Rational& p) {
  const auto [value, known] = least_known(p);
  const Found better = solve(p, value, true);
  return better.state == Found::State::none ? Found{Found::State::found, known} : better;
}

std::optional<std::vector<std::size_t>> VariedFigure::all_within(const Rational& p,
                                                                 const Rational& most,
                                                                 const Wanted& wanted) {
  const Architecture a = at(p);
  if (!searches_.can_compute(a)) return std::nullopt;
  const Rational optimum = least_known(p).first;
  if (optimum.sign() == 0) return std::nullopt;
  const Rational share = max(most / optimum - Rational(1), 0);
  const auto mappings = searches_.all_within(a, share);
  if (!mappings) return std::nullopt;
  std::vector<std::size_t> numbers;
  for (const Mapping& mapping : *mappings) {
    const Metrics today =
        evaluate(searches_.today(), searches_.workload(), mapping, searches_.question().row_model);
    if (wanted(curve_of(mapping, today.row_activations))) {
      numbers.push_back(searches_.number_of(mapping));
    }
  }
  return numbers;
}

SizedFigure::Optimum SizedFigure::best(std::int64_t size, const Known& known) {
  const std::optional<Solution> solution =
      searches_.solve(figure_.changed(searches_.today(), size), known.below);
  if (!solution) return {.stopped = true};
  if (solution->status == Status::infeasible) return {};
  if (solution->status != Status::optimal) return {.stopped = true};
  const std::size_t number = searches_.number_of(*solution->mapping);
  const std::int64_t need =
      figure_.need ? figure_.need(searches_.workload(), *solution->mapping) : size;
  return {.value = solution->goals.front().value, .solution = number, .need = need};
}

}  // namespace pimbb::dram_pim::answers
