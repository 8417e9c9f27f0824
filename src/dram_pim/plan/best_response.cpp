// Ever larger sets of boxes, the cheapest to copy first.
#include "dram_pim/plan/best_response.hpp"

#include <utility>

#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::network {

bool BestResponse::framed(const std::optional<Meeting>& m) const {
  return m && m->own.layout == Layout::sequential && m->own.frame != m->own.own;
}

LayoutRange BestResponse::range(const std::optional<Meeting>& m, int halvings) {
  if (!m) return {};
  if (framed(m)) return space_.range_of(m->side, space_.framed_cell(m->side, m->own));
  return space_.cheapest(m->side, m->shared, halvings);
}

search::Value BestResponse::copy(const std::optional<Meeting>& m, const Mapping& mapping) {
  return space_.pass_value(m->side, space_.mapped_place(m->side, framed(m), mapping), m->shared);
}

LayerQuestion BestResponse::question(const Present& p, int halvings) {
  return {space_.framed(p.layer, framed(p.input), framed(p.output)), range(p.input, halvings),
          range(p.output, halvings), p.value.goals()[0] / space_.times(p.layer)};
}

std::vector<LayerQuestion> BestResponse::questions(const std::vector<Present>& layers,
                                                   int halvings) {
  std::vector<LayerQuestion> questions(layers.size());
  run::parallel_for(layers.size(),
                    [&](std::size_t k) { questions[k] = question(layers[k], halvings); });
  return questions;
}

std::vector<const LayerAnswer*> BestResponse::find(std::vector<Present> layers) {
  std::vector<const LayerAnswer*> best(layers.size(), nullptr);
  for (int halvings = kHalvings; halvings >= 0 && !clock_.stopped(); --halvings) {
    const std::vector<LayerQuestion> asked = questions(layers, halvings);
    costs_.forget_likely(asked);
    bool looked = false;
    const std::vector<const LayerAnswer*> answers =
        costs_.answers(asked, [&]() -> std::optional<std::vector<LayerQuestion>> {
          if (std::exchange(looked, true) || halvings == 0) return std::nullopt;
          return costs_.unknown(questions(layers, halvings - 1));  // where none is better now
        });
    for (std::size_t k = 0; k < layers.size(); ++k) {
      if (!answers[k]->solution.mapping) continue;
      search::Value sum = space_.layer_value(layers[k].layer, answers[k]->solution);
      if (layers[k].input) sum += copy(layers[k].input, *answers[k]->solution.mapping);
      if (layers[k].output) sum += copy(layers[k].output, *answers[k]->solution.mapping);
      if (!(sum < layers[k].value)) continue;
      layers[k].value = std::move(sum);
      best[k] = answers[k];
    }
  }
  return best;
}

}  // namespace pimbb::dram_pim::network
