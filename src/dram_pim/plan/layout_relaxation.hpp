// A lower bound of every plan, and the selection of cells and mappings that attains it.
//
// Variables: the cell of each shared tensor, and of each layer's input and output. Costs: a layer's
// optimum over the mappings whose layouts are in its two cells; a pass between the cells of a layer
// and of the shared tensor, zero if the cells have a place in common. Both are lower bounds for all
// places in the cells, so their least sum is a lower bound of every plan.
//
// A layer is solved for a pair of cells when the least sum selects it; until then the answer for
// larger cells is used, or the fact that the layer costs more than some limit. When a cell is
// split, the answer remains valid for the part that contains its mapping.
//
// While layers are solved, the relaxation can tell what it would select if their answers were the
// likely ones. Passes that it finds meanwhile are true in any case.
#pragma once

#include <deque>

#include "dram_pim/plan/cell_sums.hpp"
#include "dram_pim/plan/experience.hpp"
#include "dram_pim/plan/layer_costs.hpp"
#include "dram_pim/plan/layout_space.hpp"
#include "search/undo_log.hpp"

namespace pimbb::dram_pim::network {

class LayoutRelaxation {
 public:
  /// The selection for a layer: cells of its input and output, and the answer if they are solved.
  struct CellPick {
    std::size_t input = 0;
    std::size_t output = 0;
    [[nodiscard]] std::size_t cell(Tensor t) const { return t == Tensor::input ? input : output; }
    const LayerAnswer* answer = nullptr;
    /// How often the layer was solved for these cells and found to cost more than a limit.
    int tries = 0;
    /// The bound of the first goal; and its largest increase for which no other pair of cells is at
    /// least as good for the layer, with the shared tensors fixed; nothing if there is no such
    /// pair.
    Rational bound{};
    std::optional<Rational> room{};
  };
  struct RelaxedPlan {
    search::Value value;  ///< infinite: some layer has no mapping in any cells
    std::vector<CellPick> layers;
    std::vector<std::size_t> shared;  ///< cells
  };

  /// `known`: from searches in other directions, over the same layers; if there are any. Takes its
  /// cells and bounds, which leave() gives back.
  LayoutRelaxation(const Architecture& architecture, LayoutSpace& space, std::size_t goals,
                   Experience* known = nullptr, const search::Blend& direction = {});

  /// The least sum over all cells. Deterministic.
  [[nodiscard]] RelaxedPlan least();
  /// Records the answer for a pair of cells; and for all places outside of shared frames.
  void solved(std::size_t layer, const CellPick& cells, const LayerAnswer& answer) {
    solved(layer, cells, answer.settled() ? &answer : nullptr, answer.bound);
  }
  /// The same with an answer, or null where there is but a lower bound of the goals.
  void solved(std::size_t layer, const CellPick& cells, const LayerAnswer* answer,
              const search::Value& bound);
  void solved_alone(std::size_t layer, const LayerAnswer& answer);
  /// What solved() is told from now on is supposed. No cell is split meanwhile.
  void suppose();
  /// The first supposition is true.
  void confirm();
  /// Takes all suppositions back.
  void retract();
  [[nodiscard]] std::size_t suppositions() const { return suppositions_.size(); }
  /// Leaves cells and bounds to others. The relaxation is of no more use then.
  void leave(Experience& experience, const search::Blend& direction);

  [[nodiscard]] const std::vector<Cell>& side(std::size_t s) const { return sides_[s]; }
  [[nodiscard]] const std::vector<Cell>& shared(std::size_t g) const { return shared_[g]; }
  [[nodiscard]] const Cell& input_cell(std::size_t layer, std::size_t i) const;
  [[nodiscard]] const Cell& output_cell(std::size_t layer, std::size_t i) const;

  /// The cell of a side in the selection for its layer.
  [[nodiscard]] const Cell& cell_of(std::size_t s, const CellPick& pick) const;

  /// Splits a cell of a side or of a shared tensor (cells.hpp).
  void split_side(std::size_t s, std::size_t cell, const CellCut& cut);
  void split_shared(std::size_t g, std::size_t cell, const CellCut& cut);

 private:
  struct Entry {
    const LayerAnswer* answer = nullptr;
    int tries = 0;
  };

  /// A pass that was found.
  struct Pass {
    std::size_t side = 0;
    std::size_t own = 0;
    std::size_t shared = 0;
  };

  /// Raises the bound of a pair of cells, if it is below.
  void raise(std::size_t layer, std::size_t i, std::size_t o, search::Value bound);
  CellSums& sums();
  [[nodiscard]] CellSums::Least least_sum();
  std::optional<Rational> room(std::size_t layer, const CellSums::Own& own,
                               const CellSums::Shared& shared);
  bool know_passes(const std::vector<Pass>& passes);
  bool know_pass(std::size_t side, std::size_t own, std::size_t shared);
  /// Adds the passes of a layer in these cells.
  void add_passes(std::size_t layer, const CellSums::Own& own, const CellSums::Shared& shared,
                  std::vector<Pass>& passes) const;
  [[nodiscard]] bool holds(const Entry& entry, std::size_t layer, std::size_t i,
                           std::size_t o) const;
  void sums_are(bool usable) {
    if (usable) return;
    sums_.reset();
    sums_suppose_ = false;
  }

  const Architecture& a_;
  LayoutSpace& space_;
  const Exchange& exchange_;
  std::size_t goals_;
  std::vector<std::vector<Cell>> sides_;
  std::vector<std::vector<Cell>> shared_;
  // By cells of a layer's input and output; by cells of a side and of its shared tensor.
  std::vector<std::vector<std::vector<Entry>>> entries_;
  std::vector<CellSums::Grid> bounds_;
  std::vector<CellSums::Grid> passes_;
  std::vector<std::vector<std::vector<char>>> known_;  // whether a pass is that of its cells
  std::vector<BoundLine> lines_;                       // bounds in other directions
  std::unique_ptr<CellSums> sums_;  // of the bounds and passes; made when they are needed
  search::UndoLog<Entry, search::Value> before_suppositions_;
  std::deque<std::vector<Pass>> suppositions_;  // the passes found since each
  bool sums_suppose_ = false;                   // whether `sums_` can take them back
};

}  // namespace pimbb::dram_pim::network
