// A dataflow in the search: the steps, storage choices and unrollings that are within it
// (pimbb/dram_pim/method.hpp defines the dataflows).
//
// The demands of ws, os and is concern the loops at levels above the home of the stationary tensor
// T. Two conditions on single steps are equivalent to them:
//
//   - a step with loops irrelevant to T belongs to the class of T (nest/steps.hpp);
//   - a chain arrives at the home with T stationary, or with no loop irrelevant to T outside.
//
// Both depend only on the states before and after a step. Nodes in the same state therefore have
// the same completions, so dominance remains valid; the representative of a class, with T's
// irrelevant loops innermost, is within the dataflow; and the cost-to-go follows the same two
// conditions. Exchanging P with Q and R with S preserves each set of irrelevant dimensions, so
// symmetry remains valid too.
//
// The demands of rs concern a PE and the array only. They remove options of level-0 tiles before
// options are compared. The two axes differ, so the symmetry rule is disabled.
#pragma once

#include "dram_pim/mapper/tiles.hpp"
#include "pimbb/dram_pim/method.hpp"

namespace pimbb::dram_pim::mapper {

class DataflowRule {
 public:
  /// No restriction.
  DataflowRule() = default;
  DataflowRule(const Architecture& architecture, const Workload& workload, Method method);

  /// The tensor whose irrelevant loops must be innermost at `level`; nothing if all orders are
  /// allowed.
  [[nodiscard]] std::optional<Tensor> stationary_at(std::size_t level) const {
    return level > home_ ? tensor_ : std::nullopt;
  }
  /// Whether a chain may arrive at a tile of `level` with `stationary` (or nothing) in place above.
  [[nodiscard]] bool may_arrive(const Lattice& lattice, std::size_t level, const Tile& tile,
                                LoopClass stationary) const {
    return !tensor_ || level != home_ || stationary == tensor_ ||
           tile.anchor[index(*tensor_)] == lattice.full_anchor(*tensor_);
  }

  /// Whether every tensor is stored at the required levels.
  [[nodiscard]] bool keeps(const std::vector<TensorFlags>& stores) const;
  /// Whether these spatial factors of the array and of a PE are within the dataflow.
  [[nodiscard]] bool unrolls(const Factors& array, const Factors& internal) const;
  /// Whether the complete work of a PE on a level-0 tile is within the dataflow.
  [[nodiscard]] bool covers(const Factors& tile, const Factors& array) const;

  /// Whether the two above exclude anything.
  [[nodiscard]] bool restricts_unrolling() const { return method_ == Method::rs; }

  [[nodiscard]] bool turns() const { return method_ != Method::rs; }

 private:
  Method method_ = Method::exact;
  std::optional<Tensor> tensor_;
  std::size_t home_ = 0;
  std::vector<TensorFlags> must_store_;
  Factors bounds_ = kOnes;
  std::int64_t filter_rows_ = 1;  // rs: on the array
  std::int64_t output_rows_ = 1;
};

}  // namespace pimbb::dram_pim::mapper
