// Passes between a side and its shared tensor, over the places in their cells.
#include <algorithm>

#include "dram_pim/mapper/tiles.hpp"
#include "dram_pim/network/totals.hpp"
#include "dram_pim/plan/layout_space.hpp"

namespace pimbb::dram_pim::network {

std::vector<LayoutBox> LayoutSpace::boxes_of(const SomePasses& passes) {
  std::vector<LayoutBox> boxes;
  for (const BoxPass* pass : passes) boxes.push_back(pass->box);
  return boxes;
}

const PassCost& LayoutSpace::pass(std::size_t s, const Placement& own, const Placement& shared) {
  return exchange_.sides[s].tensor == Tensor::output ? passes_.cost(own, shared)
                                                     : passes_.cost(shared, own);
}

const LayoutSpace::LeastPass& LayoutSpace::known_least_pass(std::size_t s, const Cell& own,
                                                            const Cell& shared) {
  return least_passes_.get({s, own, shared}, [&] { return find_least_pass(s, own, shared); });
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
  if (has_no_place(s, own, shared)) return {};
  if (auto agreed = agreement(s, own, shared)) return *std::move(agreed);
  if (own.is_single() && shared.is_single()) return single_pass(s, own, shared);
  LeastPass least;
  lower_by_sequential(least, s, own, shared);
  if (own.range.row_aligned && shared.range.row_aligned) lower_by_boxes(least, s, own, shared);
  return least;
}

/// By the passes to, from or between sequential places of both cells.
void LayoutSpace::lower_by_sequential(LeastPass& least, std::size_t s, const Cell& own,
                                      const Cell& shared) {
  for (const InputOrder towards : shared.orders()) {
    const Placement place = sequential_shared(exchange_.sides[s].shared, towards);
    for (const InputOrder order : own.orders()) {
      least.lower(pass_value(s, sequential_side(s, own.framed, order), place));
    }
    if (!own.range.row_aligned) continue;
    for (const BoxPass* pass : own_inside(s, own, towards)) least.lower(pass->cost);
  }
  if (!shared.range.row_aligned) return;
  for (const InputOrder order : own.orders()) {
    for (const BoxPass* pass : inside(shared_boxes(s, own.framed, order), shared)) {
      least.lower(pass->cost, pass->box);
    }
  }
}

/// Places in both cells at the same addresses, between which there is nothing to copy.
std::optional<LayoutSpace::LeastPass> LayoutSpace::agreement(std::size_t s, const Cell& own,
                                                             const Cell& shared) {
  const search::Value nothing = value_of({}, s);
  const std::size_t g = exchange_.sides[s].shared;
  for (const InputOrder towards : shared.orders()) {
    const Placement place = sequential_shared(g, towards);
    for (const InputOrder order : own.orders()) {
      if (sequential_side(s, own.framed, order).agrees(place)) return LeastPass{nothing};
    }
  }
  if (!own.range.row_aligned || !shared.range.row_aligned) return std::nullopt;
  if (!aligned_side(s).agrees(aligned_shared(g, kUnitBox))) return std::nullopt;
  const BoxPass* common = first_inside(s, own, InputOrder::nchw, shared.range);
  if (common == nullptr) return std::nullopt;
  return LeastPass{nothing, common->box};
}

LayoutSpace::LeastPass LayoutSpace::single_pass(std::size_t s, const Cell& own,
                                                const Cell& shared) {
  return {pass_value(s, side_in(s, own), place_in(exchange_.sides[s].shared, shared)),
          shared.range.row_aligned ? std::optional(shared.range.least) : std::nullopt};
}

/// By the passes between boxes of both cells.
void LayoutSpace::lower_by_boxes(LeastPass& least, std::size_t s, const Cell& own,
                                 const Cell& shared) {
  const auto here = boxes_of(own_inside(s, own, InputOrder::nchw));
  const auto there = boxes_of(inside(shared_boxes(s, own.framed, InputOrder::nchw), shared));
  if (here.empty() || there.empty()) return;
  const ExchangeSide& side = exchange_.sides[s];
  const Placement common = aligned_shared(side.shared, kUnitBox);
  if (side.tensor == Tensor::output) {
    const Passes::LeastCopy pass = passes_.least(aligned_side(s), here, common, there);
    least.lower(value_of(pass.cost, s), pass.target);
  } else {
    const Passes::LeastCopy pass = passes_.least(common, there, aligned_side(s), here);
    least.lower(value_of(pass.cost, s), pass.source);
  }
}

/// Whether one of the two cells is without a place, none of its boxes fitting a row.
bool LayoutSpace::has_no_place(std::size_t s, const Cell& own, const Cell& shared) {
  const InputOrder any = InputOrder::nchw;
  if (!own.has_sequential() && first_inside(s, own, any, LayoutRange{}) == nullptr) return true;
  return !shared.has_sequential() &&
         std::ranges::none_of(shared_boxes(s, own.framed, any),
                              [&](const BoxPass& pass) { return shared.range.admits(pass.box); });
}

template <class Visit>
void LayoutSpace::visit_inside(std::size_t s, const Cell& own, InputOrder towards, Visit visit) {
  const BoxPasses& all = own_boxes(s, towards);
  std::array<const BoxPasses*, kOrders.size()> ranked{};  // the same boxes; null: no limit
  for (std::size_t k = 0; k < ranked.size(); ++k) {
    if (own.ranks.at(k).limited()) ranked.at(k) = &own_boxes(s, kOrders.at(k));
  }
  for (std::size_t i = 0; i < all.size(); ++i) {
    bool admitted = own.range.admits(all[i].box);
    for (std::size_t k = 0; k < ranked.size(); ++k) {
      admitted =
          admitted && (ranked.at(k) == nullptr || own.ranks.at(k).admit((*ranked.at(k))[i].rank));
    }
    if (admitted && !visit(all[i])) return;
  }
}

LayoutSpace::SomePasses LayoutSpace::own_inside(std::size_t s, const Cell& own,
                                                InputOrder towards) {
  SomePasses found;
  visit_inside(s, own, towards, [&](const BoxPass& pass) {
    found.push_back(&pass);
    return true;
  });
  return found;
}

const LayoutSpace::BoxPass* LayoutSpace::first_inside(std::size_t s, const Cell& own,
                                                      InputOrder towards,
                                                      const LayoutRange& range) {
  const BoxPass* found = nullptr;
  visit_inside(s, own, towards, [&](const BoxPass& pass) {
    if (range.admits(pass.box)) found = &pass;
    return found == nullptr;
  });
  return found;
}

LayoutSpace::SomePasses LayoutSpace::inside(const BoxPasses& passes, const Cell& cell) {
  SomePasses found;
  for (const BoxPass& pass : passes) {
    if (cell.range.admits(pass.box)) found.push_back(&pass);
  }
  return found;
}

CellCut LayoutSpace::cut_by_pass(std::size_t s, const Cell& own, const LayoutBox& at,
                                 InputOrder towards) {
  const CellCut ordinary = cut_between(own, at, at);
  if (ordinary.by != CellCut::By::axis) return ordinary;
  const SomePasses all = own_inside(s, own, towards);
  const auto found = std::ranges::find(all, at, &BoxPass::box);
  if (found == all.end()) return ordinary;
  const BoxPass* here = *found;
  const BoxPass* cheapest = *std::ranges::min_element(all, {}, &BoxPass::rank);
  if (here->rank == cheapest->rank) return ordinary;
  // Up to the middle of the costs, so that both parts come closer to what they hold.
  std::size_t last = cheapest->rank;
  for (const BoxPass* pass : all) {
    if (pass->rank < here->rank && pass->cost + pass->cost < cheapest->cost + here->cost) {
      last = std::max(last, pass->rank);
    }
  }
  return {.by = CellCut::By::rank, .last = static_cast<std::int64_t>(last), .towards = towards};
}

/// All boxes of a side, ascending, and what it costs to copy them to or from a shared place.
LayoutSpace::BoxPasses LayoutSpace::passes_to(std::size_t s, const Placement& shared) {
  const Placement own = aligned_side(s);
  return priced(s, exchange_.sides[s].tensor == Tensor::output ? passes_.from_boxes(own, shared)
                                                               : passes_.to_boxes(shared, own));
}

LayoutSpace::BoxPasses LayoutSpace::priced(std::size_t s,
                                           const std::vector<Passes::BoxCopy>& copies) const {
  BoxPasses passes;
  passes.reserve(copies.size());
  for (const auto& [box, cost] : copies) passes.push_back({box, value_of(cost, s)});
  return passes;
}

const LayoutSpace::BoxPasses& LayoutSpace::own_boxes(std::size_t s, InputOrder towards) {
  return own_boxes_.get({s, towards}, [&] {
    BoxPasses passes = passes_to(s, sequential_shared(exchange_.sides[s].shared, towards));
    std::vector<search::Value> costs;
    for (const BoxPass& pass : passes) costs.push_back(pass.cost);
    std::ranges::sort(costs, std::less<>());
    costs.erase(std::unique(costs.begin(), costs.end()), costs.end());
    for (BoxPass& pass : passes) {
      pass.rank = static_cast<std::size_t>(
          std::ranges::lower_bound(costs, pass.cost, std::less<>()) - costs.begin());
    }
    return passes;
  });
}

const LayoutSpace::BoxPasses& LayoutSpace::shared_boxes(std::size_t s, bool framed,
                                                        InputOrder order) {
  return shared_boxes_.get({s, framed, order}, [&] {
    const std::size_t g = exchange_.sides[s].shared;
    const Placement own = sequential_side(s, framed, order);
    const Placement shared = aligned_shared(g, kUnitBox);
    return priced(s, exchange_.sides[s].tensor == Tensor::output ? passes_.to_boxes(own, shared)
                                                                 : passes_.from_boxes(shared, own));
  });
}

const LayoutSpace::BoxPasses& LayoutSpace::boxes_towards(std::size_t s, const Placement& shared) {
  return towards_.get({s, shared}, [&] {
    BoxPasses passes = passes_to(s, shared);
    std::ranges::stable_sort(passes, std::less<>(), &BoxPass::cost);
    return passes;
  });
}

const LayoutRange& LayoutSpace::cheapest(std::size_t s, const Placement& shared, int halvings) {
  return cheapest_.get({s, shared, halvings}, [&] { return find_cheapest(s, shared, halvings); });
}

LayoutRange LayoutSpace::find_cheapest(std::size_t s, const Placement& shared, int halvings) {
  LayoutRange range = side_cells(s)[0].range;
  if (!range.row_aligned) {
    set_orders(s, range);
    return range;
  }
  const BoxPasses& all = boxes_towards(s, shared);
  const std::size_t last = std::max<std::size_t>(1, all.size() >> halvings) - 1;
  std::vector<LayoutBox> among;
  for (const BoxPass& pass : all) {
    if (!(all[last].cost < pass.cost)) among.push_back(pass.box);
  }
  std::ranges::sort(among);
  range = {};
  range.among = std::make_shared<const std::vector<LayoutBox>>(std::move(among));
  const auto is_cheap = [&](InputOrder order) {
    return !(all[last].cost < pass_value(s, sequential_side(s, false, order), shared));
  };
  range.sequential = is_cheap(InputOrder::nchw);
  if (side_has_orders(s)) range.channels_last = is_cheap(InputOrder::nhwc);
  set_orders(s, range);
  return range;
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
