// Searches with some of the constraints, and with other numbers.
#include "pimbb/crossbar/explain.hpp"

#include <algorithm>

#include "answers/explainable.hpp"
#include "crossbar/answers/constraint_list.hpp"
#include "crossbar/answers/searches.hpp"
#include "crossbar/cost/latency.hpp"
#include "pimbb/error.hpp"
#include "run/threads.hpp"

namespace pimbb::crossbar {
namespace within {
namespace {

using pimbb::answers::Explainable;
using pimbb::answers::Kept;

/// Numbers of crossbars that are tried one by one where memory is enforced.
constexpr std::int64_t kCrossbarsTried = 256;

/// The value nearest to `today` that is enough, on the way to `farthest`: whatever is enough is so
/// from there on.
class NearestValue {
 public:
  NearestValue(std::int64_t today, std::int64_t farthest,
               std::function<Verdict(std::int64_t)> decide)
      : decide_(std::move(decide)),
        today_(today),
        up_(farthest >= today),
        length_(up_ ? farthest - today : today - farthest) {}

  LeastChange find() {
    if (length_ == 0) return {LeastChange::Reason::none};
    const Verdict last = at(length_);
    if (last == Verdict::infeasible) return {LeastChange::Reason::none};
    std::int64_t not_enough = 0;  // distances from today
    std::optional<std::int64_t> enough;
    if (last == Verdict::feasible) enough = length_;
    for (std::int64_t way = 1; way < length_; way *= 2) {
      const Verdict found = at(way);
      if (found == Verdict::infeasible) not_enough = way;
      if (found == Verdict::feasible) enough = way;
      if (found == Verdict::feasible || (found == Verdict::stopped && enough)) break;
    }
    if (!enough) return {LeastChange::Reason::open, std::nullopt, value(not_enough)};
    narrow(not_enough, *enough);
    if (not_enough + 1 == *enough) return {LeastChange::Reason::enough, value(*enough)};
    return {LeastChange::Reason::open, value(*enough), value(not_enough)};
  }

 private:
  [[nodiscard]] Rational value(std::int64_t way) const { return up_ ? today_ + way : today_ - way; }
  Verdict at(std::int64_t way) { return decide_(up_ ? today_ + way : today_ - way); }

  /// Bisection. Values that are not decided are between those that are: both sides go on alone.
  void narrow(std::int64_t& not_enough, std::int64_t& enough) {
    std::int64_t low = not_enough;  // low .. open is what may be refuted yet,
    std::int64_t high = enough;     // open .. high what may be enough
    std::optional<std::int64_t> open;
    while (high - low > 1 && !open) {
      const std::int64_t middle = low + (high - low) / 2;
      const Verdict found = at(middle);
      if (found == Verdict::infeasible) low = middle;
      if (found == Verdict::feasible) high = middle;
      if (found == Verdict::stopped) open = middle;
    }
    for (std::int64_t above = open.value_or(high); high - above > 1;) {
      const std::int64_t middle = above + (high - above) / 2;
      (at(middle) == Verdict::feasible ? high : above) = middle;
    }
    for (std::int64_t below = open.value_or(low); below - low > 1;) {
      const std::int64_t middle = low + (below - low) / 2;
      (at(middle) == Verdict::infeasible ? low : below) = middle;
    }
    not_enough = low;
    enough = high;
  }

  std::function<Verdict(std::int64_t)> decide_;
  std::int64_t today_;
  bool up_;
  std::int64_t length_;
};

class NetworkProblem final : public Explainable {
 public:
  NetworkProblem(Searches& searches, const Asked& asked)
      : searches_(searches), asked_(asked), parts_(constraints_of(asked, searches.graph())) {
    for (const NetworkConstraint& part : parts_) constraints_.push_back(part.constraint);
  }

  [[nodiscard]] const std::vector<ProblemConstraint>& constraints() const override {
    return constraints_;
  }

  Verdict decide(const Kept& kept) override { return searches_.decide(problem(kept)).verdict; }

  LeastChange least_change(const Kept& kept, std::size_t k) override {
    const NetworkConstraint& part = parts_[k];
    if (part.limited) return least_limit(kept, k);
    const Asked today = problem(kept);
    const auto decide_at = [&](std::int64_t x) {
      Asked other = today;
      part.set(other.a, x);
      return searches_.decide(other).verdict;
    };
    const std::int64_t now = *part.constraint.today->in_units(1);
    return part.is_monotone ? NearestValue(now, part.farthest, decide_at).find()
                            : nearest_of_all(now, decide_at);
  }

 private:
  [[nodiscard]] Asked problem(const Kept& kept) const {
    Asked asked = asked_;
    for (std::size_t k = 0; k < parts_.size(); ++k) {
      if (!kept[k]) parts_[k].drop(asked);
    }
    return asked;
  }

  static LeastChange nearest_of_all(std::int64_t today,
                                    const std::function<Verdict(std::int64_t)>& decide_at) {
    for (std::int64_t way = 1; way <= kCrossbarsTried; ++way) {
      for (const std::int64_t x : {today + way, today - way}) {
        if (x < 1 || x > kMaxCount) continue;
        const Verdict found = decide_at(x);
        if (found == Verdict::feasible) return {LeastChange::Reason::enough, x};
        if (found == Verdict::stopped) {
          return {LeastChange::Reason::open, std::nullopt, today + way - 1};
        }
      }
    }
    return {LeastChange::Reason::open, std::nullopt, today + kCrossbarsTried};
  }

  LeastChange least_limit(const Kept& kept, std::size_t k) {
    Kept others = kept;
    others[k] = false;
    const Least found = searches_.least(problem(others), *parts_[k].limited);
    if (found.verdict == Verdict::infeasible) return {LeastChange::Reason::none};
    if (found.is_proven()) return {LeastChange::Reason::enough, found.value};
    // Whole numbers of ns below the bound are not enough.
    LeastChange change{LeastChange::Reason::open, found.value};
    const Rational& today = *parts_[k].constraint.today;
    const std::optional<std::int64_t> below = whole(found.bound);
    if (below && found.bound > today) {
      const Rational last = Rational(*below) < found.bound ? *below : *below - 1;
      change.not_enough = max(last, today);
    }
    return change;
  }

  Searches& searches_;
  const Asked& asked_;
  std::vector<NetworkConstraint> parts_;
  std::vector<ProblemConstraint> constraints_;
};

Asked asked_by(const Architecture& a, const NodeGraph& graph, const ExplainQuestion& question) {
  Asked asked{a};
  const Partition partition = make_partition(a, graph);  // validates both
  for (const GoalCap& cap : question.caps) {
    if (cap.most.sign() < 0) {
      throw InputError("explain: found a limit of " + cap.most.to_string() + " ns on " +
                       std::string(name(cap.goal)) + ", allowed are times >= 0");
    }
    if (cap.goal == Goal::ll) {
      const std::string why = cost::why_no_latency(partition);
      if (!why.empty()) {
        throw InputError("explain: found a limit on ll, allowed is one on ht for graph '" +
                         graph.name + "': " + why);
      }
    }
    std::optional<Rational>& most = cap.goal == Goal::ht ? asked.ht : asked.ll;
    most = most ? std::min(*most, cap.most) : cap.most;
  }
  return asked;
}

}  // namespace
}  // namespace within

Explanation explain(const Architecture& architecture, const NodeGraph& graph,
                    const ExplainQuestion& question, const RunLimits& limits) {
  const within::Asked asked = within::asked_by(architecture, graph, question);
  within::Searches searches(graph, question.seed, limits);
  within::NetworkProblem problem(searches, asked);
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

}  // namespace pimbb::crossbar
