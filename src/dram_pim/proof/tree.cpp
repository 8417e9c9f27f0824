// Walking the canonical tree; the subtrees of the root's children in parallel, told in order.
#include "dram_pim/proof/tree.hpp"

#include <algorithm>
#include <atomic>
#include <stdexcept>

#include "dram_pim/mapper/closed_rows.hpp"
#include "dram_pim/mapper/dominance.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::proof {

using mapper::Costs;
using mapper::CostToGo;
using mapper::Decision;
using mapper::State;
using mapper::Step;
using mapper::Sums;
using mapper::TileIndex;

namespace {

/// A level's loops, outermost first; "-" if there are none.
std::string text(const mapper::LoopOrder& order) {
  std::string loops;
  for (std::size_t i = order.count; i-- > 0;) loops += name(order.loop[i]);
  return loops.empty() ? "-" : loops;
}

mapper::PartialMapping child_of(const mapper::PartialMapping& node, const Step& step,
                                const Sums& sums) {
  mapper::PartialMapping child = node;
  child.take(step, sums);
  return child;
}

}  // namespace

char Tree::loops_of(const Node& node) const {
  const mapper::Tile& outer = lattice_[node.chain.tile[node.level + 1]];
  if (mapper::Lattice::step_mask(outer, lattice_[node.state.tile]) == 0) return '-';
  const mapper::LoopClass orders = node.chain.classes[node.level + 1];
  return orders ? name(*orders).front() : 'g';
}

/// The k-th child of the root.
Tree::Node Tree::arrival(std::size_t k) const {
  const Node root = branching_.root();
  const mapper::Arrival arrival = instance_.arrivals[k];
  return child_of(root, arrival.step, mapper::Branching::sums_after(root, arrival));
}

