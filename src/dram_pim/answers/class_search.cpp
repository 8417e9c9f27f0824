// Depth first, the child of least bound first.
#include "dram_pim/answers/class_search.hpp"

#include <algorithm>
#include <map>

#include "dram_pim/answers/class_text.hpp"
#include "dram_pim/mapper/branching.hpp"
#include "dram_pim/trace/trace_nest.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::answers {
namespace {

using mapper::Costs;
using mapper::DimMask;
using mapper::Lattice;
using mapper::State;
using mapper::Sums;
using mapper::TileIndex;

/// The innermost level whose loops move a tile of the DRAM.
std::size_t first_ordered_level(const mapper::Instance& instance,
                                const std::vector<TensorFlags>& stores) {
  std::size_t first = instance.architecture.dram();
  for (const Tensor t : kAllTensors) {
    std::size_t level = instance.architecture.row_buffer();
    while (level > 1 && !stores[level - 1][index(t)]) --level;
    first = std::min(first, level);
  }
  return first;
}

/// Variants that differ in layouts only.
Decision every_combination(const std::vector<LayoutPick>& inputs,
                           const std::vector<LayoutPick>& weights,
                           const std::vector<LayoutPick>& outputs) {
  Decision decision;
  decision.reserve(inputs.size() * weights.size() * outputs.size());
  for (const LayoutPick& i : inputs) {
    for (const LayoutPick& w : weights) {
      for (const LayoutPick& o : outputs) decision.push_back({{i, w, o}, {}, 1});
    }
  }
  return decision;
}

}  // namespace

ClassSearch::ClassSearch(const Common& common, std::vector<TensorFlags> stores,
                         const mapper::RowPricing& pricing)
    : common_(common),
      instance_(common.instance),
      storage_(instance_.architecture, instance_.workload, instance_.scale, std::move(stores)),
      rows_(pricing.under(storage_)),
      levels_(instance_.architecture, instance_.lattice, instance_.vectors, storage_, true,
              instance_.rule, common.guard, instance_.constraints),
      unrollings_(instance_.lattice, instance_.vectors, storage_, instance_.rule,
                  instance_.constraints, common.guard),
      rb_(instance_.architecture.row_buffer()),
      traced_(is_traced(instance_.model)),
      early_(traced_ && mapper::orders_are_early(instance_.architecture, storage_)),
      first_order_(first_ordered_level(instance_, storage_.stores())) {}

std::uint64_t ClassSearch::bytes(std::size_t thresholds) const {
  return levels_.bytes() + mapper::CostToGo::bytes(storage_, levels_.sizes(), thresholds);
}

void ClassSearch::prepare(std::vector<Int128> thresholds) {
  cost_to_go_.emplace(instance_.lattice, storage_, levels_, std::move(thresholds), instance_.rule,
                      common_.guard);
}

ClassCost ClassSearch::value(const Costs& costs) const {
  ClassCost cost;
  for (std::size_t g = 0; g < common_.targets.size(); ++g) {
    cost.value[g] = common_.targets[g].value(costs);
  }
  return cost;
}

bool ClassSearch::keeps_caps(const Costs& costs) const {
  return common_.targets.front().keeps_caps(costs);
}

ClassCost ClassSearch::bound(const Sums& sums, const mapper::CostToGo::Entry& rest,
                             Int128 activations) const {
  ClassCost cost;
  for (std::size_t g = 0; g < common_.targets.size(); ++g) {
    cost.value[g] = common_.targets[g].bound(sums, *cost_to_go_, rest, activations);
  }
  return cost;
}

bool ClassSearch::beyond(const ClassCost& bound, const Run& run) {
  return bound.value[0] == Wide::infinity() || !run.best.is_of_use(bound);
}

/// The bound of a state; first as if the run had lasted since the DRAM, which is at hand.
ClassCost ClassSearch::bound_below(const State& state, std::size_t level, const Sums& sums,
                                   const Run& run) const {
  const ClassCost relaxed = bound(sums, cost_to_go_->best(level, state.tile, state.stationary), 0);
  const bool exact = level == 0 || state.anchor == instance_.lattice.full_anchor(state.stationary);
  if (exact || beyond(relaxed, run)) return relaxed;
  return bound(sums, cost_to_go_->at(level, state), 0);
}

