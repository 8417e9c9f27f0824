// Places for mappings, mappings for places.
#include "dram_pim/plan/incumbents.hpp"

#include <cassert>

namespace pimbb::dram_pim::network {

/// Mappings, nothing said of shared tensors.
Candidate Incumbents::mapped(const std::vector<CellPick>& layers) const {
  Candidate c{layers, {}, {}, zero_, zero_};
  for (std::size_t l = 0; l < layers.size(); ++l) {
    c.value += space_.layer_value(l, layers[l].answer->solution);
  }
  for (std::size_t s = 0; s < exchange_.sides.size(); ++s) {
    const ExchangeSide& side = exchange_.sides[s];
    const CellPick& pick = layers[side.layer];
    c.sides.push_back(space_.mapped_place(s, relaxation_.cell_of(s, pick).framed,
                                          *pick.answer->solution.mapping));
  }
  return c;
}

/// Mappings, each shared tensor where it is told to be.
Candidate Incumbents::placed(const std::vector<CellPick>& layers, std::vector<Placement> shared) {
  Candidate c = mapped(layers);
  c.shared = std::move(shared);
  for (std::size_t s = 0; s < exchange_.sides.size(); ++s) {
    c.passes += space_.pass_value(s, c.sides[s], c.shared[exchange_.sides[s].shared]);
  }
  c.value += c.passes;
  return c;
}

/// Mappings, each shared tensor in the best of the places that its layers have, or in the one
/// proposed for it.
Candidate Incumbents::candidate(const std::vector<CellPick>& layers, const Proposals& proposals) {
  Candidate c = mapped(layers);
  c.shared.resize(exchange_.shared.size());
  for (std::size_t g = 0; g < exchange_.shared.size(); ++g) {
    search::Value least;
    std::vector<Placement> places;
    for (const InputOrder order : space_.orders(g)) {
      places.push_back(space_.sequential_shared(g, order));
    }
    for (const std::size_t s : exchange_.shared[g].sides) {
      if (c.sides[s].layout != Layout::row_aligned) continue;
      const Placement boxes = space_.aligned_shared(g, c.sides[s].box);
      if (c.sides[s].agrees(boxes)) places.push_back(boxes);
    }
    if (!proposals.empty() && proposals[g]) places.push_back(*proposals[g]);
    for (const Placement& place : places) {
      search::Value sum = zero_;
      for (const std::size_t s : exchange_.shared[g].sides) {
        sum += space_.pass_value(s, c.sides[s], place);
      }
      if (!(sum < least)) continue;
      least = std::move(sum);
      c.shared[g] = place;
    }
    assert(!least.infinite());
    c.passes += least;
  }
  c.value += c.passes;
  assert(c.sides.size() == exchange_.sides.size());
  return c;
}

Candidate Incumbents::take(const LayoutRelaxation::RelaxedPlan& least) {
  Candidate c = candidate(least.layers, picked(least.shared));
  keep(c);
  return c;
}

/// The places that a relaxation picked, where it left no choice.
Incumbents::Proposals Incumbents::picked(const std::vector<std::size_t>& shared) const {
  Proposals proposals(shared.size());
  for (std::size_t g = 0; g < shared.size(); ++g) {
    const Cell& cell = relaxation_.shared(g)[shared[g]];
    if (cell.is_single()) proposals[g] = space_.place_in(g, cell);
  }
  return proposals;
}

/// A place in each cell that a relaxation picked.
std::vector<Placement> Incumbents::likely(const LayoutRelaxation::RelaxedPlan& least) {
  std::vector<Placement> places;
  for (std::size_t g = 0; g < exchange_.shared.size(); ++g) places.push_back(likely(least, g));
  return places;
}

/// Of the boxes that go well with one of a shared tensor's sides, the one that goes best with all.
Placement Incumbents::likely(const LayoutRelaxation::RelaxedPlan& least, std::size_t g) {
  const Cell& cell = relaxation_.shared(g)[least.shared[g]];
  if (cell.has_sequential()) return space_.place_in(g, cell);
  Placement place = space_.sequential_shared(g, InputOrder::nchw);
  const std::vector<std::size_t>& sides = exchange_.shared[g].sides;
  const auto own = [&](std::size_t s) -> const Cell& {
    return relaxation_.cell_of(s, least.layers[exchange_.sides[s].layer]);
  };
  search::Value best;
  for (const std::size_t proposer : sides) {
    const auto box = space_.likely_box(proposer, own(proposer), cell);
    if (!box) continue;
    Cell single = cell;
    single.range.least = single.range.most = *box;
    search::Value sum = zero_;
    for (const std::size_t s : sides) sum += space_.least_pass(s, own(s), single);
    if (!(sum < best)) continue;
    best = std::move(sum);
    place = space_.place_in(g, single);
  }
  return place;
}

void Incumbents::improve(const LayoutRelaxation::RelaxedPlan& least, const Candidate& now) {
  if (++taken_ < kPatience) return;
  const std::uint64_t before = costs_.solves();
  if (taken_ == kPatience) follow(*best_);
  if (kShare * spent_ <= before) {
    follow(now);
    follow(placed(least.layers, likely(least)));
  }
  spent_ += costs_.solves() - before;
}

/// Keeps a plan, and those that follow from it.
void Incumbents::follow(Candidate c) {
  keep(c);
  while (!clock_.stopped()) {
    std::vector<BestResponse::Present> present;
    for (std::size_t l = 0; l < c.layers.size(); ++l) {
      if (exchange_.layers[l].input || exchange_.layers[l].output) {
        present.push_back(presently(c, l));
      }
    }
    const std::vector<const LayerAnswer*> better = responses_.find(present);
    std::vector<CellPick> layers = c.layers;
    for (std::size_t k = 0; k < present.size(); ++k) {
      if (better[k] != nullptr) layers[present[k].layer].answer = better[k];
    }
    Candidate next = candidate(layers, Proposals(c.shared.begin(), c.shared.end()));
    if (!(next.value < c.value)) break;
    c = std::move(next);
    keep(c);
  }
}

BestResponse::Present Incumbents::presently(const Candidate& c, std::size_t l) {
  const auto meeting = [&](const std::optional<std::size_t>& s) {
    return s ? std::optional(Meeting{*s, c.sides[*s], c.shared[exchange_.sides[*s].shared]})
             : std::nullopt;
  };
  const ExchangeLayer& layer = exchange_.layers[l];
  BestResponse::Present present{l, meeting(layer.input), meeting(layer.output),
                                space_.layer_value(l, c.layers[l].answer->solution)};
  for (const auto& m : {present.input, present.output}) {
    if (m) present.value += space_.pass_value(m->side, m->own, m->shared);
  }
  return present;
}

void Incumbents::keep(Candidate c) {
  if (!best_ || c.value < best_->value) best_ = std::move(c);
}

}  // namespace pimbb::dram_pim::network
