// Cells to begin with, places within them, passes between them.
#include "dram_pim/plan/layout_space.hpp"

#include <algorithm>

#include "dram_pim/mapper/tiles.hpp"
#include "dram_pim/network/totals.hpp"
#include "exact/int128.hpp"

namespace pimbb::dram_pim::network {
namespace {

std::vector<LayoutBox> boxes_of(const auto& passes) {
  std::vector<LayoutBox> boxes;
  for (const auto& pass : passes) boxes.push_back(pass.box);
  return boxes;
}

}  // namespace

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
  const Side& side = exchange_.sides[s];
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
  if (framed || (side.can_share && !is_traced(question_.row_model))) place.frame = shared.frame;
  return place;
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

const PassCost& LayoutSpace::pass(std::size_t s, const Placement& own, const Placement& shared) {
  return exchange_.sides[s].tensor == Tensor::output ? passes_.cost(own, shared)
                                                     : passes_.cost(shared, own);
}

const LayoutSpace::LeastPass& LayoutSpace::known_least_pass(std::size_t s, const Cell& own,
                                                            const Cell& shared) {
  const auto [known, is_new] = least_passes_.try_emplace({s, own, shared});
  if (is_new) known->second = find_least_pass(s, own, shared);
  return known->second;
}

const search::Value& LayoutSpace::least_pass(std::size_t s, const Cell& own, const Cell& shared) {
  return known_least_pass(s, own, shared).value;
}

std::optional<LayoutBox> LayoutSpace::likely_box(std::size_t s, const Cell& own,
                                                 const Cell& shared) {
  return known_least_pass(s, own, shared).shared_box;
}

LayoutSpace::LeastPass LayoutSpace::find_least_pass(std::size_t s, const Cell& own,
                                                    const Cell& shared) {
  const Side& side = exchange_.sides[s];
  const auto empty = [](const Cell& cell, const BoxPasses& boxes) {  // no box of it fits a row
    return !cell.range.sequential && inside(boxes, cell).empty();
  };
  if (empty(own, own_boxes(s)) || empty(shared, shared_boxes(s, own.framed))) return {};
  const search::Value nothing = value_of({}, s);
  const Placement plain = side_place(s, own.framed, Layout::sequential, {});
  const Placement common = shared_place(side.shared, Layout::sequential, {});
  if (own.range.sequential && shared.range.sequential && plain.agrees(common)) return {nothing};
  constexpr LayoutBox kBox{1, 1, 1, 1};
  const bool boxes_can_agree = side_place(s, false, Layout::row_aligned, kBox)
                                   .agrees(shared_place(side.shared, Layout::row_aligned, kBox));
  if (boxes_can_agree && own.range.row_aligned && shared.range.row_aligned) {
    for (const BoxPass& pass : inside(own_boxes(s), own)) {
      if (shared.range.admits(pass.box)) return {nothing, pass.box};
    }
  }
  if (own.is_single() && shared.is_single()) {
    const LayoutBox& box = shared.range.least;
    return {pass_value(s, side_place(s, own.framed, own.layout(), own.range.least),
                       shared_place(side.shared, shared.layout(), box)),
            shared.range.row_aligned ? std::optional(box) : std::nullopt};
  }
  LeastPass least;
  const auto lower = [&](const search::Value& value, const std::optional<LayoutBox>& shared_box) {
    if (value < least.value) least = {value, shared_box};
  };
  if (own.range.sequential && shared.range.sequential) {
    lower(pass_value(s, plain, common), std::nullopt);
  }
  if (own.range.row_aligned && shared.range.sequential) {
    for (const BoxPass& pass : inside(own_boxes(s), own)) lower(pass.cost, std::nullopt);
  }
  if (own.range.sequential && shared.range.row_aligned) {
    for (const BoxPass& pass : inside(shared_boxes(s, own.framed), shared)) {
      lower(pass.cost, pass.box);
    }
  }
  if (own.range.row_aligned && shared.range.row_aligned) {
    const auto here = boxes_of(inside(own_boxes(s), own));
    const auto there = boxes_of(inside(shared_boxes(s, own.framed), shared));
    const Placement filled = side_place(s, false, Layout::row_aligned, kBox);
    const Placement common_boxes = shared_place(side.shared, Layout::row_aligned, kBox);
    if (!here.empty() && !there.empty()) {
      const bool writes = side.tensor == Tensor::output;
      const Passes::Least pass = writes ? passes_.least(filled, here, common_boxes, there)
                                        : passes_.least(common_boxes, there, filled, here);
      lower(value_of(pass.cost, s), writes ? pass.target : pass.source);
    }
  }
  return least;
}

LayoutSpace::BoxPasses LayoutSpace::inside(const BoxPasses& passes, const Cell& cell) {
  BoxPasses found;
  std::ranges::copy_if(passes, std::back_inserter(found), [&](const BoxPass& pass) {
    return cell.range.admits(pass.box) && cell.first_rank <= pass.rank &&
           pass.rank <= cell.last_rank;
  });
  return found;
}

Cut LayoutSpace::cut_by_pass(std::size_t s, const Cell& own, const LayoutBox& at) {
  const Cut ordinary = cut_between(own, at, at);
  if (ordinary.by == Cut::By::kind) return ordinary;
  const BoxPasses all = inside(own_boxes(s), own);
  const auto cheapest = std::ranges::min_element(all, {}, &BoxPass::rank);
  const auto here = std::ranges::find(all, at, &BoxPass::box);
  if (here == all.end() || here->rank == cheapest->rank) return ordinary;
  // Up to the middle of the costs, so that both parts come closer to what they hold.
  std::size_t last = cheapest->rank;
  for (const BoxPass& pass : all) {
    if (pass.rank < here->rank && pass.cost + pass.cost < cheapest->cost + here->cost) {
      last = std::max(last, pass.rank);
    }
  }
  return {Cut::By::rank, 0, static_cast<std::int64_t>(last)};
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

/// All boxes of a side, ascending, and what it costs to copy them to or from a shared place.
LayoutSpace::BoxPasses LayoutSpace::passes_to(std::size_t s, const Placement& shared) {
  BoxPasses passes;
  for (const LayoutBox& box : boxes(side_place(s, false, Layout::row_aligned, {1, 1, 1, 1}))) {
    passes.push_back({box, estimate(s, side_place(s, false, Layout::row_aligned, box), shared)});
  }
  return passes;
}

const LayoutSpace::BoxPasses& LayoutSpace::own_boxes(std::size_t s) {
  const auto [place, is_new] = own_boxes_.try_emplace(s);
  if (!is_new) return place->second;
  place->second = passes_to(s, shared_place(exchange_.sides[s].shared, Layout::sequential, {}));
  std::vector<search::Value> costs;
  for (const BoxPass& pass : place->second) costs.push_back(pass.cost);
  std::ranges::sort(costs, std::less<>());
  costs.erase(std::unique(costs.begin(), costs.end()), costs.end());
  for (BoxPass& pass : place->second) {
    pass.rank = static_cast<std::size_t>(std::ranges::lower_bound(costs, pass.cost, std::less<>()) -
                                         costs.begin());
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

const LayoutSpace::BoxPasses& LayoutSpace::boxes_towards(std::size_t s, const Placement& shared) {
  const auto [place, is_new] = towards_.try_emplace({s, shared});
  if (!is_new) return place->second;
  place->second = passes_to(s, shared);
  std::ranges::stable_sort(place->second, std::less<>(), &BoxPass::cost);
  return place->second;
}

LayoutRange LayoutSpace::cheapest(std::size_t s, const Placement& shared, int halvings) {
  LayoutRange range = side_cells(s)[0].range;
  if (!range.row_aligned) return range;
  const BoxPasses& all = boxes_towards(s, shared);
  const std::size_t last = std::max<std::size_t>(1, all.size() >> halvings) - 1;
  std::vector<LayoutBox> among;
  for (const BoxPass& pass : all) {
    if (!(all[last].cost < pass.cost)) among.push_back(pass.box);
  }
  std::ranges::sort(among);
  range = {};
  range.among = std::make_shared<const std::vector<LayoutBox>>(std::move(among));
  const Placement plain = side_place(s, false, Layout::sequential, {});
  range.sequential = !(all[last].cost < pass_value(s, plain, shared));
  return range;
}

search::Value LayoutSpace::estimate(std::size_t s, const Placement& own, const Placement& shared) {
  const Side& side = exchange_.sides[s];
  return value_of(
      side.tensor == Tensor::output ? passes_.estimate(own, shared) : passes_.estimate(shared, own),
      s);
}

search::Value LayoutSpace::pass_value(std::size_t s, const Placement& own,
                                      const Placement& shared) {
  return value_of(pass(s, own, shared), s);
}

search::Value LayoutSpace::value_of(const PassCost& cost, std::size_t s) const {
  const Rational count = times(exchange_.sides[s].layer);
  const NetworkTotals total{
      cost.latency * count, cost.energy * count, cost.activations * count, {}};
  return search::Value(values_of(question_.objective, total));
}

}  // namespace pimbb::dram_pim::network
