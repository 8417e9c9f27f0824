// Cells to begin with, places within them, passes between them.
#include "network/layout_space.hpp"

namespace pimbb::network {
namespace {

/// Only exact row activations see addresses; the formulas do not know a tensor from one in a frame.
bool sees_frames(const SolveOptions& options) { return options.row_model == RowModel::trace; }

Layout layout_of(const Cell& single) {
  return single.range.sequential ? Layout::sequential : Layout::row_aligned;
}

}  // namespace

std::vector<Cell> LayoutSpace::side_cells(std::size_t s) const {
  const Side& side = exchange_.sides[s];
  const Placement& shared = exchange_.shared[side.shared].place;
  std::vector<Cell> cells{
      own_places({shared.batch, shared.channels, side.own.height, side.own.width})};
  if (side.can_share && sees_frames(options_) && side.own != shared.frame) {
    cells.push_back(only_sequential(true));
  }
  return cells;
}

std::vector<Cell> LayoutSpace::shared_cells(std::size_t g) const {
  const Placement& place = exchange_.shared[g].place;
  return {only_sequential(true),
          only_aligned({place.batch, place.channels, place.own.height, place.own.width})};
}

LayoutRange LayoutSpace::range_of(std::size_t s, const Cell& cell) const {
  const LayoutRange all = side_cells(s)[0].range;
  LayoutRange range = cell.range;
  if (!range.row_aligned || (range.least == all.least && range.most == all.most)) {
    range.least = LayoutRange{}.least;
    range.most = LayoutRange{}.most;
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
  const Side& side = exchange_.sides[s];
  const Placement& shared = exchange_.shared[side.shared].place;
  Placement place = shared;
  place.own = side.own;
  place.frame = side.own;
  place.element_bytes = a_.element_bytes(side.tensor);
  place.layout = layout;
  place.channels_last = false;
  if (layout == Layout::row_aligned) {
    place.box = box;
    return place;
  }
  place.channels_last = side.tensor == Tensor::input && a_.input_order == InputOrder::nhwc;
  if (framed || (side.can_share && !sees_frames(options_))) place.frame = shared.frame;
  return place;
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

const PassCost& LayoutSpace::pass(std::size_t s, const Placement& own, const Placement& shared) {
  return exchange_.sides[s].tensor == Tensor::output ? passes_.cost(own, shared)
                                                     : passes_.cost(shared, own);
}

Value LayoutSpace::least_pass(std::size_t s, const Cell& own, const Cell& shared) {
  const Side& side = exchange_.sides[s];
  const Value nothing = value_of({}, 1);
  const Placement plain = side_place(s, own.framed, Layout::sequential, {});
  const Placement common = shared_place(side.shared, Layout::sequential, {});
  if (own.range.sequential && shared.range.sequential && plain.agrees(common)) return nothing;
  constexpr LayoutBox kBox{1, 1, 1, 1};
  const bool boxes_can_agree = side_place(s, false, Layout::row_aligned, kBox)
                                   .agrees(shared_place(side.shared, Layout::row_aligned, kBox));
  if (boxes_can_agree && boxes_meet(own.range, shared.range)) return nothing;
  if (own.is_single() && shared.is_single()) {
    const Placement here = side_place(s, own.framed, layout_of(own), own.range.least);
    const Placement there = shared_place(side.shared, layout_of(shared), shared.range.least);
    return value_of(pass(s, here, there), times(side.layer));
  }
  const PassCost floor = side.tensor == Tensor::output ? passes_.floor(plain, common)
                                                       : passes_.floor(common, plain);
  return value_of(floor, times(side.layer));
}

Value LayoutSpace::value_of(const PassCost& cost, const Rational& times) const {
  Metrics pass;
  pass.latency = cost.latency * times;
  pass.energy = cost.energy * times;
  pass.row_activations[0] = cost.activations * times;
  std::vector<Rational> goals;
  for (const Goal goal : options_.objective.goals) {
    goals.push_back(options_.objective.value(goal, pass));
  }
  return Value(std::move(goals));
}

}  // namespace pimbb::network
