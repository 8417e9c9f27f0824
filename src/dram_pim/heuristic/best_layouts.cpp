// Each tensor's layouts are tried with the others left as they are.
#include "dram_pim/heuristic/best_layouts.hpp"

#include "dram_pim/heuristic/nest_builder.hpp"
#include "pimbb/dram_pim/feasibility.hpp"

namespace pimbb::dram_pim::heuristic {
namespace {

/// The blocks to try: those of the input's tile, or for other tensors the one that is no block.
std::vector<Block> blocks(const Architecture& a, const Workload& w, const Mapping& m, Tensor t) {
  if (t != Tensor::input) return {m.input_block};
  std::vector<Block> all;
  const BlockEdges edges = block_edges(a, w, m);
  for (const std::int64_t h : edges.heights) {
    for (const std::int64_t width : edges.widths) all.push_back({h, width});
  }
  return all;
}

}  // namespace

Mapping with_best_layouts(const Architecture& architecture, const Workload& workload,
                          Mapping mapping, RowModel row_model) {
  mapping.layout = {};
  mapping.input_block = {};
  mapping.input_order = InputOrder::nchw;
  PerTensor<Rational> sequential =
      evaluate(architecture, workload, mapping, row_model).row_activations;
  if (architecture.has_free_input_order()) {
    Mapping other = mapping;
    other.input_order = InputOrder::nhwc;
    Rational& fewest = sequential[index(Tensor::input)];
    const Rational channels_last =
        evaluate(architecture, workload, other, row_model).row_activations[index(Tensor::input)];
    if (channels_last < fewest) {
      fewest = channels_last;
      mapping = std::move(other);
    }
  }
  for (const Tensor t : kAllTensors) {
    Rational fewest = sequential[index(t)];
    for (const Block& block : blocks(architecture, workload, mapping, t)) {
      Mapping other = mapping;
      other.layout[index(t)] = Layout::row_aligned;
      other.input_block = block;
      if (t == Tensor::input) other.input_order = InputOrder::nchw;
      if (find_violation(architecture, workload, other)) continue;
      const Rational rows =
          evaluate(architecture, workload, other, row_model).row_activations[index(t)];
      if (rows >= fewest) continue;
      fewest = rows;
      mapping = std::move(other);
    }
  }
  return mapping;
}

}  // namespace pimbb::dram_pim::heuristic
