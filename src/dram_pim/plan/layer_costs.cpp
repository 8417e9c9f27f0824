// Solves by key, those of a list together.
#include "dram_pim/plan/layer_costs.hpp"

#include <algorithm>

#include "dram_pim/network/together.hpp"
#include "dram_pim/network/totals.hpp"
#include "dram_pim/solver/choice_floors.hpp"

namespace pimbb::dram_pim::network {

LayerCosts::Key LayerCosts::key(const LayerQuestion& question) {
  const Workload& w = question.workload;
  return {mapper::LayerStore::key(w), w.input_frame, w.output_frame, question.input,
          question.output};
}

std::vector<const LayerAnswer*> LayerCosts::answers(const std::vector<LayerQuestion>& questions) {
  std::vector<const LayerAnswer*> all;
  std::vector<LayerAnswer*> open;
  std::vector<LayerQuestion> asked;
  for (const LayerQuestion& question : questions) {
    const auto [place, is_new] = known_.try_emplace(key(question));
    LayerAnswer& known = place->second;
    if (is_new) known.bound = search::Value(Values(question_.objective.goals.size()));
    all.push_back(&known);
    const auto same = std::ranges::find(open, &known);
    if (same != open.end()) {
      std::optional<Rational>& limit = asked[static_cast<std::size_t>(same - open.begin())].at_most;
      if (limit) limit = question.at_most ? max(*limit, *question.at_most) : question.at_most;
      continue;
    }
    const bool enough = !is_new && question.at_most && *question.at_most <= known.bound.goals()[0];
    if (known.settled() || enough) continue;
    open.push_back(&known);
    asked.push_back(question);
  }
  RunLimits rest = limits_;
  rest.memory_limit -= layers_.bytes();
  std::vector<Solution> solutions = solve_together(
      rest, open.size(),
      [&](std::size_t k, const RunLimits& limits) { return solved(asked[k], limits); });
  for (std::size_t k = 0; k < open.size(); ++k) {
    take(*open[k], std::move(solutions[k]), asked[k].at_most);
  }
  solves_ += open.size();
  return all;
}

Solution LayerCosts::solved(const LayerQuestion& layer, RunLimits limits) const {
  Question question = question_;
  question.layouts[index(Tensor::input)] = layer.input;
  question.layouts[index(Tensor::output)] = layer.output;
  question.at_most = layer.at_most;
  limits.time_limit = clock_.left();
  return mapper::solve_beyond(a_, layer.workload, question, limits, {}, &layers_);
}

void LayerCosts::take(LayerAnswer& answer, Solution solution,
                      const std::optional<Rational>& at_most) const {
  answer.solution = std::move(solution);
  Values bound;
  if (answer.solution.status == Status::infeasible) {
    if (!at_most) {
      answer.bound = search::Value();
      return;
    }
    bound = {*at_most};  // and more than that
  } else {
    bound = floor_of(answer.solution.goals);
    if (!answer.solution.mapping && at_most) bound = {std::min(bound[0], *at_most)};
  }
  bound.resize(question_.objective.goals.size());
  if (answer.bound < search::Value(bound)) answer.bound = search::Value(std::move(bound));
}

}  // namespace pimbb::dram_pim::network
