// Searches with some of the constraints, and with other sizes.
#include "pimbb/dram_pim/explain.hpp"

#include <algorithm>

#include "answers/explainable.hpp"
#include "dram_pim/answers/constraint_list.hpp"
#include "dram_pim/answers/varied_layer.hpp"
#include "dram_pim/mapper/smallest.hpp"
#include "pimbb/error.hpp"
#include "run/threads.hpp"

namespace pimbb::dram_pim {
namespace answers {
namespace {

using pimbb::answers::Explainable;
using pimbb::answers::Kept;

/// Sizes of a row that are tried one by one where costs are limited.
constexpr std::int64_t kRowsTried = 256;

/// A search's answer to the question of feasibility.
struct Trial {
  Explainable::Verdict verdict = Explainable::Verdict::stopped;
  std::optional<Mapping> mapping = {};
};

/// One limit a goal, so that every limit is a constraint of its own.
std::vector<GoalCap> tightest(const std::vector<GoalCap>& all) {
  std::vector<GoalCap> caps;
  for (const GoalCap& cap : all) {
    const auto known = std::ranges::find(caps, cap.goal, &GoalCap::goal);
    if (known == caps.end()) {
      caps.push_back(cap);
    } else {
      known->most = std::min(known->most, cap.most);
    }
  }
  return caps;
}

class LayerProblem final : public Explainable {
 public:
  LayerProblem(LayerSearches& searches, const Question& question)
      : searches_(searches), question_(question) {
    question_.caps = tightest(question.all_caps());
    question_.at_most.reset();
    parts_ = constraints_of(searches.today(), searches.workload(), question_);
    for (const Droppable& part : parts_) constraints_.push_back(part.constraint);
  }

  [[nodiscard]] const std::vector<ProblemConstraint>& constraints() const override {
    return constraints_;
  }

  Verdict decide(const Kept& kept) override { return trial(problem_with(kept)).verdict; }

  LeastChange least_change(const Kept& kept, std::size_t k) override {
    if (parts_[k].limited) return least_cost(kept, k);
    const Problem problem = problem_with(kept);
    const bool is_monotone =
        parts_[k].size->kind == FigureKind::size || problem.question.caps.empty();
    return is_monotone ? least_size(problem, *parts_[k].size)
                       : nearest_size(problem, *parts_[k].size);
  }

 private:
  [[nodiscard]] Problem problem_with(const Kept& kept) const {
    Problem problem{searches_.today(), question_};
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (!kept[k]) parts_[k].drop(problem);
    }
    fold_columns(problem, searches_.workload());
    return problem;
  }

  /// Whether nothing but sizes, stored tensors and the dataflow limits the mappings: then the
  /// smallest mapping is feasible, or none is (mapper/smallest.hpp).
  [[nodiscard]] static bool is_plain(const Question& question) {
    return question.caps.empty() && !question.constraints.any() &&
           question.layouts == LayoutRanges{};
  }

  Trial trial(const Problem& problem) {
    const Workload& w = searches_.workload();
    if (is_plain(problem.question)) {
      const Architecture& a = problem.architecture;
      if (!mapper::obstacle(a, w, problem.question.method).empty()) return {Verdict::infeasible};
      return {Verdict::feasible, mapper::smallest_mapping(a, w, problem.question.method)};
    }
    Question question = problem.question;
    const Goal goal = question.caps.empty() ? Goal::activations : question.caps.front().goal;
    question.objective.goals = {goal};
    std::optional<Solution> solution = searches_.solve(problem.architecture, question);
    if (!solution) return {};
    if (solution->status == Status::infeasible) return {Verdict::infeasible};
    if (!solution->mapping) return {};
    return {Verdict::feasible, std::move(solution->mapping)};
  }

  pimbb::answers::SizeTrial trial_at(const Problem& problem, const Figure& size, std::int64_t x) {
    const Trial found = trial({size.changed(problem.architecture, x), problem.question});
    return {found.verdict, found.mapping ? size.need(searches_.workload(), *found.mapping) : 0};
  }

  LeastChange least_size(const Problem& problem, const Figure& size) {
    return pimbb::answers::least_size(*size.today.in_units(1), size.most(searches_.workload()),
                                      [&](std::int64_t x) { return trial_at(problem, size, x); });
  }

  /// More of the size may cost more: all are tried, the nearest first. From `most` on nothing
  /// changes any more.
  LeastChange nearest_size(const Problem& problem, const Figure& size) {
    const std::int64_t most = size.most(searches_.workload());
    const std::int64_t today = *size.today.in_units(1);
    for (std::int64_t change = 1; change <= kRowsTried; ++change) {
      const bool has_larger = today + change <= most;
      const bool has_smaller = today - change >= size.least;
      if (!has_larger && !has_smaller) return {LeastChange::Reason::none};
      for (const std::int64_t at : {today + change, today - change}) {
        if (at > today ? !has_larger : !has_smaller) continue;
        const Verdict found = trial_at(problem, size, at).verdict;
        if (found == Verdict::stopped) {
          return {LeastChange::Reason::open, std::nullopt, today + change - 1};
        }
        if (found == Verdict::feasible) return {LeastChange::Reason::enough, at};
      }
    }
    return {LeastChange::Reason::open, std::nullopt, today + kRowsTried};
  }

  /// The least of a limited cost within everything else.
  LeastChange least_cost(const Kept& kept, std::size_t k) {
    Kept others = kept;
    others[k] = false;
    const Problem problem = problem_with(others);
    Question question = problem.question;
    question.objective.goals = {*parts_[k].limited};
    const std::optional<Solution> solution = searches_.solve(problem.architecture, question);
    if (!solution) return {};
    if (solution->status == Status::infeasible) return {LeastChange::Reason::none};
    if (!solution->mapping) return {};
    const GoalResult& found = solution->goals.front();
    if (solution->status == Status::optimal) return {LeastChange::Reason::enough, found.value};
    return {LeastChange::Reason::open, found.value};
  }

  LayerSearches& searches_;
  Question question_;
  std::vector<Droppable> parts_;
  std::vector<ProblemConstraint> constraints_;
};

void check_explained(const Workload& workload, const Question& question) {
  if (is_heuristic(question.method)) {
    throw InputError("explain: found method '" + std::string(name(question.method)) +
                     "', allowed are exact and the dataflows");
  }
  if (question.below || question.precedence.any()) {
    throw InputError("explain: found " +
                     std::string(question.below ? "a value to beat" : "a precedence of loops") +
                     ", allowed are limits on goals and constraints");
  }
  if (workload.may_be_padded()) {
    throw InputError("explain: layer '" + workload.name +
                     "' may be padded; allowed are layers without padding");
  }
}

}  // namespace
}  // namespace answers

Explanation explain(const Architecture& architecture, const Workload& workload,
                    const Question& question, const RunLimits& limits) {
  answers::check_explained(workload, question);
  answers::LayerSearches searches(architecture, workload, question, limits);
  answers::LayerProblem problem(searches, question);
  pimbb::answers::Explained explained = pimbb::answers::explain(problem);
  Explanation result;
  result.status = explained.status;
  result.constraints = problem.constraints();
  result.conflict = std::move(explained.conflict);
  static_cast<SolveStatistics&>(result) = searches.spent();
  result.solves = searches.solves();
  result.seconds = searches.seconds();
  result.threads = run::thread_count(limits);
  return result;
}

}  // namespace pimbb::dram_pim
