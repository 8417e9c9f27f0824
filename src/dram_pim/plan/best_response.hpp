// Mappings that go well with given places of the shared tensors: what makes good plans early.
//
// A layer that is solved alone picks boxes that nobody else has, and copies into or out of them may
// cost more than all that they save. Where its shared tensors lie being given, the layer is solved
// among the boxes that are cheapest to copy, then among twice as many, and so on; the best sum of
// layer and copies is its response. None of this proves anything: it makes incumbents.
#pragma once

#include "dram_pim/plan/layer_costs.hpp"
#include "dram_pim/plan/layout_space.hpp"
#include "run/clock.hpp"

namespace pimbb::dram_pim::network {

/// A tensor of a layer: where it lies in the layer's mapping, and where it is shared.
struct Meeting {
  std::size_t side;
  Placement own;
  Placement shared;
};

class BestResponse {
 public:
  BestResponse(LayoutSpace& space, LayerCosts& costs, const run::Clock& clock)
      : space_(space), costs_(costs), clock_(clock) {}

  /// A layer, where its tensors are and ought to be, and what it costs now together with its
  /// copies.
  struct Present {
    std::size_t layer;
    std::optional<Meeting> input;
    std::optional<Meeting> output;
    search::Value value;
  };
  /// For each of these a better answer, or null. A side whose own place is in a frame that it
  /// shares stays there.
  std::vector<const LayerAnswer*> find(std::vector<Present> layers);

 private:
  static constexpr int kHalvings = 6;

  [[nodiscard]] bool framed(const std::optional<Meeting>& meeting) const;
  [[nodiscard]] LayerQuestion question(const Present& present, int halvings);
  [[nodiscard]] LayoutRange range(const std::optional<Meeting>& meeting, int halvings);
  [[nodiscard]] search::Value copy(const std::optional<Meeting>& meeting, const Mapping& mapping);

  LayoutSpace& space_;
  LayerCosts& costs_;
  const run::Clock& clock_;
};

}  // namespace pimbb::dram_pim::network
