// Walking the canonical tree; the subtrees of the root's children in parallel, told in order.
#include "dram_pim/proof/tree.hpp"

#include <algorithm>
#include <stdexcept>
#include <tuple>

#include "dram_pim/mapper/arrivals.hpp"
#include "dram_pim/trace/dram_floors.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::proof {

using mapper::Completion;
using mapper::Costs;
using mapper::LoopSplit;
using mapper::State;
using mapper::Step;
using mapper::Steps;
using mapper::TileIndex;

namespace {

/// A level's loops, outermost first; "-" if there are none.
std::string text(const mapper::LoopOrder& order) {
  std::string loops;
  for (std::size_t i = order.count; i-- > 0;) loops += name(order.loop[i]);
  return loops.empty() ? "-" : loops;
}

}  // namespace

Tree::Node Tree::root() const {
  Node root;
  root.level = rb_ + 1;
  root.state = {lattice_.top(), Tensor::input, lattice_.full_anchor(Tensor::input)};
  root.chain.tile[root.level] = root.state.tile;
  root.sums.energy = instance_.scale.mac_energy;
  return root;
}

char Tree::loops_of(const Node& node) {
  if (!node.loops) return '-';
  const mapper::LoopClass orders = node.chain.classes[node.level + 1];
  return orders ? name(*orders).front() : 'g';
}

PerTensor<rows::RowReuse> Tree::reuse(const Node& node, const LoopSplit* below) const {
  const TileIndex row_tile = node.chain.tile[rb_];
  return mapper::row_reuse(lattice_, lattice_[row_tile], node.chain.classes[rb_ + 1], below);
}

Tree::Node Tree::child(const Node& node, const Step& step) const {
  if (node.level == rb_) {
    const LoopSplit split(lattice_[node.state.tile], lattice_[step.to.tile], step.loops);
    return child(node, step, instance_.rows.best(node.state.tile, reuse(node, &split)).activations);
  }
  return child(node, step, {});
}

/// `rows`: the activations, if it is of level rb - 1.
Tree::Node Tree::child(const Node& node, const Step& step, const PerTensor<Int128>& rows) const {
  const mapper::Tile& tile = lattice_[step.to.tile];
  const Tensor s = step.to.stationary;
  const std::int64_t outer = lattice_.outer(s, step.to.anchor);
  Node child = node;
  child.level = node.level - 1;
  child.state = step.to;
  child.loops = mapper::Lattice::step_mask(lattice_[node.state.tile], tile) != 0;
  child.chain.tile[child.level] = step.to.tile;
  child.chain.classes[node.level] = step.loops;
  if (child.level == rb_) {
    child.sums.energy += storage_.dram_energy(tile, s, outer);
  } else if (child.level == rb_ - 1) {
    mapper::add_rows(child.sums, instance_, storage_, step.to, rows);
  } else {
    child.sums.add(storage_.fill(child.level, tile, s, outer), storage_.open_count());
  }
  return child;
}

std::vector<Step> Tree::steps(const Node& node) const {
  std::vector<TileIndex> inner;
  if (node.level == rb_ + 1) {
    inner = levels_.tiles[rb_];
  } else {
    lattice_.divisors(lattice_[node.state.tile], inner);
    std::erase_if(inner, [&](TileIndex to) { return !levels_.admits(node.level - 1, to); });
  }
  std::sort(inner.begin(), inner.end());  // tiles are numbered in the order of their names
  std::vector<Step> result;
  for (const TileIndex to : inner) {
    for (const Step& step : Steps(lattice_, node.state, to)) result.push_back(step);
  }
  return result;
}

std::vector<Tree::Node> Tree::children(const Node& node) const {
  std::vector<Node> result;
  for (const Step& step : steps(node)) result.push_back(child(node, step));
  return result;
}

Costs Tree::so_far(const Node& node, const Completion::Entry& rest,
                   const PerTensor<Int128>& rows) const {
  Costs costs{std::max(node.sums.latency, rest.latency()), node.sums.energy, node.sums.activations};
  for (std::size_t i = 0; i < storage_.open_count(); ++i) {
    costs.latency = std::max(costs.latency, node.sums.open[i] + rest.open(i));
  }
  for (const Int128 n : rows) {
    costs.latency = std::max(costs.latency, n * instance_.scale.activation_cycles);
    costs.energy += n * instance_.scale.activation_energy;
    costs.activations += n;
  }
  return costs;
}

