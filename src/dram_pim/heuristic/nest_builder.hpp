// A feasible mapping that is built step by step from the smallest mapping.
//
// The smallest mapping has all loops at the DRAM. A move transfers a factor of one dimension from
// the DRAM to a direction of the array or to a level, and is undone if the mapping would break a
// rule. The mapping is therefore always feasible.
#pragma once

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::heuristic {

class NestBuilder {
 public:
  /// `smallest` is feasible and has its loops at the DRAM.
  NestBuilder(const Architecture& architecture, const Workload& workload, Mapping smallest);

  [[nodiscard]] const Mapping& mapping() const { return mapping_; }
  /// The loops of a level, which may be reordered.
  [[nodiscard]] std::vector<Loop>& loops(std::size_t level) { return mapping_.levels[level].loops; }
  /// The factor of j that is left at the DRAM.
  [[nodiscard]] std::int64_t left(Dim j) const { return left_[index(j)]; }

  /// Each of these returns whether the move is feasible. `factor` divides left(j).
  bool unroll(Dim j, std::int64_t factor, Direction direction);
  bool move(Dim j, std::int64_t factor, std::size_t level);
  bool store(std::size_t level, Tensor t);
  bool align(Tensor t, const Block& block = {});
  void unalign(Tensor t) { mapping_.layout[index(t)] = Layout::sequential; }
  /// Of an input whose order is free.
  void set_input_order(InputOrder order) { mapping_.input_order = order; }

 private:
  [[nodiscard]] bool feasible() const;
  void set_dram_loop(Dim j, std::int64_t factor);

  const Architecture& a_;
  const Workload& w_;
  Mapping mapping_;
  Factors left_;
};

/// The possible edges of a block of the row-aligned input, ascending: divisors of the plane's
/// height or width that cover the row-buffer tile.
struct BlockEdges {
  std::vector<std::int64_t> heights;
  std::vector<std::int64_t> widths;
};
BlockEdges block_edges(const Architecture& architecture, const Workload& workload,
                       const Mapping& mapping);

}  // namespace pimbb::dram_pim::heuristic
