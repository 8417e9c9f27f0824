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
    : a_(architecture),
      space_(space),
      exchange_(space.exchange()),
      zero_(std::vector<Rational>(goals)),
      passes_(exchange_.sides.size()),
      tables_(exchange_.layers.size()),
      best_(exchange_.layers.size()),
      summarised_(exchange_.layers.size()),
      no_pass_{{zero_}} {
  for (std::size_t s = 0; s < exchange_.sides.size(); ++s) sides_.push_back(space.side_cells(s));
  for (std::size_t g = 0; g < exchange_.shared.size(); ++g) {
    shared_.push_back(space.shared_cells(g));
  }
  for (const ExchangeLayer& layer : exchange_.layers) {
    const std::size_t inputs = layer.input ? sides_[*layer.input].size() : 1;
    const std::size_t outputs = layer.output ? sides_[*layer.output].size() : 1;
    layers_.emplace_back(inputs, std::vector<Entry>(outputs, Entry{zero_}));
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

/// Lower bounds of the passes of a side.
const LayoutRelaxation::PassTable& LayoutRelaxation::passes(
    const std::optional<std::size_t>& side) {
  if (!side) return no_pass_;
  std::optional<PassTable>& known = passes_[*side];
  if (known) return *known;
  known.emplace();
  for (const Cell& own : sides_[*side]) {
    known->emplace_back();
    for (const Cell& common : shared_[exchange_.sides[*side].shared]) {
      known->back().push_back(space_.least_pass(*side, own, common));
    }
  }
  return *known;
}

/// A cell of the side became two: `cell` and the last. Other passes stay.
void LayoutRelaxation::split_own_passes(std::size_t side, std::size_t cell) {
  summarised_[exchange_.sides[side].layer] = false;
  if (!passes_[side]) return;
  PassTable& known = *passes_[side];
  known.emplace_back();
  for (const std::size_t changed : {cell, known.size() - 1}) {
    known[changed].clear();
    for (const Cell& common : shared_[exchange_.sides[side].shared]) {
      known[changed].push_back(space_.least_pass(side, sides_[side][changed], common));
    }
  }
}

/// The same for a cell of its shared tensor.
void LayoutRelaxation::split_shared_passes(std::size_t side, std::size_t cell) {
  summarised_[exchange_.sides[side].layer] = false;
  if (!passes_[side]) return;
  const std::vector<Cell>& shared = shared_[exchange_.sides[side].shared];
  PassTable& known = *passes_[side];
  for (std::size_t own = 0; own < known.size(); ++own) {
    const Cell& here = sides_[side][own];
    known[own][cell] = space_.least_pass(side, here, shared[cell]);
    known[own].push_back(space_.least_pass(side, here, shared.back()));
  }
}

/// The best cell of the output, for each cell of the input and each of the shared tensor written.
std::vector<std::vector<LayoutRelaxation::BestOutput>> LayoutRelaxation::best_outputs(
    std::size_t layer, const PassTable& after) const {
  std::vector<std::vector<BestOutput>> all;
  search::Value sum;                                          // keeps its memory
  for (const std::vector<Entry>& entries : layers_[layer]) {  // by cell of the input
    assert(entries.size() == after.size());
    std::vector<BestOutput>& best = all.emplace_back(after[0].size());
    for (std::size_t common = 0; common < best.size(); ++common) {
      for (std::size_t o = 0; o < after.size(); ++o) {
        if (!(entries[o].bound < best[common].value)) continue;  // passes cost nothing at least
        sum = entries[o].bound;
        sum += after[o][common];
        if (!(sum < best[common].value)) continue;
        std::swap(best[common].value, sum);
        best[common].cell = o;
      }
    }
  }
  return all;
}

/// A layer over the cells of the shared tensors, and the cells of its own that attain that.
void LayoutRelaxation::summarise(std::size_t layer) {
  if (summarised_[layer]) return;
  summarised_[layer] = true;
  const ExchangeLayer& l = exchange_.layers[layer];
  const PassTable& before = passes(l.input);
  const PassTable& after = passes(l.output);
  const std::size_t inputs = before[0].size();
  const std::size_t outputs = after[0].size();
  const bool one_tensor =
      l.input && l.output && exchange_.sides[*l.input].shared == exchange_.sides[*l.output].shared;
  search::Table& table = tables_[layer];
  auto& best = best_[layer];
  table = {};
  if (l.input) table.variables.push_back(exchange_.sides[*l.input].shared);
  if (l.output && !one_tensor) table.variables.push_back(exchange_.sides[*l.output].shared);
  best.assign(inputs, std::vector<CellPick>(outputs));
  const std::vector<std::vector<BestOutput>> with_after = best_outputs(layer, after);
  search::Value sum;  // keeps its memory
  for (std::size_t from = 0; from < inputs; ++from) {
    for (std::size_t to = 0; to < outputs; ++to) {
      if (one_tensor && from != to) continue;
      search::Value least;
      for (std::size_t i = 0; i < before.size(); ++i) {
        if (!(with_after[i][to].value < least)) continue;
        sum = with_after[i][to].value;
        sum += before[i][from];
        if (!(sum < least)) continue;
        std::swap(least, sum);
        best[from][to] = {.input = i, .output = with_after[i][to].cell};
      }
      table.values.push_back(std::move(least));
    }
  }
}

LayoutRelaxation::RelaxedPlan LayoutRelaxation::least() {
  std::vector<std::size_t> domains;
  for (const auto& cells : shared_) domains.push_back(cells.size());
  for (std::size_t l = 0; l < layers_.size(); ++l) summarise(l);
  const search::LeastSum minimum = search::least_sum(domains, tables_, zero_);
  RelaxedPlan result{minimum.value, {}, minimum.choice};
  if (minimum.value.infinite()) return result;
  for (std::size_t l = 0; l < layers_.size(); ++l) {
    const auto chosen = [&](const std::optional<std::size_t>& side) {
      return side ? minimum.choice[exchange_.sides[*side].shared] : 0;
    };
    const std::size_t from = chosen(exchange_.layers[l].input);
    const std::size_t to = chosen(exchange_.layers[l].output);
    CellPick pick = best_[l][from][to];
    const Entry& entry = layers_[l][pick.input][pick.output];
    pick.answer = entry.answer;
    pick.tries = entry.tries;
    pick.bound = entry.bound.goals()[0];
    if (pick.answer == nullptr) pick.room = room(l, pick, from, to);
    result.layers.push_back(std::move(pick));
  }
  return result;
}

std::optional<Rational> LayoutRelaxation::room(std::size_t layer, const CellPick& pick,
                                               std::size_t from, std::size_t to) {
  const PassTable& before = passes(exchange_.layers[layer].input);
  const PassTable& after = passes(exchange_.layers[layer].output);
  search::Value sum;
  const auto add = [&](std::size_t i, std::size_t o) {
    sum = layers_[layer][i][o].bound;
    sum += before[i][from];
    sum += after[o][to];
  };
  search::Value other;
  for (std::size_t i = 0; i < before.size(); ++i) {
    for (std::size_t o = 0; o < after.size(); ++o) {
      if (i == pick.input && o == pick.output) continue;
      if (!(layers_[layer][i][o].bound < other)) continue;
      add(i, o);
      if (sum < other) std::swap(other, sum);
    }
  }
  if (other.infinite()) return std::nullopt;
  add(pick.input, pick.output);
  return other.goals()[0] - sum.goals()[0];
}

void LayoutRelaxation::solved(std::size_t layer, const CellPick& cells, const LayerAnswer& answer) {
  Entry& entry = layers_[layer][cells.input][cells.output];
  if (answer.settled()) entry.answer = &answer;
  ++entry.tries;
  const search::Value bound = space_.layer_value(layer, answer.bound);
  if (entry.bound < bound) entry.bound = bound;
  summarised_[layer] = false;
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
  split_own_passes(s, cell);
  const std::size_t l = exchange_.sides[s].layer;
  Entries& entries = layers_[l];
  const auto check = [&](std::size_t i, std::size_t o) {
    Entry& entry = entries[i][o];
    const bool impossible = entry.bound.infinite();
    if (!impossible && !holds(entry, l, i, o)) entry.answer = nullptr;
  };
  const std::size_t last = sides_[s].size() - 1;
  if (exchange_.sides[s].tensor == Tensor::input) {
    entries.push_back(entries[cell]);
    for (std::size_t o = 0; o < entries[cell].size(); ++o) {
      check(cell, o);
      check(last, o);
    }
  } else {
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries[i].push_back(entries[i][cell]);
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
