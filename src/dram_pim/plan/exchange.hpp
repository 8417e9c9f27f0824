// Which layers exchange which tensors, and where in them each layer reads or writes.
#pragma once

#include <optional>
#include <vector>

#include "dram_pim/plan/relayout.hpp"
#include "pimbb/dram_pim/network.hpp"

namespace pimbb::dram_pim::network {

/// A layer's input or output as part of a tensor that others use too.
struct Side {
  std::size_t layer;   ///< place in Exchange::layers
  Tensor tensor;       ///< Tensor::input or Tensor::output
  std::size_t shared;  ///< place in Exchange::shared
  Rectangle own;       ///< what the layer has, in the coordinates of the shared tensor
  bool can_share;      ///< its elements have the size and order of the shared tensor's
};

/// Tensors that element-wise operators join.
struct Shared {
  std::vector<std::size_t> tensors;  ///< of the graph
  std::vector<std::size_t> sides;    ///< producers first; at least two
  Placement place;  ///< sequential; `own`: what producers write, `frame`: what any layer touches
};

struct ExchangeLayer {
  std::size_t node;  ///< of the graph
  const GraphLayer* is;
  std::optional<std::size_t> input;  ///< places in Exchange::sides
  std::optional<std::size_t> output;
};

struct Exchange {
  std::vector<ExchangeLayer> layers;
  std::vector<Side> sides;
  std::vector<Shared> shared;

  /// Throws InputError if a layer does not read what another writes.
  Exchange(const Architecture& architecture, const Graph& graph);

 private:
  void add_layers(const Graph& graph);
  void place(const Architecture& architecture, const Graph& graph, Shared& group);
};

}  // namespace pimbb::dram_pim::network
