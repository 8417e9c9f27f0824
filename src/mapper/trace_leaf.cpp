// Exhausting orders and layouts of one chain.
#include "mapper/trace_leaf.hpp"

#include <algorithm>

#include "dram/stream.hpp"

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
                        MappingProblem::Found& out) {
  Mapping mapping = build_mapping(instance_, storage_, chain_, option_);
  for (MappingLevel& level : mapping.levels) {
    std::sort(level.loops.begin(), level.loops.end(),
              [](const Loop& a, const Loop& b) { return a.dim < b.dim; });
  }
  return explore_orders(mapping.levels.size() - 1, mapping, cutoff, stop, out);
}

bool TraceLeaf::explore_orders(std::size_t level, Mapping& mapping, const Wide* cutoff,
                               const std::function<bool()>& stop, MappingProblem::Found& out) {
  if (level == 0) {
    if (stop && stop()) return false;
    evaluate(mapping, cutoff, out);
    return true;
  }
  const auto less = [](const Loop& a, const Loop& b) { return a.dim < b.dim; };
  std::vector<Loop>& loops = mapping.levels[level].loops;  // sorted; sorted again when this returns
  do {
    if (!loops.empty() && irrelevant_tensor(loops.back().dim) != chain_.stationary[level]) continue;
    if (!explore_orders(level - 1, mapping, cutoff, stop, out)) return false;
  } while (std::next_permutation(loops.begin(), loops.end(), less));
  return true;
}

void TraceLeaf::evaluate(Mapping mapping, const Wide* cutoff, MappingProblem::Found& out) {
  const RowChoice least = instance_.rows.best(chain_.tile[instance_.architecture.row_buffer()], {});
  const auto cost = [&](const PerTensor<Int128>& rows) {
    return price(instance_, storage_, chain_, option_, mapping, rows);
  };
  const Costs optimistic = cost(least.activations);
  if (cutoff) {
    const Wide bound = target_.value(optimistic);
    if (bound >= *cutoff || (out.best && bound >= out.best->first)) return;
    if (!target_.keeps_caps(optimistic)) return;
  }
  PerTensor<Int128> rows{};
  for (const Tensor t : kAllTensors) {
    rows[index(t)] = best_layout(mapping, t) * instance_.scale.row;
  }
  const Costs costs = cost(rows);
  ++out.leaves;
  if (target_.keeps_caps(costs)) {
    out.solution(target_.value(costs), [&] { return Solved{mapping, costs}; });
  }
}

Int128 TraceLeaf::best_layout(Mapping& mapping, Tensor t) {
  const dram::Stream stream = dram::stream_of(instance_.architecture, mapping, t);
  std::vector<LayoutOption>& options = layouts_[index(t)];
  if (options.empty()) options = layouts_of(stream.tile, t);
  const LayoutOption* best = nullptr;
  Int128 fewest = 0;
  for (LayoutOption& option : options) {
    const Int128 count = option.counter.activations(stream.loops, stream.repeats);
    if (best && count >= fewest) continue;
    best = &option;
    fewest = count;
  }
  mapping.layout[index(t)] = best->layout;
  if (t == Tensor::input) mapping.input_block = best->block;
  return fewest;
}

std::vector<TraceLeaf::LayoutOption> TraceLeaf::layouts_of(const Factors& moved_tile,
                                                           Tensor t) const {
  const TileIndex rb_tile = chain_.tile[instance_.architecture.row_buffer()];
  std::vector<LayoutOption> options;
  const auto add = [&](Layout layout, const Block& block) {
    options.push_back({layout,
                       block,
                       {instance_.architecture, instance_.workload, t, layout, moved_tile,
                        instance_.lattice[rb_tile].c, block}});
  };
  add(Layout::sequential, {});
  if (t == Tensor::input) {
    for (const Block& block : instance_.rows.admissible_blocks(rb_tile)) {
      add(Layout::row_aligned, block);
    }
  } else if (instance_.rows.can_align(rb_tile, t)) {
    add(Layout::row_aligned, {});
  }
  return options;
}

}  // namespace pimbb::mapper