/// The row buffer's own loops are not known yet: they repeat no activation, at best.
PerTensor<Int128> Tree::least_rows(const Node& node) const {
  return instance_.rows.least(node.state.tile, reuse(node, nullptr));
}

Verdict Tree::judge_row_buffer(const Claim& claim, const Node& node,
                               const PerTensor<Int128>& rows) const {
  const Completion::Entry rest = completion_.below_row_buffer(node.state.tile);
  return claim.judge(so_far(node, rest, rows), rest.energies(), completion_.thresholds());
}

Verdict Tree::judge(const Claim& claim, const Node& node) const {
  if (node.level == rb_) {
    const Verdict verdict = judge_row_buffer(claim, node, least_rows(node));
    if (!traced_ || claim.settles(verdict)) return verdict;
    const mapper::DramFloors floors(instance_, node.state.tile, node.chain.classes[rb_ + 1]);
    return judge_row_buffer(claim, node, floors.least());
  }
  const auto verdict = [&](const Completion::Entry& rest) {
    return claim.judge(so_far(node, rest, {}), rest.energies(), completion_.thresholds());
  };
  // A run that has lasted since the DRAM moves least. Its bound is at hand and often enough.
  const State& state = node.state;
  const Verdict relaxed = verdict(completion_.best(node.level, state.tile, state.stationary));
  if (claim.settles(relaxed)) return relaxed;
  return verdict(completion_.at(node.level, state));
}

void Tree::evaluate(const Claim& claim, const Node& node) const {
  for (const auto& option : levels_.options[levels_.slot[0][node.state.tile]]) {
    if (!claim.refuted_by(node.sums.total(option.terms, storage_.open_count()))) continue;
    if (traced_ && !early_orders_) {
      evaluate_orders(claim, node, option);
    } else {
      throw std::logic_error("a mapping is better than the optimum that was to be proven");
    }
  }
}

/// The sums hold floors of the activations; here the orders are looked at one by one.
void Tree::evaluate_orders(const Claim& claim, const Node& node,
                           const mapper::SpatialOption& option) const {
  mapper::LoopOrders search(instance_.architecture, instance_.workload, instance_.rows,
                            *instance_.seams,
                            mapper::open_nest(instance_, storage_, node.chain, &option));
  const mapper::Orders of_class = mapper::class_orders(lattice_, node.chain, 1, rb_ + 2);
  const auto refuted = [&](const mapper::Orders& orders, const mapper::LoopOrders::Rows& rows) {
    return claim.refuted_by(
        mapper::traced_costs(instance_, storage_, node.chain, orders, option, rows));
  };
  // Orders that stand for their class move least.
  const auto hopeful = [&](const auto& rows) { return refuted(of_class, rows); };
  search.for_each(hopeful, [&](const mapper::OrderedNest& found) {
    mapper::Orders orders = of_class;
    std::copy(found.orders.begin(), found.orders.end(), orders.begin() + search.first_level());
    if (refuted(orders, found.activations)) {
      throw std::logic_error("a loop order is better than the optimum that was to be proven");
    }
  });
}

/// Orders that the claim leaves open and no other one beats, in the order in which they are found.
std::vector<Tree::Node> Tree::ordered_children(const Claim& claim, const Node& node) const {
  mapper::LoopOrders search(instance_.architecture, instance_.workload, instance_.rows,
                            *instance_.seams,
                            mapper::open_nest(instance_, storage_, node.chain, nullptr));
  const mapper::Orders of_class = mapper::class_orders(lattice_, node.chain, rb_, rb_ + 2);
  Node least = node;
  const mapper::Sums at_dram = mapper::sums_at_dram(
      instance_, storage_,
      mapper::state_at(lattice_, node.chain, of_class, rb_, node.state.stationary));
  const auto hopeful = [&](const mapper::LoopOrders::Rows& rows) {
    least.sums = at_dram;
    mapper::add_rows(least.sums, instance_, storage_, node.state,
                     mapper::in_row_units(rows, instance_));
    return judge(claim, least) == Verdict::open;
  };
  const auto beats = [&](const Node& a, const Node& b) {
    return a.state.stationary == b.state.stationary &&
           lattice_.outer(a.state.stationary, a.state.anchor) ==
               lattice_.outer(b.state.stationary, b.state.anchor) &&
           claim.target().no_worse(a.sums, b.sums, storage_.open_count());
  };
  std::vector<Node> children;
  search.for_each(hopeful, [&](const mapper::OrderedNest& nest) {
    Node child = node;
    mapper::set_orders(child.chain, nest);
    std::tie(child.state, child.sums) =
        mapper::ordered_step(instance_, storage_, child.chain, nest.activations);
    const bool beaten = std::any_of(children.begin(), children.end(),
                                    [&](const Node& other) { return beats(other, child); });
    if (beaten || judge(claim, child) != Verdict::open) return;
    std::erase_if(children, [&](const Node& other) { return beats(child, other); });
    children.push_back(std::move(child));
  });
  return children;
}

