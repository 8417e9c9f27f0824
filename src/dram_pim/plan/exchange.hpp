// The tensors that layers exchange, and the part of them that each layer reads or writes.
#pragma once

#include <optional>
#include <vector>

#include "dram_pim/plan/relayout.hpp"
#include "pimbb/dram_pim/network.hpp"

namespace pimbb::dram_pim::network {

/// A layer's input or output as a part of a tensor that other layers use too.
struct ExchangeSide {
  std::size_t layer = 0;          ///< index in Exchange::layers
  Tensor tensor = Tensor::input;  ///< Tensor::input or Tensor::output
  std::size_t shared = 0;         ///< index in Exchange::shared
  Rectangle own;                  ///< the layer's part, in the coordinates of the shared tensor
  bool can_share = false;         ///< equal size of elements, and equal order unless that is free
};

/// Tensors that element-wise operators join.
struct TensorGroup {
  std::vector<std::size_t> tensors;  ///< of the graph
  std::vector<std::size_t> sides;    ///< producers first; at least two
  Placement place;  ///< sequential; `own`: written by producers, `frame`: used by any layer
};

struct ExchangeLayer {
  std::size_t node = 0;  ///< of the graph
  const GraphLayer* is = nullptr;
  std::optional<std::size_t> input;  ///< indices in Exchange::sides
  std::optional<std::size_t> output;
};

struct Exchange {
  std::vector<ExchangeLayer> layers;
  std::vector<ExchangeSide> sides;
  std::vector<TensorGroup> shared;

  /// Throws InputError if the shapes of connected layers do not match.
  Exchange(const Architecture& architecture, const Graph& graph);

 private:
  void add_layers(const Graph& graph);
  /// The sides of the groups in `shared`, group by group; all others are dropped.
  void keep_shared_sides();
  void place(const Architecture& architecture, const Graph& graph, TensorGroup& group);
  [[nodiscard]] bool consistent() const;
};

}  // namespace pimbb::dram_pim::network
