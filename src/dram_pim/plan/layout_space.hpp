// The places that tensors of a network may have in DRAM, and the cost of passes between them.
#pragma once

#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "dram_pim/plan/cells.hpp"
#include "dram_pim/plan/exchange.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "search/least_sum.hpp"

namespace pimbb::dram_pim::network {

class LayoutSpace {
 public:
  LayoutSpace(const Architecture& architecture, const Graph& graph, const Question& question)
      : a_(architecture),
        question_(question),
        exchange_(architecture, graph),
        passes_(architecture) {}

  [[nodiscard]] const Exchange& exchange() const { return exchange_; }
  [[nodiscard]] const Workload& workload(std::size_t layer) const {
    return exchange_.layers[layer].is->workload;
  }
  /// The factor of a layer in the network's totals.
  [[nodiscard]] Rational times(std::size_t layer) const {
    return workload(layer).weight * exchange_.layers[layer].is->repetitions();
  }

  /// The contribution of a layer's goals to those of the network.
  [[nodiscard]] search::Value layer_value(std::size_t layer, const search::Value& goals) const;
  [[nodiscard]] search::Value layer_value(std::size_t layer, const Solution& solution) const;

  /// All places of a side, and of a shared tensor.
  [[nodiscard]] std::vector<Cell> side_cells(std::size_t side) const;
  [[nodiscard]] std::vector<Cell> shared_cells(std::size_t shared) const;

  /// A cell of a side as a restriction for a solve.
  LayoutRange range_of(std::size_t side, const Cell& cell);
  /// A layer's problem with the shared frames of its input and output, as requested.
  [[nodiscard]] Workload framed(std::size_t layer, bool input, bool output) const;

  /// The place of a side under a layout, in the shared frame or not; and that of a shared tensor.
  [[nodiscard]] Placement side_place(std::size_t side, bool framed, Layout layout,
                                     const LayoutBox& box) const;
  /// The box of a side in a mapping, whether it is row-aligned there or not.
  [[nodiscard]] LayoutBox box_of(std::size_t side, const Mapping& mapping) const;
  [[nodiscard]] Placement shared_place(std::size_t shared, Layout layout,
                                       const LayoutBox& box) const;
  /// The place of a side in a mapping; the place of a shared tensor in a single cell.
  [[nodiscard]] Placement mapped_place(std::size_t side, bool framed, const Mapping& mapping) const;
  [[nodiscard]] Placement place_in(std::size_t shared, const Cell& single) const;

  /// The cost of the pass between a side and its shared tensor; and a lower bound over cells of
  /// both: over all boxes if one of the two is sequential; infinite if one of the two has no place.
  const PassCost& pass(std::size_t side, const Placement& own, const Placement& shared);
  const search::Value& least_pass(std::size_t side, const Cell& own, const Cell& shared);
  /// A box of the shared tensor with a low pass cost for these cells; nothing if there is no box.
  std::optional<LayoutBox> likely_box(std::size_t side, const Cell& own, const Cell& shared);
  /// The boxes that are cheapest to copy to or from a place of the shared tensor, ascending: a
  /// share of 2^-halvings of them, at least one, and all with the same cost. Includes the
  /// sequential layout if it costs no more.
  LayoutRange cheapest(std::size_t side, const Placement& shared, int halvings);
  /// The contribution of a pass to the network's goals.
  search::Value pass_value(std::size_t side, const Placement& own, const Placement& shared);
  /// A cut of a side's cell around the box `at`, for a shared tensor in a sequential place: it
  /// separates boxes with cheap passes from those with more expensive ones, `at` among them. An
  /// ordinary cut if `at` is among the cheapest.
  CellCut cut_by_pass(std::size_t side, const Cell& own, const LayoutBox& at);

 private:
  /// Boxes that divide a tensor and fit a row, ascending, each with the pass to or from a
  /// sequential place and the rank of its cost.
  struct BoxPass {
    LayoutBox box{};
    search::Value cost;
    std::size_t rank = 0;
  };
  using BoxPasses = std::vector<BoxPass>;
  static std::vector<LayoutBox> boxes_of(const BoxPasses& passes);
  /// Stands for the box of a place whose boxes are given in a list.
  static constexpr LayoutBox kUnitBox{1, 1, 1, 1};

  [[nodiscard]] std::vector<LayoutBox> boxes(const Placement& place) const;
  BoxPasses passes_to(std::size_t side, const Placement& shared);
  const BoxPasses& own_boxes(std::size_t side);
  const BoxPasses& shared_boxes(std::size_t side, bool framed);
  const BoxPasses& boxes_towards(std::size_t side, const Placement& shared);
  struct LeastPass {
    search::Value value;
    std::optional<LayoutBox> shared_box{};

    void lower(const search::Value& other, const std::optional<LayoutBox>& box = std::nullopt) {
      if (other < value) *this = {other, box};
    }
  };
  const LeastPass& known_least_pass(std::size_t side, const Cell& own, const Cell& shared);
  LeastPass find_least_pass(std::size_t side, const Cell& own, const Cell& shared);
  std::optional<LeastPass> agreement(std::size_t side, const Cell& own, const Cell& shared);
  LeastPass single_pass(std::size_t side, const Cell& own, const Cell& shared);
  void lower_by_boxes(LeastPass& least, std::size_t side, const Cell& own, const Cell& shared);
  static bool has_no_place(const Cell& cell, const BoxPasses& boxes);
  /// A side in a sequential place; and in row-aligned ones, whose boxes are said beside it.
  [[nodiscard]] Placement sequential_side(std::size_t side, bool framed) const;
  [[nodiscard]] Placement aligned_side(std::size_t side) const;
  /// Those among `passes` that are in a cell.
  static BoxPasses inside(const BoxPasses& passes, const Cell& cell);
  search::Value estimate(std::size_t side, const Placement& own, const Placement& shared);
  [[nodiscard]] search::Value value_of(const PassCost& cost, std::size_t side) const;

  const Architecture& a_;
  const Question& question_;
  Exchange exchange_;
  Passes passes_;
  std::map<std::tuple<std::size_t, Cell, Cell>, LeastPass> least_passes_;
  std::map<std::size_t, BoxPasses> own_boxes_;                      // by side
  std::map<std::pair<std::size_t, bool>, BoxPasses> shared_boxes_;  // by side and framed
  std::map<std::pair<std::size_t, Placement>, BoxPasses> towards_;  // cheapest first
};

}  // namespace pimbb::dram_pim::network
