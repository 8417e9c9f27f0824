// Walking the canonical tree; the subtrees of the root's children in parallel, told in order.
#include "proof/tree.hpp"

#include <algorithm>
#include <stdexcept>

#include "mapper/arrivals.hpp"
#include "search/parallel_for.hpp"

namespace pimbb::proof {

using mapper::Completion;
using mapper::Costs;
using mapper::LoopSplit;
using mapper::State;
using mapper::Step;
using mapper::Steps;
using mapper::TileIndex;

Tree::Node Tree::root() const {
  Node root;
  root.level = rb_ + 1;
  root.state = {lattice_.top(), Tensor::input, lattice_.full_anchor(Tensor::input)};
  root.sums.energy = instance_.scale.mac_energy;
  return root;
}

PerTensor<dram::RowReuse> Tree::reuse(const Node& node, const LoopSplit* below) const {
  return mapper::row_reuse(lattice_, lattice_[node.row_tile], node.at_dram, below);
}

Tree::Node Tree::child(const Node& node, const Step& step) const {
  const mapper::Tile& tile = lattice_[step.to.tile];
  const Tensor s = step.to.stationary;
  const std::int64_t outer = lattice_.outer(s, step.to.anchor);
  Node child = node;
  child.level = node.level - 1;
  child.state = step.to;
  child.loops = mapper::Lattice::step_mask(lattice_[node.state.tile], tile) != 0;
  if (child.level == rb_) {
    child.row_tile = step.to.tile;
    child.at_dram = s;
    child.sums.energy += storage_.dram_energy(tile, s, outer);
  } else if (child.level == rb_ - 1) {
    const LoopSplit split(lattice_[node.state.tile], tile, s);
    const auto rows = instance_.rows.best(child.row_tile, reuse(child, &split)).activations;
    for (const Int128 n : rows) child.sums.activations += n;
    child.sums.add(storage_.fill_with_rows(tile, s, outer, rows), storage_.open_count());
  } else {
    child.sums.add(storage_.fill(child.level, tile, s, outer), storage_.open_count());
  }
  return child;
}

std::vector<Tree::Node> Tree::children(const Node& node) const {
  std::vector<TileIndex> inner;
  if (node.level == rb_ + 1) {
    inner = levels_.tiles[rb_];
  } else {
    lattice_.divisors(lattice_[node.state.tile], inner);
    std::erase_if(inner, [&](TileIndex to) { return !levels_.admits(node.level - 1, to); });
  }
  std::sort(inner.begin(), inner.end());  // tiles are numbered in the order of their names
  std::vector<Node> result;
  for (const TileIndex to : inner) {
    for (const Step& step : Steps(lattice_, node.state, to)) result.push_back(child(node, step));
  }
  return result;
}

Costs Tree::so_far(const Node& node, const Completion::Entry& rest) const {
  Costs costs{std::max(node.sums.latency, rest.latency()), node.sums.energy, node.sums.activations};
  for (std::size_t i = 0; i < storage_.open_count(); ++i) {
    costs.latency = std::max(costs.latency, node.sums.open[i] + rest.open(i));
  }
  if (node.level != rb_) return costs;
  // The row buffer's own loops are not known yet: they repeat no activation, at best.
  for (const Int128 n : instance_.rows.least(node.row_tile, reuse(node, nullptr))) {
    costs.latency = std::max(costs.latency, n * instance_.scale.activation_cycles);
    costs.energy += n * instance_.scale.activation_energy;
    costs.activations += n;
  }
  return costs;
}

Verdict Tree::judge(const Claim& claim, const Node& node) const {
  const auto verdict = [&](const Completion::Entry& rest) {
    return claim.judge(so_far(node, rest), rest.energies(), completion_.thresholds());
  };
  if (node.level == rb_) return verdict(completion_.below_row_buffer(node.state.tile));
  // A run that has lasted since the DRAM moves least. Its bound is at hand and often enough.
  const State& state = node.state;
  const Verdict relaxed = verdict(completion_.best(node.level, state.tile, state.stationary));
  if (relaxed == Verdict::cap || (relaxed == Verdict::bound && !claim.has_caps())) return relaxed;
  return verdict(completion_.at(node.level, state));
}

void Tree::evaluate(const Claim& claim, const Node& node) const {
  for (const auto& option : levels_.options[levels_.slot[0][node.state.tile]]) {
    Costs costs{std::max(node.sums.latency, option.terms.latency),
                node.sums.energy + option.terms.energy, node.sums.activations};
    for (std::size_t i = 0; i < storage_.open_count(); ++i) {
      costs.latency = std::max(costs.latency, node.sums.open[i] + option.terms.open[i]);
    }
    if (claim.refuted_by(costs)) {
      throw std::logic_error("a mapping is better than the optimum that was to be proven");
    }
  }
}

void Tree::close(const Claim& claim, const Node& node, std::vector<Record>& out) const {
  const Verdict verdict = judge(claim, node);
  const bool inner = verdict == Verdict::open && node.level > 0;
  const char loops = node.loops ? name(node.state.stationary).front() : '-';
  out.push_back({node.state.tile, inner, verdict, loops});
  if (inner) {
    for (const Node& child : children(node)) close(claim, child, out);
  } else if (verdict == Verdict::open) {
    evaluate(claim, node);
  }
}

void Tree::prove(const Claim& claim, const std::vector<ProofTracer*>& tracers) const {
  constexpr std::size_t kAtATime = 4096;  // keeps little of a large proof in memory
  const std::vector<Node> nodes = children(root());
  std::vector<std::vector<Record>> subtrees;
  for (std::size_t first = 0; first < nodes.size(); first += kAtATime) {
    subtrees.assign(std::min(kAtATime, nodes.size() - first), {});
    search::parallel_for(subtrees.size(),
                         [&](std::size_t k) { close(claim, nodes[first + k], subtrees[k]); });
    for (const auto& subtree : subtrees) {
      for (const Record& record : subtree) tell(record, tracers);
    }
  }
}

void Tree::tell(const Record& record, const std::vector<ProofTracer*>& tracers) const {
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
    const Costs costs = so_far(node, rest);
    const Int128 more = rest.energies()[completion_.thresholds().size() - 1];
    least.latency = std::min(least.latency, costs.latency);
    least.energy = std::min(least.energy, costs.energy + more);
  }
  return least;
}

}  // namespace pimbb::proof
