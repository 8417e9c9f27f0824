// Deletion, and one search for each constraint that is left.
//
// Deletion drops the constraints one by one for good, unless what is left has a solution. What
// remains is infeasible, and each of its members was needed in a larger set, so it is in the
// smaller one: fewer constraints have more solutions. A constraint outside the conflict cannot
// repair the problem alone, because the conflict would stay.
#include <algorithm>

#include "answers/explainable.hpp"
#include "answers/size_steps.hpp"

namespace pimbb::answers {
namespace {

using Verdict = Explainable::Verdict;

struct Deletion {
  Kept conflict;
  bool minimal = true;
};

Deletion delete_from(Explainable& problem, Kept kept) {
  Deletion result{std::move(kept), true};
  for (std::size_t k = 0; k < result.conflict.size() && result.minimal; ++k) {
    result.conflict[k] = false;
    const Verdict verdict = problem.decide(result.conflict);
    if (verdict != Verdict::infeasible) result.conflict[k] = true;
    result.minimal = verdict != Verdict::stopped;
  }
  return result;
}

/// A constraint without a number can only be dropped.
LeastChange dropping(Explainable& problem, Kept kept, std::size_t k) {
  kept[k] = false;
  switch (problem.decide(kept)) {
    case Verdict::feasible: return {LeastChange::Reason::enough};
    case Verdict::infeasible: return {LeastChange::Reason::none};
    default: return {LeastChange::Reason::open};
  }
}

/// By how much a repair changes a number, which is >= 0, relative to what it is today.
Rational relative_change(const Repair& repair) {
  const Rational& today = *repair.constraint.today;
  const Rational& then = *repair.change.value;
  const Rational change = then < today ? today - then : then - today;
  return today.sign() == 0 ? change : change / today;
}

/// Repairs with a number first, by relative change; then what can be dropped; then what is open or
/// does not help.
bool comes_before(const Repair& a, const Repair& b) {
  const auto rank = [](const Repair& repair) {
    if (repair.change.reason == LeastChange::Reason::enough) return repair.change.value ? 0 : 1;
    return repair.change.reason == LeastChange::Reason::open ? 2 : 3;
  };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  return rank(a) == 0 && relative_change(a) < relative_change(b);
}

/// What is feasible has the value 0.
class Sized final : public SizedProblem {
 public:
  explicit Sized(const std::function<SizeTrial(std::int64_t)>& at) : at_(at) {}

  Optimum best(std::int64_t size, const Known&) override {
    const SizeTrial found = at_(size);
    if (found.verdict == Verdict::stopped) return {true};
    if (found.verdict == Verdict::infeasible) return {};
    return {false, Rational(0), 0, found.need};
  }

 private:
  const std::function<SizeTrial(std::int64_t)>& at_;
};

bool is_decided(const LeastChange& change) { return change.reason != LeastChange::Reason::open; }

}  // namespace

LeastChange least_size(std::int64_t today, std::int64_t most,
                       const std::function<SizeTrial(std::int64_t)>& at) {
  Sized sized(at);
  const NextStep step = next_larger(sized, today, 1, most);
  switch (step.reason) {
    case NextStep::Reason::step: return {LeastChange::Reason::enough, step.at};
    case NextStep::Reason::none: return {LeastChange::Reason::none};
    default: return {LeastChange::Reason::open, std::nullopt, step.at};
  }
}

Explained explain(Explainable& problem) {
  const std::vector<ProblemConstraint>& all = problem.constraints();
  const Kept whole(all.size(), true);
  Explained result;
  const Verdict verdict = problem.decide(whole);
  if (verdict == Verdict::feasible) result.status = ExplanationStatus::feasible;
  if (verdict != Verdict::infeasible) return result;

  const Deletion deletion = delete_from(problem, whole);
  result.conflict.minimal = deletion.minimal;
  bool complete = deletion.minimal;
  for (std::size_t k = 0; k < all.size(); ++k) {
    if (!deletion.conflict[k]) continue;
    ConflictPart& part = result.conflict.parts.emplace_back(ConflictPart{k, all[k]});
    Repair repair{k, all[k], {}};
    if (all[k].today) {
      part.need = problem.least_change(deletion.conflict, k);
      complete = complete && is_decided(*part.need);
      repair.change = problem.least_change(whole, k);
    } else {
      repair.change = dropping(problem, whole, k);
    }
    complete = complete && is_decided(repair.change);
    result.conflict.repairs.push_back(std::move(repair));
  }
  std::ranges::stable_sort(result.conflict.repairs, comes_before);
  if (complete) result.status = ExplanationStatus::complete;
  return result;
}

}  // namespace pimbb::answers
