// Cells to begin with, places within them, passes between them.
#include "network/layout_space.hpp"

#include <algorithm>
#include <set>

#include "mapper/lattice.hpp"
#include "model/int128.hpp"

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
  if (workload(side.layer).bound(Dim::G) > 1) cells[0] = only_sequential(false);
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

const Value& LayoutSpace::least_pass(std::size_t s, const Cell& own, const Cell& shared) {
  const auto [known, is_new] = least_passes_.try_emplace({s, own, shared});
  if (is_new) known->second = find_least_pass(s, own, shared);
  return known->second;
}

Value LayoutSpace::find_least_pass(std::size_t s, const Cell& own, const Cell& shared) {
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
    return pass_value(s, side_place(s, own.framed, layout_of(own), own.range.least),
                      shared_place(side.shared, layout_of(shared), shared.range.least));
  }
  Value least;
  const auto lower = [&](const Value& value) {
    if (value < least) least = value;
  };
  if (own.range.sequential && shared.range.sequential) lower(pass_value(s, plain, common));
  if (own.range.row_aligned && shared.range.sequential) {
    for (const BoxPass& pass : own_boxes(s)) {
      if (own.range.admits(pass.box)) lower(pass.cost);
    }
  }
  if (own.range.sequential && shared.range.row_aligned) {
    for (const BoxPass& pass : shared_boxes(s, own.framed)) {
      if (shared.range.admits(pass.box)) lower(pass.cost);
    }
  }
  if (own.range.row_aligned && shared.range.row_aligned) {
    const auto here = inside(own_boxes(s), own);
    const auto there = inside(shared_boxes(s, own.framed), shared);
    const Placement filled = side_place(s, false, Layout::row_aligned, kBox);
    const Placement common_boxes = shared_place(side.shared, Layout::row_aligned, kBox);
    if (!here.empty() && !there.empty()) {
      lower(value_of(side.tensor == Tensor::output
                         ? passes_.least(filled, here, common_boxes, there)
                         : passes_.least(common_boxes, there, filled, here),
                     times(side.layer)));
    }
  }
  return least;
}

std::vector<LayoutBox> LayoutSpace::inside(const BoxPasses& passes, const Cell& cell) {
  std::vector<LayoutBox> boxes;
  for (const BoxPass& pass : passes) {
    if (cell.range.admits(pass.box)) boxes.push_back(pass.box);
  }
  return boxes;
}

Cut LayoutSpace::cut_by_pass(std::size_t s, const Cell& own, const LayoutBox& at) {
  const Cut ordinary = cut_between(own, at, at);
  if (ordinary.by_kind) return ordinary;
  BoxPasses inside;
  std::ranges::copy_if(own_boxes(s), std::back_inserter(inside),
                       [&](const BoxPass& pass) { return own.range.admits(pass.box); });
  const auto least = [&](const Cut& cut) {  // over the part that holds `at`
    const bool low = at[cut.axis] <= cut.last;
    Value value;
    for (const BoxPass& pass : inside) {
      if ((pass.box[cut.axis] <= cut.last) == low && pass.cost < value) value = pass.cost;
    }
    return value;
  };
  Cut best = ordinary;
  Value most = least(best);
  for (std::size_t axis = 0; axis < at.size(); ++axis) {
    std::set<std::int64_t> edges;
    for (const BoxPass& pass : inside) edges.insert(pass.box[axis]);
    for (const std::int64_t edge : edges) {
      if (edge == *edges.rbegin()) continue;
      const Cut cut{false, axis, edge};
      Value value = least(cut);
      if (!(most < value)) continue;
      most = std::move(value);
      best = cut;
    }
  }
  return best;
}

std::vector<LayoutBox> LayoutSpace::boxes(const Placement& place) const {
  std::vector<LayoutBox> all;
  for (const std::int64_t n : mapper::divisors_of(place.batch)) {
    for (const std::int64_t c : mapper::divisors_of(place.channels)) {
      for (const std::int64_t h : mapper::divisors_of(place.own.height)) {
        for (const std::int64_t w : mapper::divisors_of(place.own.width)) {
          const Int128 bytes = static_cast<Int128>(n) * c * h * w * place.element_bytes;
          if (bytes <= a_.row_bytes()) all.push_back({n, c, h, w});
        }
      }
    }
  }
  return all;
}

const LayoutSpace::BoxPasses& LayoutSpace::own_boxes(std::size_t s) {
  const auto [place, is_new] = own_boxes_.try_emplace(s);
  if (!is_new) return place->second;
  const Placement common = shared_place(exchange_.sides[s].shared, Layout::sequential, {});
  for (const LayoutBox& box : boxes(side_place(s, false, Layout::row_aligned, {1, 1, 1, 1}))) {
    place->second.push_back(
        {box, estimate(s, side_place(s, false, Layout::row_aligned, box), common)});
  }
  return place->second;
}

const LayoutSpace::BoxPasses& LayoutSpace::shared_boxes(std::size_t s, bool framed) {
  const auto [place, is_new] = shared_boxes_.try_emplace({s, framed});
  if (!is_new) return place->second;
  const std::size_t g = exchange_.sides[s].shared;
  const Placement own = side_place(s, framed, Layout::sequential, {});
  for (const LayoutBox& box : boxes(shared_place(g, Layout::row_aligned, {1, 1, 1, 1}))) {
    place->second.push_back({box, estimate(s, own, shared_place(g, Layout::row_aligned, box))});
  }
  return place->second;
}

Value LayoutSpace::estimate(std::size_t s, const Placement& own, const Placement& shared) {
  const Side& side = exchange_.sides[s];
  return value_of(
      side.tensor == Tensor::output ? passes_.estimate(own, shared) : passes_.estimate(shared, own),
      times(side.layer));
}

Value LayoutSpace::pass_value(std::size_t s, const Placement& own, const Placement& shared) {
  return value_of(pass(s, own, shared), times(exchange_.sides[s].layer));
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
