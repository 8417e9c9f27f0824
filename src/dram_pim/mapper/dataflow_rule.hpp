// A dataflow as the search keeps it: which steps down the chain, storage choices and unrollings are
// within it (pimbb/method.hpp says what each dataflow demands).
//
// The demands of ws, os and is concern the loops at levels above the home of the stationary tensor
// T. Two of them, looked at step by step, decide:
//
//   - a step with loops irrelevant to T is of the class of T (steps.hpp);
//   - a chain arrives at the home with T stationary, or with nothing irrelevant to T outside it.
//
// Both look at the state before and after a step only. So nodes in the same state still have the
// same completions, and dominance holds; the cheapest order of a class, T's irrelevant loops
// innermost, is within the dataflow; and cost-to-go bounds follow the same two rules. P turns into
// Q and R into S without leaving a set of irrelevant dimensions, so symmetry holds as well.
//
// The demands of rs concern a PE and the array alone. They are met by leaving out options of
// level-0 tiles before any is compared with another. The axes differ: nothing turns.
#pragma once

#include "dram_pim/mapper/tiles.hpp"
#include "pimbb/dram_pim/method.hpp"

namespace pimbb::dram_pim::mapper {

class DataflowRule {
 public:
  /// Everything is allowed.
  DataflowRule() = default;
  DataflowRule(const Architecture& architecture, const Workload& workload, Method method);

  /// The tensor that loops at `level` leave in place as far as they can; nothing if any order goes.
  [[nodiscard]] std::optional<Tensor> stationary_at(std::size_t level) const {
    return level > home_ ? tensor_ : std::nullopt;
  }
  /// Whether a chain may arrive at a tile of `level` with `stationary` (or nothing) in place above.
  [[nodiscard]] bool may_arrive(const Lattice& lattice, std::size_t level, const Tile& tile,
                                LoopClass stationary) const {
    return !tensor_ || level != home_ || stationary == tensor_ ||
           tile.anchor[index(*tensor_)] == lattice.full_anchor(*tensor_);
  }

  /// Whether every tensor is stored where it has to be.
  [[nodiscard]] bool keeps(const std::vector<TensorFlags>& stores) const;
  /// Whether the array and the inside of a PE may be unrolled like that.
  [[nodiscard]] bool unrolls(const Factors& array, const Factors& internal) const;
  /// Whether the whole of a PE's work on a level-0 tile is within the dataflow.
  [[nodiscard]] bool covers(const Factors& tile, const Factors& array) const;

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