Costs ClassSearch::least_costs() const {
  Costs least{mapper::kInfinity, mapper::kInfinity, mapper::kInfinity};
  for (std::size_t i = 0; i < instance_.arrivals.size(); ++i) {
    const mapper::Arrival arrival = instance_.arrivals[i];
    const auto rest = cost_to_go_->below_row_buffer(arrival.step.to.tile);
    if (rest.latency() >= mapper::kInfinity) continue;
    least.latency = std::min(least.latency, std::max(arrival.least.latency, rest.latency()));
    least.energy = std::min(least.energy, arrival.least.energy + rest.least_energy());
    least.activations = std::min(least.activations, arrival.least.activations);
  }
  return least;
}

std::vector<ClassSearch::Root> ClassSearch::roots(const ClassCost* cutoff) const {
  constexpr std::size_t kChunk = 1024;
  const auto& arrivals = instance_.arrivals;
  std::vector<std::vector<Root>> parts(run::chunk_count(arrivals.size(), kChunk));
  run::for_each_chunk(arrivals.size(), kChunk, [&](const run::Chunk& chunk) {
    common_.guard.check();
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) {
      const mapper::Arrival arrival = arrivals[i];
      Sums least;
      least.latency = arrival.least.latency;
      least.energy = arrival.least.energy;
      if (storage_.has_open_bank()) {
        least.open =
            storage_.rows_alone(mapper::least_rows(instance_.lattice, instance_.rows, arrival.step))
                .open;
      }
      const ClassCost own = bound(least, cost_to_go_->below_row_buffer(arrival.step.to.tile),
                                  arrival.least.activations);
      if (own.value[0] == Wide::infinity() || (cutoff != nullptr && own > *cutoff)) continue;
      parts[chunk.number].emplace_back(own, i);
    }
  });
  std::vector<Root> all;
  for (const auto& part : parts) all.insert(all.end(), part.begin(), part.end());
  std::ranges::sort(all);
  return all;
}

/// Whatever is outside, the level's fills and everything further inside cost this much.
void ClassSearch::limit(const ClassCost& cutoff) {
  if (hopeful_.empty()) hopeful_.assign(instance_.lattice.size(), 1);
  run::GuardedSteps step(common_.guard, 256);
  for (const TileIndex i : levels_.tiles[rb_ - 1]) {
    if (hopeful_[i] == 0) continue;
    step();
    hopeful_[i] = std::ranges::any_of(kAllTensors, [&](Tensor t) {
      Sums sums;
      sums.energy = instance_.scale.mac_energy;
      sums.add(storage_.fill(rb_ - 1, instance_.lattice[i], t, 1), storage_.open_count());
      return bound(sums, cost_to_go_->best(rb_ - 1, i, t), 0) <= cutoff;
    });
  }
}

bool ClassSearch::search(std::size_t arrival, BestClasses& best, std::uint64_t& nodes) const {
  Run run{best, nodes};
  try {
    const mapper::Branching branching(instance_, storage_, levels_, *rows_,
                                      mapper::OrderMatters::to_rows);
    Node root;
    root.at = branching.root();
    Children children;
    check(run);
    expand_root(root, arrival, run, children);
    for (const auto& [bound, child] : children.list) {
      if (!beyond(bound, run)) visit(child, run);
    }
  } catch (const run::Stopped&) {
    return false;
  }
  return true;
}

void ClassSearch::check(Run& run) const {
  constexpr std::size_t kBetweenChecks = 32;
  if (++run.steps % kBetweenChecks == 0) common_.guard.check();
}

void ClassSearch::visit(const Node& node, Run& run) const {
  if (run.nodes == 0) throw run::Stopped();
  --run.nodes;
  common_.guard.check();
  if (node.at.level == 0) return leaves(node, run);
  Children children;
  expand(node, run, children);
  std::ranges::stable_sort(children.list, {}, [](const auto& child) { return child.first; });
  for (const auto& [bound, child] : children.list) {
    if (beyond(bound, run)) break;
    visit(child, run);
  }
}

