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
#pragma once

#include "dram_pim/plan/layer_costs.hpp"
#include "dram_pim/plan/layout_space.hpp"

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

  LayoutRelaxation(const Architecture& architecture, LayoutSpace& space, std::size_t goals);

  /// The least sum over all cells. Deterministic.
  [[nodiscard]] RelaxedPlan least();
  /// Records the answer for a pair of cells.
  void solved(std::size_t layer, const CellPick& cells, const LayerAnswer& answer);

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
    search::Value bound;
    const LayerAnswer* answer = nullptr;
    int tries = 0;
  };
  using Entries = std::vector<std::vector<Entry>>;  // by cells of input and output
  using PassTable =
      std::vector<std::vector<search::Value>>;  // by cell of the side, of its shared tensor

  /// Least bound of a layer and its pass after it, and the cell of the output that attains it.
  struct BestOutput {
    search::Value value;
    std::size_t cell = 0;
  };
  [[nodiscard]] std::vector<std::vector<BestOutput>> best_outputs(std::size_t layer,
                                                                  const PassTable& after) const;
  void summarise(std::size_t layer);
  [[nodiscard]] const PassTable& passes(const std::optional<std::size_t>& side);
  void split_own_passes(std::size_t side, std::size_t cell);
  void split_shared_passes(std::size_t side, std::size_t cell);
  [[nodiscard]] std::optional<Rational> room(std::size_t layer, const CellPick& pick,
                                             std::size_t from, std::size_t to);
  [[nodiscard]] bool holds(const Entry& entry, std::size_t layer, std::size_t i,
                           std::size_t o) const;

  const Architecture& a_;
  LayoutSpace& space_;
  const Exchange& exchange_;
  search::Value zero_;
  std::vector<std::vector<Cell>> sides_;
  std::vector<std::vector<Cell>> shared_;
  std::vector<Entries> layers_;
  // Derived data, until the above change.
  std::vector<std::optional<PassTable>> passes_;
  std::vector<search::Table> tables_;  // layers over the cells of the shared tensors
  std::vector<std::vector<std::vector<CellPick>>> best_;  // the layers' own cells that attain these
  std::vector<bool> summarised_;  // whether the above are up to date for the layer
  PassTable no_pass_;
};

}  // namespace pimbb::dram_pim::network
