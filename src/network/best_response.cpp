// Ever larger sets of boxes, the cheapest to copy first.
#include "network/best_response.hpp"

namespace pimbb::network {

bool BestResponse::framed(const std::optional<Meeting>& m) const {
  return m && m->own.layout == Layout::sequential && m->own.frame != m->own.own;
}

LayoutRange BestResponse::range(const std::optional<Meeting>& m, int halvings) {
  if (!m) return {};
  if (framed(m)) return only_sequential(true).range;
  return space_.cheapest(m->side, m->shared, halvings);
}

Value BestResponse::value_of(std::size_t layer, const LayerAnswer& answer) const {
  std::vector<Rational> goals;
  for (const GoalResult& goal : answer.solution.goals) {
    goals.push_back(goal.value * space_.times(layer));
  }
  return Value(std::move(goals));
}

Value BestResponse::copy(const std::optional<Meeting>& m, const Mapping& mapping) {
  const Side& side = space_.exchange().sides[m->side];
  const Placement own = space_.side_place(m->side, framed(m), mapping.layout[index(side.tensor)],
                                          space_.box_of(m->side, mapping));
  return space_.pass_value(m->side, own, m->shared);
}

LayerQuestion BestResponse::question(const Present& p, int halvings) {
  return {space_.framed(p.layer, framed(p.input), framed(p.output)), range(p.input, halvings),
          range(p.output, halvings), p.value.goals()[0] / space_.times(p.layer)};
}

std::vector<const LayerAnswer*> BestResponse::find(std::vector<Present> layers) {
  std::vector<const LayerAnswer*> best(layers.size(), nullptr);
  for (int halvings = kHalvings; halvings >= 0 && !clock_.stopped(); --halvings) {
    std::vector<LayerQuestion> questions;
    for (const Present& p : layers) questions.push_back(question(p, halvings));
    const std::vector<const LayerAnswer*> answers = costs_.answers(questions);
    for (std::size_t k = 0; k < layers.size(); ++k) {
      if (!answers[k]->solution.mapping) continue;
      Value sum = value_of(layers[k].layer, *answers[k]);
      if (layers[k].input) sum += copy(layers[k].input, *answers[k]->solution.mapping);
      if (layers[k].output) sum += copy(layers[k].output, *answers[k]->solution.mapping);
      if (!(sum < layers[k].value)) continue;
      layers[k].value = std::move(sum);
      best[k] = answers[k];
    }
  }
  return best;
}

}  // namespace pimbb::network
