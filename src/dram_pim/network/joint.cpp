// Agreements behind the interface of a solver for sums.
#include "dram_pim/network/joint.hpp"

namespace pimbb::dram_pim::network {

JointSearch::JointSearch(LayerPool& pool, const JointOptions& joint)
    : pool_(pool),
      goals_(*this, pool.question().objective),
      search_(pool, joint, [this](const Objective& sums, const Rational* best, const Rational& b) {
        if (!goals_.on_the_hull()) report(sums.goals.front(), best, b);
      }) {}

JointOutcome JointSearch::run() {
  ListOutcome list = goals_.run();
  JointOutcome outcome{answers_[list.answer], std::move(list.sums)};
  outcome.value = std::move(list.value);
  outcome.floor = std::move(list.floor);
  outcome.parts = parts_;
  return outcome;
}

LeastSums JointSearch::least(const Objective& sums, const SumsTask& task) {
  const Outcome& outcome = answers_.emplace_back(search_.run(sums, task));
  parts_ += outcome.parts;
  NetworkTotals totals;
  for (std::size_t i = 0; i < outcome.layers.size(); ++i) {
    add(totals, pool_.layer(i), *outcome.layers[i]->metrics);
  }
  return {!outcome.layers.empty(), outcome.value, outcome.floor, totals.goal_costs()};
}

search::Blend JointSearch::fitting(const search::Blend& direction) {
  if (!fitting_) {
    std::vector<const Workload*> layers;
    for (std::size_t i = 0; i < pool_.size(); ++i) layers.push_back(&pool_.layer(i).workload);
    fitting_.emplace(pool_.architecture(), layers);
  }
  return fitting_->of(direction, direction, 96);
}

void JointSearch::report(Goal goal, const Rational* best, const Rational& bound) {
  const RunLimits& limits = pool_.limits();
  if (!limits.on_progress) return;
  Progress progress;
  progress.goal = name(goal);
  if (best != nullptr) progress.incumbent = best->to_double();
  progress.bound = bound.to_double();
  progress.nodes = pool_.spent().nodes;
  progress.seconds = pool_.seconds();
  limits.on_progress(progress);
}

}  // namespace pimbb::dram_pim::network
