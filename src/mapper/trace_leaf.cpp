// Exhausting orders and layouts of one chain.
#include "mapper/trace_leaf.hpp"

#include <algorithm>

#include "dram/walk.hpp"

namespace pimbb::mapper {
namespace {

/// What is stationary above level `level` of a mapping: the tensor of the innermost run of
/// irrelevant loops and the product of that run.
struct Run {
  Tensor stationary = Tensor::input;
  std::int64_t product = 1;
};

Run run_above(const Mapping& mapping, std::size_t level) {
  Run run;
  bool begun = false;
  for (std::size_t m = level + 1; m < mapping.levels.size(); ++m) {
    const auto& loops = mapping.levels[m].loops;
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {
      if (!begun) run.stationary = irrelevant_tensor(loop->dim);
      begun = true;
      if (relevant(run.stationary, loop->dim)) return run;
      run.product *= loop->factor;
    }
  }
  return run;
}

}  // namespace

Costs price(const Instance& instance, const Storage& storage, const Chain& chain,
            const SpatialOption& option, const Mapping& mapping,
            const PerTensor<Int128>& activations) {
  const std::size_t rb = instance.architecture.row_buffer();
  const auto outer = [&](const Run& run, const Tile& tile) {
    return tile.irrelevant_loops[index(run.stationary)] / run.product;
  };
  Sums sums;
  sums.energy = instance.scale.mac_energy;
  sums.add(option.terms, storage.open_count());
  for (std::size_t m = 0; m < rb; ++m) {
    const Run run = run_above(mapping, m);
    const Tile& tile = instance.lattice[chain.tile[m]];
    sums.add(m + 1 == rb
                 ? storage.fill_with_rows(tile, run.stationary, outer(run, tile), activations)
                 : storage.fill(m, tile, run.stationary, outer(run, tile)),
             storage.open_count());
  }
  const Run run = run_above(mapping, rb);
  const Tile& tile = instance.lattice[chain.tile[rb]];
  Costs costs{sums.latency, sums.energy, 0};
  costs.energy += storage.dram_energy(tile, run.stationary, outer(run, tile));
  for (std::size_t i = 0; i < storage.open_count(); ++i) {
    costs.latency = std::max(costs.latency, sums.open[i]);
  }
  for (const Int128 n : activations) costs.activations += n;
  return costs;
}

TraceLeaf::TraceLeaf(const Instance& instance, const Storage& storage, const Target& target,
                     const Chain& chain, const SpatialOption& option)
    : instance_(instance), storage_(storage), target_(target), chain_(chain), option_(option) {}

bool TraceLeaf::explore(const Wide* cutoff, const std::function<bool()>& stop,
                        MappingProblem::Found& out) const {
  Mapping mapping = build_mapping(instance_, storage_, chain_, option_);
  for (MappingLevel& level : mapping.levels) {
    std::sort(level.loops.begin(), level.loops.end(),
              [](const Loop& a, const Loop& b) { return a.dim < b.dim; });
  }
  return explore_orders(mapping.levels.size() - 1, mapping, cutoff, stop, out);
}

bool TraceLeaf::explore_orders(std::size_t level, Mapping& mapping, const Wide* cutoff,
                               const std::function<bool()>& stop,
                               MappingProblem::Found& out) const {
  if (level == 0) return evaluate(mapping, cutoff, stop, out);
  const auto less = [](const Loop& a, const Loop& b) { return a.dim < b.dim; };
  std::vector<Loop>& loops = mapping.levels[level].loops;  // sorted; sorted again when this returns
  do {
    if (!loops.empty() && irrelevant_tensor(loops.back().dim) != chain_.stationary[level]) continue;
    if (!explore_orders(level - 1, mapping, cutoff, stop, out)) return false;
  } while (std::next_permutation(loops.begin(), loops.end(), less));
  return true;
}

bool TraceLeaf::evaluate(Mapping mapping, const Wide* cutoff, const std::function<bool()>& stop,
                         MappingProblem::Found& out) const {
  if (stop && stop()) return false;
  const RowChoice least = instance_.rows.best(chain_.tile[instance_.architecture.row_buffer()], {});
  const auto cost = [&](const PerTensor<Int128>& rows) {
    return price(instance_, storage_, chain_, option_, mapping, rows);
  };
  const Costs optimistic = cost(least.activations);
  if (cutoff) {
    const Wide bound = target_.value(optimistic);
    if (bound >= *cutoff || (out.best && bound >= out.best->first)) return true;
    if (!target_.keeps_caps(optimistic)) return true;
  }
  PerTensor<Int128> rows{};
  for (const Tensor t : kAllTensors) {
    const auto activations = best_layout(mapping, t, stop);
    if (!activations) return false;
    rows[index(t)] = static_cast<Int128>(*activations) * instance_.scale.row;
  }
  const Costs costs = cost(rows);
  ++out.leaves;
  if (target_.keeps_caps(costs)) {
    out.solution(target_.value(costs), [&] { return Solved{mapping, costs, rows}; });
  }
  return true;
}

std::optional<std::int64_t> TraceLeaf::best_layout(Mapping& mapping, Tensor t,
                                                   const std::function<bool()>& stop) const {
  const std::size_t k = index(t);
  const TileIndex rb_tile = chain_.tile[instance_.architecture.row_buffer()];
  std::optional<std::int64_t> best;
  Layout best_layout = Layout::sequential;
  Block best_block = mapping.input_block;
  const auto consider = [&](Layout layout, Block block) {
    mapping.layout[k] = layout;
    if (t == Tensor::input) mapping.input_block = block;
    dram::WalkLimit limit;
    limit.stop = stop;
    if (best) limit.activations = *best;
    const auto count =
        dram::walk_activations(instance_.architecture, instance_.workload, mapping, t, limit);
    if (!count) return false;
    if (!best || *count < *best) {
      best = count;
      best_layout = layout;
      best_block = block;
    }
    return true;
  };
  if (!consider(Layout::sequential, {})) return std::nullopt;
  if (t == Tensor::input) {
    for (const Block& block : instance_.rows.admissible_blocks(rb_tile)) {
      if (!consider(Layout::row_aligned, block)) return std::nullopt;
    }
  } else if (instance_.rows.can_align(rb_tile, t)) {
    if (!consider(Layout::row_aligned, {})) return std::nullopt;
  }
  mapping.layout[k] = best_layout;
  if (t == Tensor::input) mapping.input_block = best_block;
  return best;
}

}  // namespace pimbb::mapper
