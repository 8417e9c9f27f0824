// Tables of layers over the cells of the tensors that they share, and their least sum.
#include "dram_pim/plan/layout_relaxation.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::network {
namespace {

/// For a tensor that no other layer uses: any place is allowed.
const std::vector<Cell> kAnywhere{Cell{}};

/// Bounds of whose goals but the first nothing is known.
CellSums::Grid with_goals(const BoundLine::Grid& first, std::size_t goals) {
  CellSums::Grid grid;
  for (const auto& bounds : first) {
    CellSums::Row& row = grid.emplace_back(bounds.size());
    for (std::size_t k = 0; k < bounds.size(); ++k) {
      if (!bounds[k]) continue;
      std::vector<Rational> all(goals);
      all[0] = *bounds[k];
      row[k] = search::Value(std::move(all));
    }
  }
  return grid;
}

/// The first goals of bounds.
BoundLine::Grid first_goals(const CellSums::Grid& grid) {
  BoundLine::Grid first;
  for (const CellSums::Row& row : grid) {
    auto& bounds = first.emplace_back(row.size());
    for (std::size_t k = 0; k < row.size(); ++k) {
      if (!row[k].infinite()) bounds[k] = row[k].goals()[0];
    }
  }
  return first;
}

/// The same for a list of grids, each on some thread.
template <class To, class From, class Convert>
std::vector<To> each(const std::vector<From>& grids, const Convert& convert) {
  std::vector<To> all(grids.size());
  run::parallel_for(grids.size(), [&](std::size_t k) { all[k] = convert(grids[k]); });
  return all;
}

/// A second cell of the first axis with the bounds of a given one; of the second axis.
template <class Grid>
void split_first(Grid& grid, std::size_t cell) {
  grid.push_back(grid[cell]);
}
template <class Grid>
void split_second(Grid& grid, std::size_t cell) {
  for (auto& row : grid) row.push_back(row[cell]);
}

}  // namespace

