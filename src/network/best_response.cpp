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

const LayerAnswer* BestResponse::find(std::size_t layer, const std::optional<Meeting>& input,
                                      const std::optional<Meeting>& output, Value value) {
  const LayerAnswer* best = nullptr;
  const Workload workload = space_.framed(layer, framed(input), framed(output));
  for (int halvings = kHalvings; halvings >= 0 && !clock_.stopped(); --halvings) {
    const LayerAnswer& answer =
        costs_.answer(workload, range(input, halvings), range(output, halvings),
                      value.goals()[0] / space_.times(layer), clock_.left());
    if (!answer.solution.mapping) continue;
    Value sum = value_of(layer, answer);
    if (input) sum += copy(input, *answer.solution.mapping);
    if (output) sum += copy(output, *answer.solution.mapping);
    if (!(sum < value)) continue;
    value = std::move(sum);
    best = &answer;
  }
  return best;
}

}  // namespace pimbb::network
