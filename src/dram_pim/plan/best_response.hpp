// Best responses: good mappings of a layer for given places of its shared tensors.
//
// A layer that is solved alone selects boxes that no other layer uses, and copies into or out of
// them may cost more than the boxes save. For given places of its shared tensors, the layer is
// solved among the boxes that are cheapest to copy, then among twice as many, and so on; the best
// sum of layer and copies is its response. Responses are incumbents without any claim of
// optimality.
#pragma once

#include "dram_pim/plan/layer_costs.hpp"
#include "dram_pim/plan/layout_space.hpp"
#include "run/clock.hpp"

namespace pimbb::dram_pim::network {

/// A tensor of a layer: its place in the layer's mapping, and its shared place.
struct Meeting {
  std::size_t side;
  Placement own;
  Placement shared;
};

class BestResponse {
 public:
  BestResponse(LayoutSpace& space, LayerCosts& costs, const run::Clock& clock)
      : space_(space), costs_(costs), clock_(clock) {}

  /// A layer, the current and the shared places of its tensors, and its current cost including
  /// copies.
  struct Present {
    std::size_t layer = 0;
    std::optional<Meeting> input;
    std::optional<Meeting> output;
    search::Value value;
  };
  /// For each layer a better answer, or null. A side whose own place is in the shared frame remains
  /// there.
  std::vector<const LayerAnswer*> find(std::vector<Present> layers);

 private:
  static constexpr int kHalvings = 6;

  [[nodiscard]] bool framed(const std::optional<Meeting>& meeting) const;
  [[nodiscard]] LayerQuestion question(const Present& present, int halvings);
  [[nodiscard]] std::vector<LayerQuestion> questions(const std::vector<Present>& layers,
                                                     int halvings);
  [[nodiscard]] LayoutRange range(const std::optional<Meeting>& meeting, int halvings);
  [[nodiscard]] search::Value copy(const std::optional<Meeting>& meeting, const Mapping& mapping);

  LayoutSpace& space_;
  LayerCosts& costs_;
  const run::Clock& clock_;
};

}  // namespace pimbb::dram_pim::network
