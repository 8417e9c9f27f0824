// The places that tensors of a network may have in DRAM, and the cost of passes between them.
// Thread-safe: what is found once is remembered.
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "dram_pim/plan/cells.hpp"
#include "dram_pim/plan/exchange.hpp"
#include "dram_pim/plan/relayout.hpp"
#include "pimbb/dram_pim/solver.hpp"
#include "run/remembered.hpp"
#include "search/value.hpp"

namespace pimbb::dram_pim::network {

class LayoutSpace {
 public:
  /// Keeps references; `passes` are of the same architecture.
  LayoutSpace(const Architecture& architecture, const Graph& graph, const Question& question,
              Passes& passes)
      : a_(architecture), question_(question), exchange_(architecture, graph), passes_(passes) {}

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

  /// Whether a shared tensor, and the inputs among its sides, may be sequential in either order:
  /// the architecture leaves that free, a layer reads the tensor, and the orders differ.
  [[nodiscard]] bool has_orders(std::size_t shared) const;
  /// The orders of a shared tensor in a sequential place.
  [[nodiscard]] std::vector<InputOrder> orders(std::size_t shared) const;
  /// All places of a side, and of a shared tensor.
  [[nodiscard]] std::vector<Cell> side_cells(std::size_t side) const;
  [[nodiscard]] std::vector<Cell> shared_cells(std::size_t shared) const;

  /// The cell in the shared frame whose order is that of a side's sequential place.
  [[nodiscard]] Cell framed_cell(std::size_t side, const Placement& own) const;

  /// A cell of a side as a restriction for a solve.
  LayoutRange range_of(std::size_t side, const Cell& cell);
  /// The same places without ranks, which depend on the goals.
  Cell without_ranks(std::size_t side, const Cell& cell);
  /// A layer's problem with the shared frames of its input and output, as requested.
  [[nodiscard]] Workload framed(std::size_t layer, bool input, bool output) const;

  /// A shared tensor in a sequential place, or in a row-aligned one.
  [[nodiscard]] Placement sequential_shared(std::size_t shared, InputOrder order) const;
  [[nodiscard]] Placement aligned_shared(std::size_t shared, const LayoutBox& box) const;
  /// The place of a side in a mapping, in the shared frame or not; the place of a shared tensor in
  /// a single cell.
  [[nodiscard]] Placement mapped_place(std::size_t side, bool framed, const Mapping& mapping) const;
  [[nodiscard]] Placement place_in(std::size_t shared, const Cell& single) const;

  /// The cost of the pass between a side and its shared tensor; and a lower bound over cells of
  /// both: over all boxes if one of the two is sequential; infinite if one of the two has no place.
  const PassCost& pass(std::size_t side, const Placement& own, const Placement& shared);
  const search::Value& least_pass(std::size_t side, const Cell& own, const Cell& shared);
  /// A box of the shared tensor with a low pass cost for these cells; nothing if there is no box.
  std::optional<LayoutBox> likely_box(std::size_t side, const Cell& own, const Cell& shared);
  /// The boxes that are cheapest to copy to or from a place of the shared tensor, ascending: a
  /// share of 2^-halvings of them, at least one, and all with the same cost. Includes a sequential
  /// layout if it costs no more.
  const LayoutRange& cheapest(std::size_t side, const Placement& shared, int halvings);
  /// The contribution of a pass to the network's goals.
  search::Value pass_value(std::size_t side, const Placement& own, const Placement& shared);
  /// A cut of a side's cell around the box `at`, for a shared tensor in a sequential place of this
  /// order: it separates boxes with cheap passes from those with more expensive ones, `at` among
  /// them. An ordinary cut if `at` is among the cheapest.
  CellCut cut_by_pass(std::size_t side, const Cell& own, const LayoutBox& at, InputOrder towards);

 private:
  /// Boxes that divide a tensor and fit a row, ascending, each with the pass to or from a
  /// sequential place and the rank of its cost.
  struct BoxPass {
    LayoutBox box{};
    search::Value cost;
    std::size_t rank = 0;
  };
  using BoxPasses = std::vector<BoxPass>;
  using SomePasses = std::vector<const BoxPass*>;
  static std::vector<LayoutBox> boxes_of(const SomePasses& passes);
  /// Stands for the box of a place whose boxes are given in a list.
  static constexpr LayoutBox kUnitBox{1, 1, 1, 1};

  BoxPasses passes_to(std::size_t side, const Placement& shared);
  [[nodiscard]] BoxPasses priced(std::size_t side,
                                 const std::vector<Passes::BoxCopy>& copies) const;
  /// Of a side, to or from the shared tensor's sequential place; of the shared tensor, to or from
  /// that of a side.
  const BoxPasses& own_boxes(std::size_t side, InputOrder towards);
  const BoxPasses& shared_boxes(std::size_t side, bool framed, InputOrder order);
  const BoxPasses& boxes_towards(std::size_t side, const Placement& shared);
  LayoutRange find_cheapest(std::size_t side, const Placement& shared, int halvings);
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
  void lower_by_sequential(LeastPass& least, std::size_t side, const Cell& own, const Cell& shared);
  void lower_by_boxes(LeastPass& least, std::size_t side, const Cell& own, const Cell& shared);
  bool has_no_place(std::size_t side, const Cell& own, const Cell& shared);
  [[nodiscard]] bool side_has_orders(std::size_t side) const;
  /// Says in a side's range for a solve which orders it has.
  void set_orders(std::size_t side, LayoutRange& range) const;
  /// A side in a sequential place; and in a row-aligned one.
  [[nodiscard]] Placement sequential_side(std::size_t side, bool framed, InputOrder order) const;
  [[nodiscard]] Placement aligned_side(std::size_t side, const LayoutBox& box = kUnitBox) const;
  [[nodiscard]] Placement side_in(std::size_t side, const Cell& single) const;
  /// The boxes of a side that are in a cell, by range and ranks; those among `passes` in its range.
  SomePasses own_inside(std::size_t side, const Cell& own, InputOrder towards);
  /// The first of the boxes of a side in a cell that is in a range, too; null if none is.
  const BoxPass* first_inside(std::size_t side, const Cell& own, InputOrder towards,
                              const LayoutRange& range);
  /// Shows them until `visit` returns false.
  template <class Visit>
  void visit_inside(std::size_t side, const Cell& own, InputOrder towards, Visit visit);
  static SomePasses inside(const BoxPasses& passes, const Cell& cell);
  [[nodiscard]] search::Value value_of(const PassCost& cost, std::size_t side) const;

  const Architecture& a_;
  const Question& question_;
  Exchange exchange_;
  Passes& passes_;
  run::Remembered<std::tuple<std::size_t, Cell, Cell>, LeastPass> least_passes_;
  run::Remembered<std::pair<std::size_t, InputOrder>, BoxPasses> own_boxes_;
  run::Remembered<std::tuple<std::size_t, bool, InputOrder>, BoxPasses> shared_boxes_;
  run::Remembered<std::pair<std::size_t, Placement>, BoxPasses> towards_;  // cheapest first
  run::Remembered<std::tuple<std::size_t, Placement, int>, LayoutRange> cheapest_;
};

}  // namespace pimbb::dram_pim::network
