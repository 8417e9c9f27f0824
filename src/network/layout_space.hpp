// The places that tensors of a network may have in DRAM, and what passes between them cost.
#pragma once

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "network/cells.hpp"
#include "network/exchange.hpp"
#include "network/pairwise.hpp"
#include "pimbb/solver.hpp"

namespace pimbb::network {

class LayoutSpace {
 public:
  LayoutSpace(const Architecture& architecture, const Graph& graph, const SolveOptions& options)
      : a_(architecture),
        options_(options),
        exchange_(architecture, graph),
        passes_(architecture) {}

  [[nodiscard]] const Exchange& exchange() const { return exchange_; }
  [[nodiscard]] const Workload& workload(std::size_t layer) const {
    return exchange_.layers[layer].is->workload;
  }
  /// How often a layer counts in the network's totals.
  [[nodiscard]] Rational times(std::size_t layer) const {
    return workload(layer).weight * exchange_.layers[layer].is->repetitions();
  }

  /// All places of a side, and of a shared tensor.
  [[nodiscard]] std::vector<Cell> side_cells(std::size_t side) const;
  [[nodiscard]] std::vector<Cell> shared_cells(std::size_t shared) const;

  /// A cell of a side as a solve takes it: with no limits where it has none.
  [[nodiscard]] LayoutRange range_of(std::size_t side, const Cell& cell) const;
  /// A layer's problem in the frames that cells of its input and output ask for.
  [[nodiscard]] Workload framed(std::size_t layer, bool input, bool output) const;

  /// Where a side is under a layout, in the shared frame or not; and a shared tensor.
  [[nodiscard]] Placement side_place(std::size_t side, bool framed, Layout layout,
                                     const LayoutBox& box) const;
  [[nodiscard]] Placement shared_place(std::size_t shared, Layout layout,
                                       const LayoutBox& box) const;

  /// The pass between a side and its shared tensor; and a lower bound over cells of both: over
  /// all boxes where one of the two is sequential.
  const PassCost& pass(std::size_t side, const Placement& own, const Placement& shared);
  const Value& least_pass(std::size_t side, const Cell& own, const Cell& shared);
  /// A cut of a side's cell around the box `at`, for a shared tensor in a sequential place: the one
  /// that leaves `at` among boxes whose passes cost as much as possible. Where none raises what
  /// they cost at least, an ordinary one.
  Cut cut_by_pass(std::size_t side, const Cell& own, const LayoutBox& at);
  [[nodiscard]] Value value_of(const PassCost& cost, const Rational& times) const;

 private:
  /// Boxes that divide a tensor and fit a row, each with the pass to or from a sequential place.
  struct BoxPass {
    LayoutBox box;
    Value cost;
  };
  using BoxPasses = std::vector<BoxPass>;

  [[nodiscard]] std::vector<LayoutBox> boxes(const Placement& place) const;
  const BoxPasses& own_boxes(std::size_t side);
  const BoxPasses& shared_boxes(std::size_t side, bool framed);
  Value find_least_pass(std::size_t side, const Cell& own, const Cell& shared);
  /// The boxes among `passes` that are in a cell.
  static std::vector<LayoutBox> inside(const BoxPasses& passes, const Cell& cell);
  Value estimate(std::size_t side, const Placement& own, const Placement& shared);
  Value pass_value(std::size_t side, const Placement& own, const Placement& shared);

  const Architecture& a_;
  const SolveOptions& options_;
  Exchange exchange_;
  Passes passes_;
  std::map<std::tuple<std::size_t, Cell, Cell>, Value> least_passes_;
  std::map<std::size_t, BoxPasses> own_boxes_;                      // by side
  std::map<std::pair<std::size_t, bool>, BoxPasses> shared_boxes_;  // by side and framed
};

}  // namespace pimbb::network