LayoutRelaxation::LayoutRelaxation(const Architecture& architecture, LayoutSpace& space,
                                   std::size_t goals, Experience* known,
                                   const search::Blend& direction)
    : a_(architecture), space_(space), exchange_(space.exchange()), goals_(goals) {
  if (known != nullptr) {
    sides_ = std::move(known->sides);
    shared_ = std::move(known->shared);
    lines_ = std::move(known->lines);
  }
  if (lines_.empty()) {
    for (std::size_t s = 0; s < exchange_.sides.size(); ++s) sides_.push_back(space.side_cells(s));
    for (std::size_t g = 0; g < exchange_.shared.size(); ++g) {
      shared_.push_back(space.shared_cells(g));
    }
  } else {
    const BoundLine line = line_between(lines_, direction);
    const auto whole = [&](const BoundLine::Grid& first) { return with_goals(first, goals); };
    bounds_ = each<CellSums::Grid>(line.layers, whole);
    passes_ = each<CellSums::Grid>(line.passes, whole);
  }
  const search::Value zero{std::vector<Rational>(goals)};
  for (const ExchangeLayer& layer : exchange_.layers) {
    const std::size_t inputs = layer.input ? sides_[*layer.input].size() : 1;
    const std::size_t outputs = layer.output ? sides_[*layer.output].size() : 1;
    entries_.emplace_back(inputs, std::vector<Entry>(outputs));
    if (lines_.empty()) bounds_.emplace_back(inputs, CellSums::Row(outputs, zero));
  }
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    const std::size_t common = shared_[exchange_.sides[s].shared].size();
    if (lines_.empty()) passes_.emplace_back(sides_[s].size(), CellSums::Row(common, zero));
    known_.emplace_back(sides_[s].size(), std::vector<char>(common, 0));
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

/// Finds the pass between two cells, unless it is known. Whether it is more than what was known of
/// larger cells.
bool LayoutRelaxation::know_pass(std::size_t s, std::size_t own, std::size_t shared) {
  if (known_[s][own][shared] != 0) return false;
  known_[s][own][shared] = 1;
  const search::Value& pass =
      space_.least_pass(s, sides_[s][own], shared_[exchange_.sides[s].shared][shared]);
  if (!(passes_[s][own][shared] < pass)) return false;
  passes_[s][own][shared] = pass;
  if (!suppositions_.empty()) suppositions_.back().push_back({s, own, shared});
  if (sums_) sums_are(sums_->raise_pass(s, own, shared, pass));
  return true;
}

/// Finds these passes. Whether one is more than what was known of it.
bool LayoutRelaxation::know_passes(const std::vector<Pass>& passes) {
  bool higher = false;
  for (const Pass& pass : passes) {
    const bool now = know_pass(pass.side, pass.own, pass.shared);
    higher = higher || now;
  }
  return higher;
}

void LayoutRelaxation::add_passes(std::size_t layer, const CellSums::Own& own,
                                  const CellSums::Shared& shared, std::vector<Pass>& passes) const {
  const ExchangeLayer& l = exchange_.layers[layer];
  if (l.input) passes.push_back({*l.input, own.input, shared.from});
  if (l.output) passes.push_back({*l.output, own.output, shared.to});
}

/// The sums of what is known.
CellSums& LayoutRelaxation::sums() {
  if (!sums_) sums_ = CellSums::make(exchange_, goals_, bounds_, passes_);
  return *sums_;
}

/// The least sum in which every pass is known.
CellSums::Least LayoutRelaxation::least_sum() {
  while (true) {
    CellSums::Least least = sums().least();
    std::vector<Pass> passes;
    for (std::size_t l = 0; l < least.layers.size(); ++l) {
      add_passes(l, least.layers[l], shared_of(exchange_.layers[l], exchange_, least.shared),
                 passes);
    }
    if (!know_passes(passes)) return least;
  }
}

std::optional<Rational> LayoutRelaxation::room(std::size_t layer, const CellSums::Own& own,
                                               const CellSums::Shared& shared) {
  while (true) {
    const auto next = sums().next(layer, own, shared);
    if (!next) return std::nullopt;
    std::vector<Pass> passes;
    add_passes(layer, next->own, shared, passes);
    if (!know_passes(passes)) return next->room;
  }
}

LayoutRelaxation::RelaxedPlan LayoutRelaxation::least() {
  CellSums::Least least = least_sum();
  RelaxedPlan result{std::move(least.value), {}, std::move(least.shared)};
  for (std::size_t l = 0; l < least.layers.size(); ++l) {
    const CellSums::Own own = least.layers[l];
    const Entry& entry = entries_[l][own.input][own.output];
    CellPick pick{own.input, own.output, entry.answer, entry.tries};
    pick.bound = bounds_[l][own.input][own.output].goals()[0];
    if (pick.answer == nullptr) {
      pick.room = room(l, own, shared_of(exchange_.layers[l], exchange_, result.shared));
    }
    result.layers.push_back(std::move(pick));
  }
  return result;
}

void LayoutRelaxation::solved(std::size_t layer, const CellPick& cells, const LayerAnswer* answer,
                              const search::Value& bound) {
  Entry& entry = entries_[layer][cells.input][cells.output];
  before_suppositions_.keep(entry);
  if (answer != nullptr) entry.answer = answer;
  ++entry.tries;
  raise(layer, cells.input, cells.output, space_.layer_value(layer, bound));
}

void LayoutRelaxation::suppose() {
  if (suppositions_.empty()) {
    sums();
    sums_suppose_ = true;
  }
  if (sums_suppose_) sums_->suppose();
  before_suppositions_.suppose();
  suppositions_.emplace_back();
}

void LayoutRelaxation::confirm() {
  if (sums_suppose_) sums_->confirm();
  before_suppositions_.confirm();
  suppositions_.pop_front();
}

void LayoutRelaxation::retract() {
  if (suppositions_.empty()) return;
  before_suppositions_.retract();
  if (sums_suppose_) {
    sums_->retract();
  } else {
    sums_.reset();
  }
  for (; !suppositions_.empty(); suppositions_.pop_front()) {
    for (const auto& [side, own, shared] : suppositions_.front()) {
      if (sums_) sums_are(sums_->raise_pass(side, own, shared, passes_[side][own][shared]));
    }
  }
}

void LayoutRelaxation::solved_alone(std::size_t layer, const LayerAnswer& answer) {
  const search::Value bound = space_.layer_value(layer, answer.bound);
  for (std::size_t i = 0; i < entries_[layer].size(); ++i) {
    if (input_cell(layer, i).framed) continue;
    for (std::size_t o = 0; o < entries_[layer][i].size(); ++o) {
      if (output_cell(layer, o).framed) continue;
      raise(layer, i, o, bound);
      Entry& entry = entries_[layer][i][o];
      entry.answer = &answer;
      if (!holds(entry, layer, i, o)) entry.answer = nullptr;
    }
  }
}

void LayoutRelaxation::raise(std::size_t layer, std::size_t i, std::size_t o, search::Value bound) {
  search::Value& known = bounds_[layer][i][o];
  if (!(known < bound)) return;
  before_suppositions_.keep(known);
  known = std::move(bound);
  if (sums_) sums_are(sums_->raise(layer, {i, o}, known));
}

void LayoutRelaxation::leave(Experience& experience, const search::Blend& direction) {
  for (std::size_t s = 0; s < sides_.size(); ++s) {
    for (Cell& cell : sides_[s]) cell = space_.without_ranks(s, cell);
  }
  std::erase_if(lines_, [&](const BoundLine& line) {
    return search::turn(line.direction, direction).sign() == 0;
  });
  lines_.push_back({direction, each<BoundLine::Grid>(bounds_, first_goals),
                    each<BoundLine::Grid>(passes_, first_goals)});
  experience.sides = std::move(sides_);
  experience.shared = std::move(shared_);
  experience.lines = std::move(lines_);
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
  split_first(passes_[s], cell);
  for (BoundLine& line : lines_) split_first(line.passes[s], cell);
  known_[s][cell].assign(known_[s][cell].size(), 0);
  known_[s].push_back(known_[s][cell]);
  if (sums_) sums_->split_side(s, cell);
  const std::size_t l = exchange_.sides[s].layer;
  std::vector<std::vector<Entry>>& entries = entries_[l];
  const auto check = [&](std::size_t i, std::size_t o) {
    Entry& entry = entries[i][o];
    const bool impossible = bounds_[l][i][o].infinite();
    if (!impossible && !holds(entry, l, i, o)) entry.answer = nullptr;
  };
  const std::size_t last = sides_[s].size() - 1;
  if (exchange_.sides[s].tensor == Tensor::input) {
    split_first(entries, cell);
    split_first(bounds_[l], cell);
    for (BoundLine& line : lines_) split_first(line.layers[l], cell);
    for (std::size_t o = 0; o < entries[cell].size(); ++o) {
      check(cell, o);
      check(last, o);
    }
  } else {
    split_second(entries, cell);
    split_second(bounds_[l], cell);
    for (BoundLine& line : lines_) split_second(line.layers[l], cell);
    for (std::size_t i = 0; i < entries.size(); ++i) {
      check(i, cell);
      check(i, last);
    }
  }
}

void LayoutRelaxation::split_shared(std::size_t g, std::size_t cell, const CellCut& cut) {
  const auto [low, high] = split(shared_[g][cell], cut);
  shared_[g][cell] = low;
  shared_[g].push_back(high);
  for (const std::size_t s : exchange_.shared[g].sides) {
    split_second(passes_[s], cell);
    for (BoundLine& line : lines_) split_second(line.passes[s], cell);
    for (std::vector<char>& row : known_[s]) {
      row[cell] = 0;
      row.push_back(0);
    }
  }
  if (sums_) sums_->split_shared(g, cell);
}

}  // namespace pimbb::dram_pim::network
