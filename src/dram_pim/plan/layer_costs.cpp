// Solves by key, those of a list together.
#include "dram_pim/plan/layer_costs.hpp"

#include <algorithm>

#include "dram_pim/network/together.hpp"
#include "dram_pim/network/totals.hpp"
#include "dram_pim/solver/choice_floors.hpp"

namespace pimbb::dram_pim::network {

LayerCosts::LayerCosts(const Architecture& architecture, const Question& question,
                       const RunLimits& limits, const run::Clock& clock, mapper::LayerStore& layers)
    : a_(architecture),
      question_(question),
      limits_(limits),
      clock_(clock),
      layers_(layers),
      searches_(limits, [this](const LayerQuestion& asked, const LayerSearches::Terms& terms) {
        return solved(asked, terms);
      }) {}

LayerCosts::Distinct LayerCosts::distinct(const std::vector<LayerQuestion>& questions) {
  Distinct all;
  for (const LayerQuestion& question : questions) {
    LayerQuestion::Key key = question.key();
    const auto same = static_cast<std::size_t>(std::ranges::find(all.keys, key) - all.keys.begin());
    all.of.push_back(same);
    if (same == all.keys.size()) {
      all.keys.push_back(std::move(key));
      all.questions.push_back(question);
      continue;
    }
    std::optional<Rational>& limit = all.questions[same].at_most;
    if (limit) limit = question.at_most ? max(*limit, *question.at_most) : question.at_most;
  }
  return all;
}

/// Whether there is nothing to search for.
bool LayerCosts::is_known(const LayerAnswer& answer, const LayerQuestion& question) {
  return answer.settled() || (question.at_most && *question.at_most <= answer.bound.goals()[0]);
}

/// The answer, if there is nothing to search for; else null.
const LayerAnswer* LayerCosts::known(const LayerQuestion::Key& key,
                                     const LayerQuestion& question) const {
  const auto place = known_.find(key);
  return place != known_.end() && is_known(place->second, question) ? &place->second : nullptr;
}

std::vector<const LayerAnswer*> LayerCosts::answers(const std::vector<LayerQuestion>& questions,
                                                    const LayerSearches::LookAhead& look_ahead) {
  const Distinct all = distinct(questions);
  std::vector<LayerAnswer*> answers;
  std::vector<std::size_t> open;
  std::vector<LayerQuestion> asked;
  for (std::size_t k = 0; k < all.keys.size(); ++k) {
    const auto [place, is_new] = known_.try_emplace(all.keys[k]);
    LayerAnswer& known = place->second;
    if (is_new) known.bound = search::Value(Values(question_.objective.goals.size()));
    answers.push_back(&known);
    if (is_known(known, all.questions[k])) continue;
    open.push_back(k);
    asked.push_back(all.questions[k]);
  }
  std::vector<Solution> solutions = searches_.solutions(asked, look_ahead);
  for (std::size_t k = 0; k < open.size(); ++k) {
    take(*answers[open[k]], std::move(solutions[k]), asked[k].at_most);
  }
  solves_ += open.size();
  std::vector<const LayerAnswer*> each;
  for (const std::size_t k : all.of) each.push_back(answers[k]);
  return each;
}

std::optional<std::vector<LayerCosts::Likely>> LayerCosts::likely(
    const std::vector<LayerQuestion>& questions) const {
  const Distinct all = distinct(questions);
  std::vector<Likely> answers;
  for (std::size_t k = 0; k < all.keys.size(); ++k) {
    const std::optional<Rational>& at_most = all.questions[k].at_most;
    if (const LayerAnswer* answer = known(all.keys[k], all.questions[k])) {
      answers.push_back({answer->settled() ? answer : nullptr, answer->bound});
    } else if (at_most) {
      Values bound{*at_most};
      bound.resize(question_.objective.goals.size());
      answers.push_back({nullptr, search::Value(std::move(bound))});
    } else {
      return std::nullopt;
    }
  }
  std::vector<Likely> each;
  for (const std::size_t k : all.of) each.push_back(answers[k]);
  return each;
}

std::vector<LayerQuestion> LayerCosts::unknown(const std::vector<LayerQuestion>& questions) const {
  Distinct all = distinct(questions);
  std::vector<LayerQuestion> open;
  for (std::size_t k = 0; k < all.keys.size(); ++k) {
    if (known(all.keys[k], all.questions[k]) == nullptr) {
      open.push_back(std::move(all.questions[k]));
    }
  }
  return open;
}

bool LayerCosts::is_as_likely(const LayerAnswer& answer, const Likely& likely) {
  if (answer.settled() || likely.settled != nullptr) return &answer == likely.settled;
  return !(answer.bound < likely.bound) && !(likely.bound < answer.bound);
}

Solution LayerCosts::solved(const LayerQuestion& layer, const LayerSearches::Terms& terms) const {
  Question question = question_;
  question.layouts[index(Tensor::input)] = layer.input;
  question.layouts[index(Tensor::output)] = layer.output;
  question.at_most = layer.at_most;
  RunLimits limits = limits_;
  limits.on_progress = nullptr;
  limits.stop = terms.stop;
  limits.time_limit = clock_.left();
  limits.memory_limit -= layers_.bytes();
  if (terms.share != LayerSearches::Share::all) limits.memory_limit /= kTogether;
  if (terms.share == LayerSearches::Share::one_thread) limits.threads = 1;
  return mapper::solve_beyond(a_, layer.workload, question, limits, {}, &layers_, terms.unwanted);
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