Costs Tree::so_far(const Node& node, const CostToGo::Entry& rest,
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

Verdict Tree::judge_row_buffer(const AnyClaim& claim, const Node& node,
                               const PerTensor<Int128>& rows) const {
  const CostToGo::Entry rest = cost_to_go_.below_row_buffer(node.state.tile);
  return claim.judge(so_far(node, rest, rows), rest.energies(), cost_to_go_.thresholds());
}

Verdict Tree::judge(const AnyClaim& claim, const Node& node) const {
  if (node.level == rb_) {
    const Verdict verdict = judge_row_buffer(claim, node, mapper::least_rows(instance_, node));
    if (rows_.known() == mapper::RowsKnown::with_tiles || claim.settles(verdict)) return verdict;
    return judge_row_buffer(claim, node, rows_.below(node)->least());
  }
  const auto verdict = [&](const CostToGo::Entry& rest) {
    return claim.judge(so_far(node, rest, {}), rest.energies(), cost_to_go_.thresholds());
  };
  // A run that has lasted since the DRAM moves least. Its bound is at hand and often enough.
  const State& state = node.state;
  const Verdict relaxed = verdict(cost_to_go_.best(node.level, state.tile, state.stationary));
  if (claim.settles(relaxed)) return relaxed;
  return verdict(cost_to_go_.at(node.level, state));
}

/// Where orders are open, the sums hold floors of the activations, and orders are looked at one by
/// one.
void Tree::evaluate(const AnyClaim& claim, const Node& node) const {
  const auto refutes = [&](const Costs& costs) { return claim.refuted_by(costs); };
  for (const auto& option : levels_.options(levels_.slot[0][node.state.tile])) {
    if (!refutes(node.sums.total(option.terms, storage_.open_count()))) continue;
    guard_.check();
    rows_.for_each_leaf(node, option, refutes, [&](const mapper::UnrolledChain& leaf) {
      if (refutes(leaf.costs)) {
        throw std::logic_error("a mapping is better than the optimum that was to be proven");
      }
    });
  }
}

/// Orders that the claim leaves open and no other one beats, in the order in which they are found.
std::vector<Tree::Node> Tree::ordered_children(const AnyClaim& claim, const Node& node) const {
  const auto beats = [&](const Node& a, const Node& b) {
    return a.state.stationary == b.state.stationary &&
           lattice_.outer(a.state.stationary, a.state.anchor) ==
               lattice_.outer(b.state.stationary, b.state.anchor) &&
           claim.target().no_worse(a.sums, b.sums, storage_.open_count());
  };
  Node least = node;
  const auto hopeful = [&](const Sums& sums) {
    guard_.check();
    least.sums = sums;
    return judge(claim, least) == Verdict::open;
  };
  std::vector<Node> children;
  rows_.for_each_order(node, hopeful, [&](Node&& child) {
    if (is_beaten(children, child, beats) || judge(claim, child) != Verdict::open) return;
    add_unbeaten(children, std::move(child), beats);
  });
  return children;
}

void Tree::close(const AnyClaim& claim, const Node& node, Verdict verdict, Records& out) const {
  constexpr std::size_t kBetweenChecks = 256;  // records
  if (out.size() % kBetweenChecks == kBetweenChecks - 1) guard_.check();
  const Decision next = branching_.next(node);
  if (verdict == Verdict::open && next == Decision::loop_orders) {
    return close_orders(claim, node, out);
  }
  const bool inner = verdict == Verdict::open && next != Decision::unrolling;
  out.push_back({node.state.tile, inner, verdict, loops_of(node)});
  if (inner) {
    close_children(claim, node, out);
  } else if (verdict == Verdict::open) {
    evaluate(claim, node);
  }
}

/// The subtrees of the tiles inside. At the row buffer a cheaper bound of activations comes first.
void Tree::close_children(const AnyClaim& claim, const Node& node, Records& out) const {
  std::vector<TileIndex> tiles = branching_.tiles_inside(node);
  std::sort(tiles.begin(), tiles.end());  // tiles are numbered in the order of their names
  const auto settles = [&](const Step& step, const Sums& sums) {
    const Node child = child_of(node, step, sums);
    const Verdict verdict = judge(claim, child);
    if (!claim.settles(verdict)) return false;
    close(claim, child, verdict, out);
    return true;
  };
  const auto rows = node.level == rb_ ? rows_.below(node) : nullptr;
  branching_.for_each_step(node, tiles, rows.get(), settles,
                           [&](const Step& step, const Sums& sums, const PerTensor<Layout>&) {
                             const Node child = child_of(node, step, sums);
                             close(claim, child, judge(claim, child), out);
                           });
}

void Tree::close_orders(const AnyClaim& claim, const Node& node, Records& out) const {
  const std::vector<Node> ordered = ordered_children(claim, node);
  out.push_back({node.state.tile, !ordered.empty(), Verdict::open, loops_of(node)});
  for (const Node& child : ordered) {
    out.push_back({node.state.tile, true, Verdict::open, '-', true, child.chain.order});
    close_children(claim, child, out);
  }
}

void Tree::prove(const AnyClaim& claim, const std::vector<ProofTracer*>& tracers) const {
  constexpr std::size_t kAtATime = 4096;  // keeps little of a large proof in memory
  constexpr std::size_t kBetweenChecks = 16;
  const std::size_t count = instance_.arrivals.size();
  std::vector<Records> subtrees;
  for (std::size_t first = 0; first < count; first += kAtATime) {
    subtrees.assign(std::min(kAtATime, count - first), {});
    run::parallel_for(subtrees.size(), [&](std::size_t k) {
      if (k % kBetweenChecks == 0) guard_.check();
      const Node node = arrival(first + k);
      close(claim, node, judge(claim, node), subtrees[k]);
    });
    for (const auto& subtree : subtrees) {
      guard_.check();
      for (const Record& record : subtree) tell(record, tracers);
    }
  }
}

bool Tree::closed_by_bounds(const AnyClaim& claim) const {
  constexpr std::size_t kAtATime = 64;
  std::atomic<bool> open = false;
  run::for_each_chunk(instance_.arrivals.size(), kAtATime, [&](const run::Chunk& chunk) {
    if (open) return;
    guard_.check();
    for (std::size_t k = chunk.begin; k < chunk.end; ++k) {
      if (judge(claim, arrival(k)) == Verdict::open) open = true;
    }
  });
  return !open;
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
  run::GuardedSteps step(guard_);
  for (std::size_t k = 0; k < instance_.arrivals.size(); ++k) {
    step();
    const Node node = arrival(k);
    const CostToGo::Entry rest = cost_to_go_.below_row_buffer(node.state.tile);
    const Costs costs = so_far(node, rest, mapper::least_rows(instance_, node));
    least.latency = std::min(least.latency, costs.latency);
    least.energy = std::min(least.energy, costs.energy + rest.least_energy());
  }
  return least;
}

}  // namespace pimbb::dram_pim::proof