void ClassSearch::expand(const Node& node, Run& run, Children& out) const {
  if (node.at.level == rb_) {
    return traced_ ? expand_row_buffer_traced(node, run, out) : expand_row_buffer(node, run, out);
  }
  if (early_ && node.at.level + 1 == rb_ && node.decision == nullptr) {
    return expand_orders(node, run, out);
  }
  expand_inside(node, run, out);
}

DimMask ClassSearch::loops_to(const Node& node, TileIndex to) const {
  return Lattice::step_mask(instance_.lattice[node.at.state.tile], instance_.lattice[to]);
}

ClassSearch::Node ClassSearch::child_of(const Node& node, const State& to,
                                        const ReuseClass& loops) {
  Node child = node;
  const std::size_t level = node.at.level;
  child.loops[level] = &loops;
  child.members = pimbb::answers::multiplied(node.members, loops.orders);
  child.at.state = to;
  child.at.chain.classes[level] = loops.stationary;
  child.at.level = level - 1;
  child.at.chain.tile[level - 1] = to.tile;
  return child;
}

/// From the DRAM: the reuse classes of one loop class; with `trace` the class alone, whose orders
/// come later.
void ClassSearch::expand_root(const Node& node, std::size_t arrival, Run& run,
                              Children& out) const {
  const mapper::Step step = instance_.arrivals[arrival].step;
  if (traced_) {
    Node child = node;
    child.at.take(step, mapper::Branching::sums_after(node.at, instance_.arrivals[arrival]));
    return out.add({}, std::move(child));
  }
  const DimMask loops = loops_to(node, step.to.tile);
  for (const ReuseClass& reuse : common_.reuse.of(node.at.level, loops)) {
    if (loops != 0 && reuse.stationary != step.loops) continue;
    const State to = state_after(instance_.lattice, node.at.state, step.to.tile, reuse);
    Node child = child_of(node, to, reuse);
    if (loops == 0) child.at.chain.classes[node.at.level] = step.loops;
    child.at.sums.energy += storage_.dram_energy(instance_.lattice[to.tile], to.stationary,
                                                 instance_.lattice.outer(to.stationary, to.anchor));
    check(run);
    out.add({}, std::move(child));
  }
}

std::vector<TileIndex> ClassSearch::tiles_inside(const Node& node) const {
  std::vector<TileIndex> tiles;
  instance_.lattice.divisors(instance_.lattice[node.at.state.tile], tiles);
  const std::size_t level = node.at.level - 1;
  const bool limited = node.at.level == rb_ && !hopeful_.empty();
  std::erase_if(tiles, [&](TileIndex to) {
    return !levels_.admits(level, to) || (limited && hopeful_[to] == 0) || !admits(node, to);
  });
  return tiles;
}

bool ClassSearch::admits(const Node& node, TileIndex to) const {
  const Lattice& lattice = instance_.lattice;
  return instance_.constraints.nests(node.at.level, lattice[node.at.state.tile].c, lattice[to].c);
}

/// The loops of the row buffer under a closed row model: reuse classes and layouts.
void ClassSearch::expand_row_buffer(const Node& node, Run& run, Children& out) const {
  const Lattice& lattice = instance_.lattice;
  const TileIndex tile = node.at.state.tile;
  const mapper::LoopClass at_dram = node.at.chain.classes[rb_ + 1];
  const std::int64_t sweeps = at_dram ? lattice.outer(*at_dram, node.at.state.anchor) : 1;
  const PerTensor<Int128> least = instance_.rows.least(
      tile, mapper::row_reuse(lattice, lattice[tile], at_dram, nullptr, sweeps));
  for (const TileIndex to : tiles_inside(node)) {
    const DimMask loops = loops_to(node, to);
    for (const ReuseClass& reuse : common_.reuse.of(rb_, loops)) {
      check(run);
      const State state = state_after(lattice, node.at.state, to, reuse);
      Sums sums = node.at.sums;
      mapper::add_rows(sums, instance_, storage_, state, least);
      if (beyond(bound_below(state, rb_ - 1, sums, run), run)) continue;
      Node child = child_of(node, state, reuse);
      if (loops == 0) child.at.chain.classes[rb_] = node.at.state.stationary;
      const mapper::LoopSplit split(lattice[tile], lattice[to], reuse.stationary, reuse.run);
      add_layouts(child, state, run, out,
                  mapper::row_reuse(lattice, lattice[tile], at_dram, &split, sweeps));
    }
  }
}