void Tree::close(const Claim& claim, const Node& node, Verdict verdict, Records& out) const {
  if (verdict == Verdict::open && early_orders_ && node.level == rb_ - 1) {
    return close_orders(claim, node, out);
  }
  const bool inner = verdict == Verdict::open && node.level > 0;
  out.push_back({node.state.tile, inner, verdict, loops_of(node)});
  if (!inner) {
    if (verdict == Verdict::open) evaluate(claim, node);
  } else if (traced_ && node.level == rb_) {
    close_traced_children(claim, node, out);
  } else {
    for (const Node& child : children(node)) close(claim, child, judge(claim, child), out);
  }
}

/// With floors for the activations: those that hold for all children first.
void Tree::close_traced_children(const Claim& claim, const Node& node, Records& out) const {
  const mapper::DramFloors floors(instance_, node.state.tile, node.chain.classes[rb_ + 1]);
  const PerTensor<Int128> least = floors.least();
  for (const Step& step : steps(node)) {
    Node next = child(node, step, least);
    Verdict verdict = judge(claim, next);
    if (!claim.settles(verdict)) {
      next = child(node, step,
                   floors.least(lattice_[step.to.tile], step.loops, storage_.stores()[rb_ - 1]));
      verdict = judge(claim, next);
    }
    close(claim, next, verdict, out);
  }
}

void Tree::close_orders(const Claim& claim, const Node& node, Records& out) const {
  const std::vector<Node> ordered = ordered_children(claim, node);
  out.push_back({node.state.tile, !ordered.empty(), Verdict::open, loops_of(node)});
  for (const Node& choice : ordered) {
    out.push_back({node.state.tile, true, Verdict::open, '-', true, choice.chain.order});
    for (const Node& child : children(choice)) close(claim, child, judge(claim, child), out);
  }
}

void Tree::prove(const Claim& claim, const std::vector<ProofTracer*>& tracers) const {
  constexpr std::size_t kAtATime = 4096;  // keeps little of a large proof in memory
  const std::vector<Node> nodes = children(root());
  std::vector<Records> subtrees;
  for (std::size_t first = 0; first < nodes.size(); first += kAtATime) {
    subtrees.assign(std::min(kAtATime, nodes.size() - first), {});
    run::parallel_for(subtrees.size(), [&](std::size_t k) {
      const Node& node = nodes[first + k];
      close(claim, node, judge(claim, node), subtrees[k]);
    });
    for (const auto& subtree : subtrees) {
      for (const Record& record : subtree) tell(record, tracers);
    }
  }
}

void Tree::tell(const Record& record, const std::vector<ProofTracer*>& tracers) const {
  if (record.ordered) {
    const std::string loops = text(record.order[1]) + "/" + text(record.order[0]);
    for (ProofTracer* const tracer : tracers) tracer->ordered(loops);
    return;
  }
  const Factors& tile = lattice_[record.tile].c;
  for (ProofTracer* const tracer : tracers) {
    if (record.inner) {
      tracer->inner(tile, record.loops);
    } else if (record.verdict == Verdict::open) {
      tracer->evaluated(tile, record.loops);
    } else if (record.verdict == Verdict::bound) {
      tracer->closed_by_bound(tile, record.loops);
    } else {
      tracer->closed_by_cap(tile, record.loops);
    }
  }
}

Costs Tree::least() const {
  Costs least{mapper::kInfinity, mapper::kInfinity, 0};
  for (const Node& node : children(root())) {
    const Completion::Entry rest = completion_.below_row_buffer(node.state.tile);
    const Costs costs = so_far(node, rest, least_rows(node));
    const Int128 more = rest.energies()[completion_.thresholds().size() - 1];
    least.latency = std::min(least.latency, costs.latency);
    least.energy = std::min(least.energy, costs.energy + more);
  }
  return least;
}

}  // namespace pimbb::dram_pim::proof
