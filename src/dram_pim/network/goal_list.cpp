// EDP in its place in the list.
#include "dram_pim/network/goal_list.hpp"

#include <algorithm>
#include <cassert>

namespace pimbb::dram_pim::network {
namespace {

std::vector<Goal> goals_before(const Objective& objective, std::size_t place) {
  return {objective.goals.begin(), objective.goals.begin() + static_cast<std::ptrdiff_t>(place)};
}

/// Whether the goals from `first` on have the activations among them.
bool count_activations(const Objective& objective, std::size_t first) {
  const auto begin = objective.goals.begin() + static_cast<std::ptrdiff_t>(first);
  return std::find(begin, objective.goals.end(), Goal::activations) != objective.goals.end();
}

}  // namespace

ListOutcome GoalListSearch::run() {
  const auto edp = std::ranges::find(objective_.goals, Goal::edp);
  if (edp == objective_.goals.end()) {
    return sums(objective_.goals, {objective_.alpha, objective_.beta});
  }
  // A blend of nothing with nothing says nothing.
  const bool blends = objective_.alpha.sign() > 0 || objective_.beta.sign() > 0;
  const bool line = std::any_of(objective_.goals.begin(), edp, [&](Goal goal) {
    return goal == Goal::latency || goal == Goal::energy || (goal == Goal::blended && blends);
  });
  const auto place = static_cast<std::size_t>(edp - objective_.goals.begin());
  return line ? on_a_line(place) : least_product(place);
}

/// A list of goals that are sums; those named twice count once.
ListOutcome GoalListSearch::sums(const std::vector<Goal>& goals, const search::Blend& blend,
                                 const SumsTask& task) {
  Objective objective;
  objective.alpha = blend.alpha;
  objective.beta = blend.beta;
  objective.goals.clear();
  for (const Goal goal : goals) {
    if (std::ranges::count(objective.goals, goal) == 0) objective.goals.push_back(goal);
  }
  assert(objective.is_linear());
  return {solver_.least(objective, task), calls_++, objective};
}

Values GoalListSearch::values(const GoalCosts& totals) const {
  Values values;
  for (const Goal goal : objective_.goals) values.push_back(objective_.value(goal, totals));
  return values;
}

ListOutcome GoalListSearch::on_a_line(std::size_t edp) {
  ListOutcome best;
  std::optional<Values> floor;
  for (const auto& [first, second] :
       {std::pair{Goal::latency, Goal::energy}, std::pair{Goal::energy, Goal::latency}}) {
    std::vector<Goal> goals = goals_before(objective_, edp);
    goals.insert(goals.end(), {first, second});
    if (count_activations(objective_, edp + 1)) goals.push_back(Goal::activations);
    ListOutcome end = sums(goals, {objective_.alpha, objective_.beta});
    if (!end.found) return end;
    const bool proven = end.proven();
    end.value = values(end.totals);
    Values least = end.value;
    if (!proven) {  // of the list that was solved, only the beginning is a claim about ours
      std::ranges::fill(least, Rational());
      std::copy_n(end.floor.begin(), edp, least.begin());
    }
    floor = floor ? std::min(*floor, least) : least;
    if (!best.found || end.value < best.value) best = std::move(end);
  }
  best.floor = std::min(*floor, best.value);
  return best;
}

ListOutcome GoalListSearch::least_product(std::size_t edp) {
  on_the_hull_ = true;
  before_ = goals_before(objective_, edp);
  std::erase(before_, Goal::blended);  // of weights 0
  before_proven_ = true;
  asked_.clear();
  const search::ProductMinimum minimum =
      search::minimise_product([this](const search::AskedBlend& asked) { return support(asked); },
                               [this] { return solver_.stopped() || !asked_.front().found; },
                               [this](const Rational& best, const Rational& bound) {
                                 solver_.report(Goal::edp, &best, std::min(best, bound));
                               },
                               {.rough = before_.empty(), .least_y = solver_.energy_floor()});
  if (!asked_.front().found) return asked_.front();
  ListOutcome best = choose(minimum, edp);
  on_the_hull_ = false;
  return best;
}

/// Answers for least_product.hpp: x is the latency, y the energy.
search::Support GoalListSearch::support(const search::AskedBlend& asked) {
  const search::Blend direction = solver_.fitting(asked);
  SumsTask task{.rough = asked.rough};
  if (asked.enough && before_.empty()) task.enough = asked.enough(direction);
  std::vector<Goal> goals = before_;
  if (direction.beta.sign() == 0) {
    goals.push_back(Goal::latency);
    if (!asked.rough) goals.push_back(Goal::energy);
  } else if (direction.alpha.sign() == 0) {
    goals.push_back(Goal::energy);
    if (!asked.rough) goals.push_back(Goal::latency);
  } else {
    goals.push_back(Goal::blended);
  }
  const ListOutcome& outcome = asked_.emplace_back(sums(goals, direction, task));
  if (!outcome.found) return {direction, {}, {}};
  for (std::size_t k = 0; k < before_.size(); ++k) {
    before_proven_ = before_proven_ && outcome.value[k] == outcome.floor[k];
  }
  return {direction,
          {outcome.totals.latency, outcome.totals.energy, asked_.size() - 1},
          before_proven_ ? outcome.floor[before_.size()] : Rational()};
}

/// Among the minimisers of EDP, by the goals that come after it.
ListOutcome GoalListSearch::choose(const search::ProductMinimum& minimum, std::size_t edp) {
  const bool more = count_activations(objective_, edp + 1);
  bool proven = minimum.proven && before_proven_;
  ListOutcome best;
  for (const search::ProductPoint& point : minimum.best) {
    ListOutcome candidate = asked_[point.id];
    if (more && proven) {
      candidate = best_at(point);
      proven = candidate.proven();
    }
    candidate.value = values(candidate.totals);
    if (!best.found || candidate.value < best.value) best = std::move(candidate);
  }
  best.floor = best.value;
  if (proven) return best;
  // What is known: the goals before it, and if these are proven the bound of EDP.
  std::ranges::fill(best.floor, Rational());
  for (std::size_t k = 0; k < edp; ++k) {
    if (before_proven_) best.floor[k] = best.value[k];
    if (!before_proven_ && objective_.goals[k] == Goal::activations) {
      best.floor[k] = asked_.front().floor.front();
    }
  }
  if (before_proven_) best.floor[edp] = minimum.bound;
  return best;
}

/// The least activations among the mappings of one minimiser of EDP: those that minimise its own
/// direction. Not proven where its weights do not fit.
ListOutcome GoalListSearch::best_at(const search::ProductPoint& point) {
  const search::Blend tangent = search::coprime({point.y, point.x});
  const search::Blend direction = solver_.fitting(tangent);
  std::vector<Goal> goals = before_;
  goals.insert(goals.end(), {Goal::blended, Goal::activations});
  if (std::ranges::count(before_, Goal::activations) > 0) goals.pop_back();
  ListOutcome outcome = sums(goals, direction);
  const bool exact = direction.alpha == tangent.alpha && direction.beta == tangent.beta;
  const bool same =
      outcome.found && outcome.totals.latency == point.x && outcome.totals.energy == point.y;
  if (same && exact) return outcome;
  outcome = asked_[point.id];
  outcome.floor.assign(outcome.value.size(), {});
  return outcome;
}

}  // namespace pimbb::dram_pim::network
