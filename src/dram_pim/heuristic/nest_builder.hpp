// A mapping that grows from the DRAM inwards: factors move to where they still fit.
//
// It begins as the smallest mapping, all loops at the DRAM. A move takes a factor of one dimension
// from the DRAM to a direction of the array or to a level, and is taken back if the mapping would
// break a rule. So whatever is moved, the mapping stays feasible.
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
  /// Loops in any order may be put into another one.
  [[nodiscard]] std::vector<Loop>& loops(std::size_t level) { return mapping_.levels[level].loops; }
  /// What the DRAM still has of j.
  [[nodiscard]] std::int64_t left(Dim j) const { return left_[index(j)]; }

  /// All of these say whether it could be done. `factor` divides what is left.
  bool unroll(Dim j, std::int64_t factor, Direction direction);
  bool move(Dim j, std::int64_t factor, std::size_t level);
  bool store(std::size_t level, Tensor t);
  bool align(Tensor t, const Block& block = {});
  void unalign(Tensor t) { mapping_.layout[index(t)] = Layout::sequential; }

 private:
  [[nodiscard]] bool feasible() const;
  void set_dram_loop(Dim j, std::int64_t factor);

  const Architecture& a_;
  const Workload& w_;
  Mapping mapping_;
  Factors left_;
};

/// The edges, ascending, that a block of the row-aligned input may have in a row buffer's tile:
/// divisors of the plane's height or width that cover the tile.
struct BlockEdges {
  std::vector<std::int64_t> heights;
  std::vector<std::int64_t> widths;
};
BlockEdges block_edges(const Architecture& architecture, const Workload& workload,
                       const Mapping& mapping);

}  // namespace pimbb::dram_pim::heuristic
