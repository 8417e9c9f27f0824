// Turns of all walks in parallel; what they share is decided between turns.
#include "crossbar/assign/local_search.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "crossbar/schedule/neighbours.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::crossbar::assign {
namespace {

constexpr std::size_t kWalks = 8;
constexpr std::size_t kEvaluationsOfTurn = 32;
constexpr std::size_t kDrawsOfTurn = 64 * kEvaluationsOfTurn;  // also of what is not legal
constexpr std::size_t kLate = 24;                              // steps
constexpr std::uint64_t kTurnsBetweenRestarts = 16;
constexpr std::array<int, 8> kSteps{1, 1, 1, 1, 2, 2, 4, 8};  // of a neighbour, by chance

class Walker {
 public:
  Walker(const Problem& problem, const Goals& goals, const Walk& from, std::uint64_t seed)
      : goals_(goals), neighbours_(problem.a, problem.p, seed), random_(~seed) {
    restart(from);
    best_ = from;
  }

  void restart(const Walk& from) {
    now_ = from;
    late_.fill(from.values);
  }

  /// Evaluations made.
  std::uint64_t turn(const std::function<bool()>& stop) {
    std::uint64_t made = 0;
    for (std::size_t i = 0; i < kDrawsOfTurn && made < kEvaluationsOfTurn; ++i) {
      if (stop && stop()) break;
      std::optional<Mapping> next = draw();
      if (!next) continue;
      ++made;
      Values& before = late_[step_++ % kLate];
      std::optional<Values> values = goals_.values_within(*next, std::max(before, now_.values));
      if (values) now_ = {std::move(*next), std::move(*values)};
      if (now_.values < best_.values) best_ = now_;
      before = now_.values;
    }
    return made;
  }

  [[nodiscard]] const Walk& best() const { return best_; }
  [[nodiscard]] const Walk& now() const { return now_; }

 private:
  std::optional<Mapping> draw() {
    std::optional<Mapping> mapping = neighbours_.draw(now_.mapping);
    const int steps = kSteps[random_.below(kSteps.size())];
    for (int i = 1; i < steps && mapping; ++i) {
      std::optional<Mapping> next = neighbours_.draw(*mapping);
      if (next) mapping = std::move(next);
    }
    return mapping;
  }

  const Goals& goals_;
  schedule::Neighbours neighbours_;
  SplitMix64 random_;
  Walk now_;
  Walk best_;
  std::array<Values, kLate> late_;  // values some steps ago
  std::size_t step_ = 0;
};

}  // namespace

Goals::Goals(const Problem& problem, const std::vector<Estimate>& goals, Mode mode) {
  for (const Estimate goal : goals) estimators_.emplace_back(problem.a, problem.p, goal, mode);
}

Values Goals::values(const Mapping& mapping) const {
  Values values;
  for (const cost::Estimator& estimator : estimators_) values.push_back(estimator.value(mapping));
  return values;
}

std::optional<Values> Goals::values_within(const Mapping& mapping, const Values& most) const {
  Values values;
  bool equal = true;
  for (std::size_t i = 0; i < estimators_.size(); ++i) {
    values.push_back(estimators_[i].value(mapping));
    if (equal && values[i] > most[i]) return std::nullopt;
    equal = equal && values[i] == most[i];
  }
  return values;
}

WalkResult walk(const Problem& problem, const Goals& goals, std::vector<Walk> from,
                const WalkLimits& limits) {
  std::ranges::stable_sort(from, {}, &Walk::values);
  WalkResult result{from.front(), 0};
  std::vector<Walker> walkers;
  walkers.reserve(kWalks);
  for (std::size_t i = 0; i < kWalks; ++i) {
    walkers.emplace_back(problem, goals, from[i % from.size()], limits.seed + i);
  }
  std::vector<std::uint64_t> made(kWalks);
  for (std::uint64_t turn = 1; result.evaluations < limits.evaluations; ++turn) {
    if (result.best.values <= limits.enough || (limits.stop && limits.stop())) break;
    run::parallel_for(kWalks, [&](std::size_t i) { made[i] = walkers[i].turn(limits.stop); });
    std::uint64_t all = 0;
    for (std::size_t i = 0; i < kWalks; ++i) {
      all += made[i];
      if (walkers[i].best().values >= result.best.values) continue;
      result.best = walkers[i].best();
      if (limits.on_better) limits.on_better(result.best);
    }
    result.evaluations += all;
    if (all == 0) break;  // there are no neighbours
    if (turn % kTurnsBetweenRestarts != 0) continue;
    std::array<std::size_t, kWalks> order{};
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return walkers[i].now().values; });
    for (std::size_t i = kWalks / 2; i < kWalks; ++i) walkers[order[i]].restart(result.best);
  }
  return result;
}

}  // namespace pimbb::crossbar::assign