/// One child for each combination of activations that layouts lead to.
void ClassSearch::add_layouts(const Node& child, const State& to, Run& run, Children& out,
                              const PerTensor<rows::RowReuse>& reuse) const {
  const TileIndex tile = child.at.chain.tile[rb_];
  using Picks = std::vector<LayoutPick>;
  PerTensor<std::map<Int128, Picks>> layouts;
  for (const Tensor t : kAllTensors) {
    for (const PricedLayout& layout : common_.menu.of(tile, t, reuse[index(t)])) {
      layouts[index(t)][layout.activations].push_back(layout.pick);
    }
  }
  const auto add = [&](const PerTensor<const std::pair<const Int128, Picks>*>& of) {
    Sums sums = child.at.sums;
    mapper::add_rows(sums, instance_, storage_, to, {of[0]->first, of[1]->first, of[2]->first});
    const ClassCost bound = bound_below(to, rb_ - 1, sums, run);
    if (beyond(bound, run)) return false;
    Node priced = child;
    priced.at.sums = sums;
    priced.decision =
        &out.decisions.emplace_back(every_combination(of[0]->second, of[1]->second, of[2]->second));
    out.add(bound, std::move(priced));
    return true;
  };
  for (const auto& input : layouts[0]) {
    for (const auto& weight : layouts[1]) {
      for (const auto& output : layouts[2]) {
        if (!add({&input, &weight, &output})) break;  // more activations cost no less
      }
    }
  }
}

/// The loops inside the row buffer: reuse classes where only fills see them; where a tensor of the
/// DRAM does, classes, whose orders are decided at the leaf.
void ClassSearch::expand_inside(const Node& node, Run& run, Children& out) const {
  const Lattice& lattice = instance_.lattice;
  const std::size_t level = node.at.level;
  const auto fill = [&](const State& to) {
    Sums sums = node.at.sums;
    sums.add(storage_.fill(level - 1, lattice[to.tile], to.stationary,
                           lattice.outer(to.stationary, to.anchor)),
             storage_.open_count());
    return sums;
  };
  const bool ordered_later = traced_ && !early_ && level >= first_order_;
  for (const TileIndex to : tiles_inside(node)) {
    if (ordered_later) {
      for (const mapper::Step& step : mapper::allowed_steps(
               lattice, node.at.state, to, instance_.rule, instance_.orders, level)) {
        check(run);
        const Sums sums = fill(step.to);
        const ClassCost bound = bound_below(step.to, level - 1, sums, run);
        if (beyond(bound, run)) continue;
        Node child = node;
        child.at.take(step, sums);
        out.add(bound, std::move(child));
      }
      continue;
    }
    for (const ReuseClass& reuse : common_.reuse.of(level, loops_to(node, to))) {
      check(run);
      const State state = state_after(lattice, node.at.state, to, reuse);
      const Sums sums = fill(state);
      const ClassCost bound = bound_below(state, level - 1, sums, run);
      if (beyond(bound, run)) continue;
      Node child = child_of(node, state, reuse);
      child.at.sums = sums;
      out.add(bound, std::move(child));
    }
  }
}

void ClassSearch::leaves(const Node& node, Run& run) const {
  const mapper::Tile& tile = instance_.lattice[node.at.state.tile];
  for (const std::uint32_t place : unrollings_.options(tile, false, common_.guard)) {
    const mapper::SpatialOption& option = unrollings_[place];
    check(run);
    const Costs costs = node.at.sums.total(option.terms, storage_.open_count());
    if (!keeps_caps(costs) || beyond(value(costs), run)) continue;
    if (traced_ && !early_) {
      traced_leaf(node, option, run);
    } else {
      add_classes(node, option, costs, *node.decision, run);
    }
  }
}

