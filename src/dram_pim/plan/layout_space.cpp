// Cells to begin with, and places within them.
#include "dram_pim/plan/layout_space.hpp"

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

std::vector<Cell> LayoutSpace::side_cells(std::size_t s) const {
  const ExchangeSide& side = exchange_.sides[s];
  const Placement& shared = exchange_.shared[side.shared].place;
  std::vector<Cell> cells{
      own_places({shared.batch, shared.channels, side.own.height, side.own.width})};
  if (workload(side.layer).bound(Dim::G) > 1) cells[0] = only_sequential(false);
  if (side.can_share && is_traced(question_.row_model) && side.own != shared.frame) {
    cells.push_back(only_sequential(true));
  }
  return cells;
}

std::vector<Cell> LayoutSpace::shared_cells(std::size_t g) const {
  const Placement& place = exchange_.shared[g].place;
  return {only_sequential(true),
          only_aligned({place.batch, place.channels, place.own.height, place.own.width})};
}

LayoutRange LayoutSpace::range_of(std::size_t s, const Cell& cell) {
  const LayoutRange all = side_cells(s)[0].range;
  LayoutRange range = cell.range;
  if (!range.row_aligned || (range.least == all.least && range.most == all.most)) {
    range.least = LayoutRange{}.least;
    range.most = LayoutRange{}.most;
  }
  if (range.row_aligned && cell.ranked()) {
    range.among =
        std::make_shared<const std::vector<LayoutBox>>(boxes_of(inside(own_boxes(s), cell)));
  }
  return range;
}

Workload LayoutSpace::framed(std::size_t layer, bool input, bool output) const {
  const auto frame = [&](const std::optional<std::size_t>& s) {
    const Rectangle& own = exchange_.sides[*s].own;
    const Rectangle& all = exchange_.shared[exchange_.sides[*s].shared].place.frame;
    return Frame{all.height, all.width, own.top - all.top, own.left - all.left};
  };
  Workload w = workload(layer);
  if (input) w.input_frame = frame(exchange_.layers[layer].input);
  if (output) w.output_frame = frame(exchange_.layers[layer].output);
  return w;
}

Placement LayoutSpace::side_place(std::size_t s, bool framed, Layout layout,
                                  const LayoutBox& box) const {
  const ExchangeSide& side = exchange_.sides[s];
  const Placement& shared = exchange_.shared[side.shared].place;
  Placement place = shared;
  place.own = side.own;
  place.frame = side.own;
  place.element_units = a_.element_units(side.tensor);
  place.layout = layout;
  place.channels_last = false;
  if (layout == Layout::row_aligned) {
    place.box = box;
    return place;
  }
  place.channels_last = side.tensor == Tensor::input && a_.input_order == InputOrder::nhwc;
  if (framed || (side.can_share && !is_traced(question_.row_model))) place.frame = shared.frame;
  return place;
}

Placement LayoutSpace::sequential_side(std::size_t s, bool framed) const {
  return side_place(s, framed, Layout::sequential, {});
}

Placement LayoutSpace::aligned_side(std::size_t s) const {
  return side_place(s, false, Layout::row_aligned, kUnitBox);
}

LayoutBox LayoutSpace::box_of(std::size_t s, const Mapping& m) const {
  return layout_box(exchange_.sides[s].tensor, m.tile(a_.row_buffer()), m.input_block);
}

Placement LayoutSpace::shared_place(std::size_t g, Layout layout, const LayoutBox& box) const {
  Placement place = exchange_.shared[g].place;
  place.layout = layout;
  if (layout == Layout::row_aligned) {
    place.box = box;
    place.frame = place.own;
    place.channels_last = false;
  }
  return place;
}

Placement LayoutSpace::mapped_place(std::size_t s, bool framed, const Mapping& m) const {
  return side_place(s, framed, m.layout[index(exchange_.sides[s].tensor)], box_of(s, m));
}

Placement LayoutSpace::place_in(std::size_t g, const Cell& single) const {
  return shared_place(g, single.layout(), single.range.least);
}

}  // namespace pimbb::dram_pim::network
