// Rounds of a plan: what the relaxation selects, and the layers that are asked about it.
//
// A layer that the relaxation picked cells for is not solved outright, but asked whether it costs
// more there than some limit: if it does, that may be enough for the relaxation to turn elsewhere.
//
// While layers are searched, a thread that has nothing else to do finds out what the next rounds
// ask for if these layers exceed their limits, and searches for that (layer_searches.hpp). If they
// do, these are the next rounds; if not, the relaxation takes back what was supposed. Either way
// the rounds are the same as without looking ahead.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "dram_pim/plan/layer_costs.hpp"
#include "dram_pim/plan/layout_relaxation.hpp"
#include "dram_pim/plan/layout_space.hpp"

namespace pimbb::dram_pim::network {

/// What plans are looked for.
struct WantedPlans {
  search::Value below;             ///< those that are better than this
  std::optional<Rational> enough;  ///< a bound of the first goal that will do
  /// Whether a bound of all plans leaves nothing to look for.
  [[nodiscard]] bool are_none(const search::Value& bound) const {
    return !(bound < below) || (enough && !(bound.goals()[0] < *enough));
  }
};

class Rounds {
 public:
  struct Round {
    LayoutRelaxation::RelaxedPlan least;   ///< of infinite value: there is no plan
    search::Value bound;                   ///< of every plan
    std::vector<std::size_t> open;         ///< layers without answers in their cells
    std::vector<LayerQuestion> questions;  ///< one for each
    std::vector<LayerCosts::Likely> likely;
  };

  /// Keeps references.
  Rounds(LayoutSpace& space, LayerCosts& costs, LayoutRelaxation& relaxation);

  /// The next round, where `bound` is that of the rounds before; it has no open layers where no
  /// plans are wanted. Rounds that follow one another by solve() want the same plans.
  const Round& next(const WantedPlans& wanted, const search::Value& bound);
  /// Solves the open layers of the round, and tells the relaxation. Whether there were any.
  bool solve();
  /// Ends the rounds, whose relaxation is free to be split then.
  void end();

 private:
  [[nodiscard]] Round relaxed(const search::Value& bound);
  [[nodiscard]] LayerQuestion question(std::size_t layer, const LayoutRelaxation::CellPick& cells,
                                       std::optional<Rational> at_most);
  [[nodiscard]] std::optional<Rational> limit(std::size_t layer,
                                              const LayoutRelaxation::CellPick& cells,
                                              const search::Value& bound) const;
  bool are_as_likely(const std::vector<const LayerAnswer*>& answers);
  std::optional<std::vector<LayerQuestion>> look_ahead();

  LayoutSpace& space_;
  const Exchange& exchange_;
  LayerCosts& costs_;
  LayoutRelaxation& relaxation_;
  WantedPlans wanted_;
  std::deque<Round> rounds_;  // this one, and those after it if all answers are the likely ones
  std::vector<char> brief_;   // whether the last search of a layer was
};

}  // namespace pimbb::dram_pim::network