std::vector<Factors> ClassSearch::splits(TileIndex array) const {
  const PeArray& pe = instance_.architecture.pe_array;
  const Factors& all = instance_.lattice[array].c;
  DimMask dims = 0;
  for (std::size_t j = 0; j < kDims; ++j) {
    if (all[j] > 1) dims = static_cast<DimMask>(dims | mapper::bit(j));
  }
  const auto fits = [&](Direction d, const Factors& factors) {
    for (std::size_t j = 0; j < kDims; ++j) {
      if (factors[j] > 1 && !pe.allows(d, kAllDims[j])) return false;
    }
    return product(factors) <= pe.extent(d) && instance_.constraints.unrolls(d, factors);
  };
  std::vector<Factors> found;
  for (std::size_t set = 0; set <= dims; ++set) {
    if ((set & ~std::size_t{dims}) != 0) continue;
    Factors rows = kOnes;
    Factors columns = kOnes;
    for (std::size_t j = 0; j < kDims; ++j) ((set >> j & 1U) != 0 ? rows : columns)[j] = all[j];
    if (fits(Direction::H, rows) && fits(Direction::W, columns)) found.push_back(rows);
  }
  return found;
}

/// The classes of a leaf: the splits of the array and the variants of what was decided further out.
void ClassSearch::add_classes(const Node& node, const mapper::SpatialOption& option,
                              const Costs& costs, const Decision& decision, Run& run) const {
  pimbb::answers::Tally tally;
  tally.classes = option.splits * decision.size();
  for (const Variant& variant : decision) {
    tally.members = pimbb::answers::counted(tally.members, variant.members);
  }
  tally.members = pimbb::answers::multiplied(
      tally.members, pimbb::answers::multiplied(node.members, option.splits));
  run.best.add(value(costs), tally, [&](const auto& offer) {
    for (const Factors& rows : splits(option.array)) {
      for (const Variant& variant : decision) {
        Mapping mapping = mapping_of(node, option, rows, variant);
        std::string text = class_text(instance_.architecture, mapping);
        offer(std::move(text), [&] {
          return FoundClass{std::move(mapping),
                            pimbb::answers::multiplied(variant.members, node.members), costs};
        });
      }
    }
  });
}

Mapping ClassSearch::mapping_of(const Node& node, const mapper::SpatialOption& option,
                                const Factors& rows, const Variant& variant) const {
  const Lattice& lattice = instance_.lattice;
  const Factors& array = lattice[option.array].c;
  Mapping mapping;
  mapping.spatial[index(Direction::H)] = rows;
  for (std::size_t j = 0; j < kDims; ++j) {
    mapping.spatial[index(Direction::W)][j] = array[j] / rows[j];
  }
  mapping.spatial[index(Direction::internal)] = lattice[option.internal].c;
  Factors inside = mapping.spatial_tile();
  for (std::size_t m = 0; m < rb_ + 2; ++m) {
    const Factors& outer = lattice[node.at.chain.tile[m]].c;
    mapping.levels.push_back({loops_of(node, m, inside, outer, variant), storage_.stores()[m]});
    inside = outer;
  }
  for (std::size_t t = 0; t < kTensors; ++t) mapping.layout[t] = variant.layouts[t].layout;
  const LayoutPick& input = variant.layouts[index(Tensor::input)];
  mapping.input_block = input.block;
  if (instance_.architecture.has_free_input_order() && input.layout == Layout::sequential) {
    mapping.input_order = input.input_order;
  }
  return mapping;
}

/// The loops of level m between the tiles `inside` and `outer`, in canonical order.
std::vector<Loop> ClassSearch::loops_of(const Node& node, std::size_t m, const Factors& inside,
                                        const Factors& outer, const Variant& variant) const {
  std::vector<Loop> loops;
  const auto add = [&](Dim j) {
    const std::size_t k = index(j);
    if (outer[k] != inside[k]) loops.push_back({j, outer[k] / inside[k]});
  };
  if (m == 0) {
    for (const Dim j : kPeOrder) add(j);
    return loops;
  }
  const std::size_t first = rb_ + 2 - variant.orders.size();
  const mapper::LoopOrder& order =
      m >= first ? variant.orders[m - first] : node.loops[m]->canonical;
  for (std::size_t i = order.count; i-- > 0;) add(order.loop[i]);
  return loops;
}

}  // namespace pimbb::dram_pim::answers
