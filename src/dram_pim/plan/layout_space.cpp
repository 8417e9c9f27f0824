// Cells to begin with, and places within them.
#include "dram_pim/plan/layout_space.hpp"

#include <algorithm>

namespace pimbb::dram_pim::network {

search::Value LayoutSpace::layer_value(std::size_t layer, const search::Value& goals) const {
  if (goals.infinite()) return goals;
  std::vector<Rational> all = goals.goals();
  for (Rational& goal : all) goal *= times(layer);
  return search::Value(std::move(all));
}

search::Value LayoutSpace::layer_value(std::size_t layer, const Solution& solution) const {
  std::vector<Rational> goals;
  for (const GoalResult& goal : solution.goals) goals.push_back(goal.value);
  return layer_value(layer, search::Value(std::move(goals)));
}

bool LayoutSpace::has_orders(std::size_t g) const {
  const TensorGroup& shared = exchange_.shared[g];
  const Rectangle& frame = shared.place.frame;
  return a_.has_free_input_order() && shared.place.channels > 1 &&
         (frame.height > 1 || frame.width > 1) &&
         std::ranges::any_of(shared.sides, [&](std::size_t s) {
           return exchange_.sides[s].tensor == Tensor::input;
         });
}

bool LayoutSpace::side_has_orders(std::size_t s) const {
  const ExchangeSide& side = exchange_.sides[s];
  return side.tensor == Tensor::input && has_orders(side.shared);
}

std::vector<InputOrder> LayoutSpace::orders(std::size_t g) const {
  std::vector<InputOrder> all{InputOrder::nchw};
  if (has_orders(g)) all.push_back(InputOrder::nhwc);
  return all;
}

std::vector<Cell> LayoutSpace::side_cells(std::size_t s) const {
  const ExchangeSide& side = exchange_.sides[s];
  const Placement& shared = exchange_.shared[side.shared].place;
  const bool two_orders = side_has_orders(s);
  std::vector<Cell> cells{
      own_places({shared.batch, shared.channels, side.own.height, side.own.width})};
  if (workload(side.layer).bound(Dim::G) > 1) cells[0] = only_sequential(false);
  cells[0].range.channels_last = two_orders;
  if (!side.can_share || side.own == shared.frame) return cells;
  if (is_traced(question_.row_model)) cells.push_back(only_sequential(true));
  if (two_orders) cells.push_back(only_sequential(true, InputOrder::nhwc));
  return cells;
}

Cell LayoutSpace::framed_cell(std::size_t s, const Placement& own) const {
  const bool channels_last = side_has_orders(s) && own.channels_last;
  return only_sequential(true, channels_last ? InputOrder::nhwc : InputOrder::nchw);
}

std::vector<Cell> LayoutSpace::shared_cells(std::size_t g) const {
  const Placement& place = exchange_.shared[g].place;
  std::vector<Cell> cells;
  for (const InputOrder order : orders(g)) cells.push_back(only_sequential(true, order));
  cells.push_back(only_aligned({place.batch, place.channels, place.own.height, place.own.width}));
  return cells;
}

LayoutRange LayoutSpace::range_of(std::size_t s, const Cell& cell) {
  const LayoutRange all = side_cells(s)[0].range;
  LayoutRange range = cell.range;
  if (!range.row_aligned || (range.least == all.least && range.most == all.most)) {
    range.least = LayoutRange{}.least;
    range.most = LayoutRange{}.most;
  }
  range.among = without_ranks(s, cell).range.among;
  set_orders(s, range);
  return range;
}

Cell LayoutSpace::without_ranks(std::size_t s, const Cell& cell) {
  Cell same = cell;
  if (!cell.range.row_aligned || !cell.ranked()) return same;
  same.ranks = {};
  same.range.among = std::make_shared<const std::vector<LayoutBox>>(
      boxes_of(own_inside(s, cell, InputOrder::nchw)));
  return same;
}

/// Where there is one order, or both are alike, `channels_last` is what a range without restriction
/// has or what does not restrict it further.
void LayoutSpace::set_orders(std::size_t s, LayoutRange& range) const {
  if (side_has_orders(s)) return;
  range.channels_last = !a_.has_free_input_order() || range.sequential;
}

/// Formulas do not see frames.
Workload LayoutSpace::framed(std::size_t layer, bool input, bool output) const {
  Workload w = workload(layer);
  if (!is_traced(question_.row_model)) return w;
  const auto frame = [&](const std::optional<std::size_t>& s) {
    const Rectangle& own = exchange_.sides[*s].own;
    const Rectangle& all = exchange_.shared[exchange_.sides[*s].shared].place.frame;
    return Frame{all.height, all.width, own.top - all.top, own.left - all.left};
  };
  if (input) w.input_frame = frame(exchange_.layers[layer].input);
  if (output) w.output_frame = frame(exchange_.layers[layer].output);
  return w;
}

Placement LayoutSpace::aligned_side(std::size_t s, const LayoutBox& box) const {
  const ExchangeSide& side = exchange_.sides[s];
  Placement place = exchange_.shared[side.shared].place;
  place.own = place.frame = side.own;
  place.element_units = a_.element_units(side.tensor);
  place.layout = Layout::row_aligned;
  place.channels_last = false;
  place.box = box;
  return place;
}

/// Formulas do not see frames: for them a side in the order of the shared tensor is in its frame. A
/// side that chose the other order may be in either.
Placement LayoutSpace::sequential_side(std::size_t s, bool framed, InputOrder order) const {
  const ExchangeSide& side = exchange_.sides[s];
  const bool chosen = side_has_orders(s) && order == InputOrder::nhwc;
  Placement place = aligned_side(s);
  place.layout = Layout::sequential;
  place.channels_last =
      chosen || (side.tensor == Tensor::input && a_.input_order == InputOrder::nhwc);
  if (framed || (side.can_share && !is_traced(question_.row_model) && !chosen)) {
    place.frame = exchange_.shared[side.shared].place.frame;
  }
  return place;
}

Placement LayoutSpace::side_in(std::size_t s, const Cell& single) const {
  if (single.range.row_aligned) return aligned_side(s, single.range.least);
  return sequential_side(s, single.framed, single.order());
}

Placement LayoutSpace::mapped_place(std::size_t s, bool framed, const Mapping& m) const {
  const Tensor t = exchange_.sides[s].tensor;
  if (m.layout[index(t)] == Layout::sequential) return sequential_side(s, framed, m.input_order);
  return aligned_side(s, layout_box(t, m.tile(a_.row_buffer()), m.input_block));
}

Placement LayoutSpace::sequential_shared(std::size_t g, InputOrder order) const {
  Placement place = exchange_.shared[g].place;
  place.channels_last = place.channels_last || order == InputOrder::nhwc;
  return place;
}

Placement LayoutSpace::aligned_shared(std::size_t g, const LayoutBox& box) const {
  Placement place = exchange_.shared[g].place;
  place.layout = Layout::row_aligned;
  place.box = box;
  place.frame = place.own;
  place.channels_last = false;
  return place;
}

Placement LayoutSpace::place_in(std::size_t g, const Cell& single) const {
  if (single.range.row_aligned) return aligned_shared(g, single.range.least);
  return sequential_shared(g, single.order());
}

}  // namespace pimbb::dram_pim::network
