// Tables of layers over the cells of the tensors that they share, and their least sum.
#include "dram_pim/plan/layout_relaxation.hpp"

#include <cassert>
#include <utility>

namespace pimbb::dram_pim::network {
namespace {

/// For a tensor that no other layer uses: any place is allowed.
const std::vector<Cell> kAnywhere{Cell{}};

}  // namespace

LayoutRelaxation::LayoutRelaxation(const Architecture& architecture, LayoutSpace& space,
                                   std::size_t goals)
    : a_(architecture), space_(space), exchange_(space.exchange()), goals_(goals) {
  for (std::size_t s = 0; s < exchange_.sides.size(); ++s) sides_.push_back(space.side_cells(s));
  for (std::size_t g = 0; g < exchange_.shared.size(); ++g) {
    shared_.push_back(space.shared_cells(g));
  }
  const search::Value zero{std::vector<Rational>(goals)};
  for (const ExchangeLayer& layer : exchange_.layers) {
    const std::size_t inputs = layer.input ? sides_[*layer.input].size() : 1;
    const std::size_t outputs = layer.output ? sides_[*layer.output].size() : 1;
    entries_.emplace_back(inputs, std::vector<Entry>(outputs));
    bounds_.emplace_back(inputs, CellSums::Row(outputs, zero));
  }
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    CellSums::Grid& grid = passes_.emplace_back();
    for (const Cell& own : sides_[s]) {
      CellSums::Row& row = grid.emplace_back();
      for (const Cell& common : shared_[exchange_.sides[s].shared]) {
        row.push_back(space.least_pass(s, own, common));
      }
    }
  }
}

const Cell& LayoutRelaxation::input_cell(std::size_t layer, std::size_t i) const {
  const auto& side = exchange_.layers[layer].input;
  return (side ? sides_[*side] : kAnywhere)[i];
}

const Cell& LayoutRelaxation::output_cell(std::size_t layer, std::size_t i) const {
  const auto& side = exchange_.layers[layer].output;
  return (side ? sides_[*side] : kAnywhere)[i];
}

const Cell& LayoutRelaxation::cell_of(std::size_t s, const CellPick& pick) const {
  return sides_[s][pick.cell(exchange_.sides[s].tensor)];
}

/// A cell of the side became two: `cell` and the last. What is proven of the whole holds for both.
void LayoutRelaxation::split_passes(std::size_t s, std::size_t cell) {
  CellSums::Grid& known = passes_[s];
  known.push_back(known[cell]);
  for (const std::size_t changed : {cell, known.size() - 1}) {
    const std::vector<Cell>& shared = shared_[exchange_.sides[s].shared];
    for (std::size_t g = 0; g < shared.size(); ++g) {
      search::Value& pass = known[changed][g];
      pass = std::max(pass, space_.least_pass(s, sides_[s][changed], shared[g]));
    }
  }
  if (sums_) sums_are(sums_->split_side(s, cell, known[cell], known.back()));
}

/// The same for a cell of its shared tensor.
void LayoutRelaxation::split_shared_passes(std::size_t s, std::size_t cell) {
  const std::vector<Cell>& shared = shared_[exchange_.sides[s].shared];
  CellSums::Row low;
  CellSums::Row high;
  for (std::size_t own = 0; own < sides_[s].size(); ++own) {
    CellSums::Row& known = passes_[s][own];
    const Cell& here = sides_[s][own];
    known.push_back(std::max(known[cell], space_.least_pass(s, here, shared.back())));
    known[cell] = std::max(known[cell], space_.least_pass(s, here, shared[cell]));
    low.push_back(known[cell]);
    high.push_back(known.back());
  }
  if (sums_) sums_are(sums_->split_shared(s, cell, low, high));
}

LayoutRelaxation::RelaxedPlan LayoutRelaxation::least() {
  if (!sums_) sums_ = CellSums::make(exchange_, goals_, bounds_, passes_);
  CellSums::Least least = sums_->least();
  RelaxedPlan result{std::move(least.value), {}, std::move(least.shared)};
  for (std::size_t l = 0; l < least.layers.size(); ++l) {
    const auto chosen = [&](const std::optional<std::size_t>& side) {
      return side ? result.shared[exchange_.sides[*side].shared] : 0;
    };
    const CellSums::Own own = least.layers[l];
    const Entry& entry = entries_[l][own.input][own.output];
    CellPick pick{own.input, own.output, entry.answer, entry.tries};
    pick.bound = bounds_[l][own.input][own.output].goals()[0];
    if (pick.answer == nullptr) {
      pick.room = sums_->room(
          l, own, {chosen(exchange_.layers[l].input), chosen(exchange_.layers[l].output)});
    }
    result.layers.push_back(std::move(pick));
  }
  return result;
}

void LayoutRelaxation::solved(std::size_t layer, const CellPick& cells, const LayerAnswer& answer) {
  Entry& entry = entries_[layer][cells.input][cells.output];
  if (answer.settled()) entry.answer = &answer;
  ++entry.tries;
  search::Value& known = bounds_[layer][cells.input][cells.output];
  search::Value bound = space_.layer_value(layer, answer.bound);
  if (!(known < bound)) return;
  known = std::move(bound);
  if (sums_) sums_are(sums_->raise(layer, {cells.input, cells.output}, known));
}

/// Whether the mapping of an entry is within cells of the layer.
bool LayoutRelaxation::holds(const Entry& entry, std::size_t layer, std::size_t i,
                             std::size_t o) const {
  if (entry.answer == nullptr || !entry.answer->solution.mapping) return false;
  LayoutRanges ranges;
  ranges[index(Tensor::input)] = input_cell(layer, i).range;
  ranges[index(Tensor::output)] = output_cell(layer, o).range;
  return within(ranges, a_, *entry.answer->solution.mapping);
}

void LayoutRelaxation::split_side(std::size_t s, std::size_t cell, const CellCut& cut) {
  const auto [low, high] = split(sides_[s][cell], cut);
  sides_[s][cell] = low;
  sides_[s].push_back(high);
  split_passes(s, cell);
  const std::size_t l = exchange_.sides[s].layer;
  std::vector<std::vector<Entry>>& entries = entries_[l];
  CellSums::Grid& bounds = bounds_[l];
  const auto check = [&](std::size_t i, std::size_t o) {
    Entry& entry = entries[i][o];
    const bool impossible = bounds[i][o].infinite();
    if (!impossible && !holds(entry, l, i, o)) entry.answer = nullptr;
  };
  const std::size_t last = sides_[s].size() - 1;
  if (exchange_.sides[s].tensor == Tensor::input) {
    entries.push_back(entries[cell]);
    bounds.push_back(bounds[cell]);
    for (std::size_t o = 0; o < entries[cell].size(); ++o) {
      check(cell, o);
      check(last, o);
    }
  } else {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries[i].push_back(entries[i][cell]);
      bounds[i].push_back(bounds[i][cell]);
      check(i, cell);
      check(i, last);
    }
  }
}

void LayoutRelaxation::split_shared(std::size_t g, std::size_t cell, const CellCut& cut) {
  const auto [low, high] = split(shared_[g][cell], cut);
  shared_[g][cell] = low;
  shared_[g].push_back(high);
  for (const std::size_t s : exchange_.shared[g].sides) split_shared_passes(s, cell);
}

}  // namespace pimbb::dram_pim::network
