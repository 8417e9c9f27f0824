// Mappings that go well with given places of the shared tensors: what makes good plans early.
//
// A layer that is solved alone picks boxes that nobody else has, and copies into or out of them may
// cost more than all that they save. Where its shared tensors lie being given, the layer is solved
// among the boxes that are cheapest to copy, then among twice as many, and so on; the best sum of
// layer and copies is its response. None of this proves anything: it makes incumbents.
#pragma once

#include "mapper/clock.hpp"
#include "network/layer_costs.hpp"
#include "network/layout_space.hpp"

namespace pimbb::network {

/// A tensor of a layer: where it lies in the layer's mapping, and where it is shared.
struct Meeting {
  std::size_t side;
  Placement own;
  Placement shared;
};

class BestResponse {
 public:
  BestResponse(LayoutSpace& space, LayerCosts& costs, const mapper::Clock& clock)
      : space_(space), costs_(costs), clock_(clock) {}

  /// A layer, where its tensors are and ought to be, and what it costs now together with its copies.
  struct Present {
    std::size_t layer;
    std::optional<Meeting> input;
    std::optional<Meeting> output;
    Value value;
  };
  /// For each of these a better answer, or null. A side whose own place is in a frame that it
  /// shares stays there.
  std::vector<const LayerAnswer*> find(std::vector<Present> layers);

 private:
  static constexpr int kHalvings = 6;

  [[nodiscard]] bool framed(const std::optional<Meeting>& meeting) const;
  [[nodiscard]] LayerQuestion question(const Present& present, int halvings);
  [[nodiscard]] LayoutRange range(const std::optional<Meeting>& meeting, int halvings);
  [[nodiscard]] Value copy(const std::optional<Meeting>& meeting, const Mapping& mapping);

  LayoutSpace& space_;
  LayerCosts& costs_;
  const mapper::Clock& clock_;
};

}  // namespace pimbb::network
