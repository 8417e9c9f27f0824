// Searches with some of the constraints, with other sizes and without limits.
#include "pimbb/cim/explain.hpp"

#include <algorithm>
#include <map>

#include "answers/explainable.hpp"
#include "cim/answers/constraint_list.hpp"
#include "cim/solver/any_mapping.hpp"
#include "pimbb/error.hpp"
#include "run/budget.hpp"
#include "run/threads.hpp"

namespace pimbb::cim {
namespace conflicts {
namespace {

using pimbb::answers::Explainable;
using pimbb::answers::Kept;

class ExplainedLayer final : public Explainable {
 public:
  ExplainedLayer(const Architecture& a, const Workload& w, const Question& question,
                 const RunLimits& limits, Explanation& result)
      : a_(a),
        w_(w),
        question_(question),
        budget_(limits, [this] { return result_.labels; }),
        result_(result),
        parts_(constraints_of(a, w, question)) {
    for (const Droppable& part : parts_) constraints_.push_back(part.constraint);
  }

  [[nodiscard]] const std::vector<ProblemConstraint>& constraints() const override {
    return constraints_;
  }

  Verdict decide(const Kept& kept) override { return trial(problem_with(kept)).verdict; }

  LeastChange least_change(const Kept& kept, std::size_t k) override {
    if (parts_[k].limited) return least_cost(kept, k);
    return least_size(kept, k);
  }

  [[nodiscard]] double seconds() const { return budget_.seconds(); }

 private:
  struct Trial {
    Verdict verdict = Verdict::stopped;
    std::optional<Mapping> mapping = {};
  };

  [[nodiscard]] Relaxed problem_with(const Kept& kept) const {
    Relaxed problem{a_, question_};
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (!kept[k]) parts_[k].drop(problem);
    }
    return problem;
  }

  /// Any mapping; a limited goal guides the search, because its bounds close what breaks the limit.
  Trial trial(const Relaxed& problem) {
    Question question = problem.question;
    question.objective.goals = {question.caps.empty() ? Goal::latency : question.caps[0].goal};
    const std::optional<RunLimits> rest = budget_.left();
    if (!rest) return {};
    try {
      Solution found = counted(mapper::any_mapping(problem.architecture, w_, question, *rest));
      if (found.status == Status::infeasible) return {Verdict::infeasible};
      if (!found.mapping) return {};
      return {Verdict::feasible, std::move(found.mapping)};
    } catch (const LimitError&) {
      return {};
    }
  }

  LeastChange least_size(const Kept& kept, std::size_t k) {
    const figures::Figure& size = *parts_[k].size;
    Kept without = kept;
    without[k] = false;
    const Verdict possible = decide(without);
    if (possible == Verdict::infeasible) return {LeastChange::Reason::none};
    if (possible == Verdict::stopped) return {};
    const Relaxed problem = problem_with(kept);
    const std::int64_t today = pimbb::answers::integer_of(size.today);
    const auto used_of = [&](std::int64_t x) { return size.usable ? size.usable(w_, x) : x; };
    std::map<std::int64_t, pimbb::answers::SizeTrial> known{
        {used_of(today), {Verdict::infeasible, 0}}};
    const auto at = [&](std::int64_t x) {
      const std::int64_t used = used_of(x);
      const auto same = known.find(used);
      if (same != known.end()) return same->second;
      const Trial found = trial({size.changed(problem.architecture, used), problem.question});
      const std::int64_t need = found.mapping ? size.need(w_, *found.mapping) : 0;
      return known[used] = {found.verdict, need};
    };
    return pimbb::answers::least_size(today, size.most(w_), at);
  }

  /// The least of a limited cost within everything else.
  LeastChange least_cost(const Kept& kept, std::size_t k) {
    Kept others = kept;
    others[k] = false;
    const Relaxed problem = problem_with(others);
    Question question = problem.question;
    question.objective.goals = {*parts_[k].limited};
    const std::optional<RunLimits> rest = budget_.left();
    if (!rest) return {};
    try {
      const Solution found = counted(solve(problem.architecture, w_, question, *rest));
      if (found.status == Status::infeasible) return {LeastChange::Reason::none};
      const bool is_known = found.mapping && keeps(question, *found.metrics);
      if (!is_known) return {};
      const Rational& value = found.goals.front().value;
      if (found.status == Status::optimal) return {LeastChange::Reason::enough, value};
      return {LeastChange::Reason::open, value};
    } catch (const LimitError&) {
      return {};
    }
  }

  /// What a search that is stopped answers with need not keep the limits.
  static bool keeps(const Question& question, const Metrics& metrics) {
    return std::ranges::all_of(question.caps, [&](const GoalCap& cap) {
      return question.objective.value(cap.goal, metrics.latency, metrics.energy) <= cap.most;
    });
  }

  Solution counted(Solution solution) {
    result_.add_search(solution);
    ++result_.solves;
    return solution;
  }

  const Architecture& a_;
  const Workload& w_;
  const Question& question_;
  run::Budget budget_;
  Explanation& result_;
  std::vector<Droppable> parts_;
  std::vector<ProblemConstraint> constraints_;
};

void check_explained(const Question& question) {
  if (question.method == Method::greedy) {
    throw InputError("explain: found method 'greedy', allowed are exact and ws");
  }
  if (question.pricing.semantics == Semantics::simulator) {
    throw InputError("explain: found semantics 'simulator', allowed are recursion and table3");
  }
}

}  // namespace
}  // namespace conflicts

Explanation explain(const Architecture& architecture, const Workload& workload,
                    const Question& question, const RunLimits& limits) {
  conflicts::check_explained(question);
  validate(architecture);
  validate(workload);
  Explanation result;
  conflicts::ExplainedLayer problem(architecture, workload, question, limits, result);
  pimbb::answers::Explained explained = pimbb::answers::explain(problem);
  result.status = explained.status;
  result.constraints = problem.constraints();
  result.conflict = std::move(explained.conflict);
  result.seconds = problem.seconds();
  result.threads = run::thread_count(limits);
  return result;
}

}  // namespace pimbb::cim
