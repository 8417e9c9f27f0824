// Children and leaves of the mapping problem.
#include "dram_pim/mapper/mapping_problem.hpp"

#include <algorithm>

#include "dram_pim/mapper/build_mapping.hpp"
#include "dram_pim/mapper/symmetry.hpp"
#include "dram_pim/trace/trace_nest.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {

MappingProblem::MappingProblem(const Instance& instance, const Storage& storage,
                               const LevelTiles& levels, const Completion& completion,
                               const Target& target, Switches switches)
    : instance_(instance),
      storage_(storage),
      levels_(levels),
      completion_(completion),
      target_(target),
      switches_(std::move(switches)),
      rb_(instance.architecture.row_buffer()),
      early_orders_(instance.model == RowModel::trace &&
                    orders_are_early(instance.architecture, storage)),
      hopeful_(levels.tiles[rb_ - 1]),
      is_hopeful_(instance.lattice.size(), 0) {
  for (const TileIndex i : hopeful_) is_hopeful_[i] = 1;
  survey();
}

MappingProblem::Node MappingProblem::root() const {
  Node root;
  root.level = rb_ + 1;
  root.state = {instance_.lattice.top(), Tensor::input,
                instance_.lattice.full_anchor(Tensor::input)};
  root.chain.tile[root.level] = root.state.tile;
  root.sums.energy = instance_.scale.mac_energy;
  return root;
}

bool MappingProblem::expand(const Node& node, const Value* cutoff, Found& out) const {
  if (node.level == 0) return expand_leaf(node, cutoff, out);
  Bar bar{cutoff ? *cutoff : Wide::infinity(), false};
  try {
    expand_inner(node, bar, out);
  } catch (const run::Stopped&) {
    return false;
  }
  return true;
}

void MappingProblem::expand_inner(const Node& node, Bar& bar, Found& out) const {
  if (node.level == rb_ + 1) {
    expand_root(node, bar, out);
  } else if (node.level == rb_) {
    if (instance_.model == RowModel::trace) {
      expand_traced_row_buffer(node, bar, out);
    } else {
      expand_row_buffer(node, bar, out);
    }
  } else if (awaits_orders(node)) {
    expand_orders(node, bar, out);
  } else {
    expand_level(node, bar, out);
  }
}

std::optional<std::pair<Wide, Solved>> MappingProblem::descend(const Value* cutoff) const {
  Found found;
  Node node = root();
  while (node.level > 0) {
    Bar bar{cutoff ? *cutoff : Wide::infinity(), true};
    found.children.clear();
    expand_inner(node, bar, found);
    if (found.children.empty()) return std::nullopt;
    node = std::move(found.children.back());
  }
  if (!expand_leaf(node, cutoff, found) || !found.best) return std::nullopt;
  if (cutoff && found.best->first >= *cutoff) return std::nullopt;
  return std::move(found.best);
}

bool MappingProblem::cut(const Wide& bound, const Wide& bar) const {
  return switches_.rules.has(Rule::lattice) && bound >= bar;
}

/// The child of `node` one level further in, reached by `step`.
void MappingProblem::add_child(const Node& node, const Step& step, const Sums& sums,
                               const Wide& bound, Bar& bar, Found& out) const {
  if (bar.only_best) {
    bar.value = bound;
    out.children.clear();
  }
  Node& child = out.children.emplace_back(node);
  if (switches_.rules.has(Rule::lattice)) child.lower_bound = bound;
  child.state = step.to;
  child.sums = sums;
  child.chain.classes[node.level] = step.loops;
  child.level = node.level - 1;
  child.chain.tile[child.level] = step.to.tile;
  child.chain.orders *= step.orders;
}

/// Bounds the arrivals from `begin` to `end`.
void MappingProblem::survey(std::size_t begin, std::size_t end, Survey& out) const {
  const bool upright_only = instance_.turns && switches_.rules.has(Rule::symmetry);
  for (std::size_t i = begin; i < end; ++i) {
    const Arrival& arrival = instance_.arrivals[i];
    const TileIndex to = arrival.step.to.tile;
    if (upright_only && !is_upright(instance_.lattice[to])) continue;
    const Completion::Entry rest = completion_.below_row_buffer(to);
    Sums least;
    least.latency = arrival.least.latency;
    least.energy = arrival.least.energy;
    const Wide bound = target_.bound(least, completion_, rest, arrival.least.activations);
    if (cut(bound, Wide::infinity())) continue;
    out.steps.emplace_back(bound, i);
    out.bound = std::min(out.bound, bound);
    out.latency = std::min(out.latency, std::max(least.latency, rest.latency()));
    out.energy = std::min(out.energy, least.energy + rest.least_energy());
  }
}

void MappingProblem::survey() {
  constexpr std::size_t kChunk = 1024;
  const std::size_t count = instance_.arrivals.size();
  std::vector<Survey> parts((count + kChunk - 1) / kChunk);
  run::parallel_for(parts.size(), [&](std::size_t k) {
    check();
    survey(k * kChunk, std::min(count, (k + 1) * kChunk), parts[k]);
  });
  for (const Survey& part : parts) {
    survey_.steps.insert(survey_.steps.end(), part.steps.begin(), part.steps.end());
    survey_.bound = std::min(survey_.bound, part.bound);
    survey_.latency = std::min(survey_.latency, part.latency);
    survey_.energy = std::min(survey_.energy, part.energy);
  }
}

/// Children of the root, as surveyed.
void MappingProblem::expand_root(const Node& node, Bar& bar, Found& out) const {
  for (const auto& [bound, i] : survey_.steps) {
    if (cut(bound, bar.value)) continue;
    Sums sums = node.sums;
    sums.energy = instance_.arrivals[i].energy;
    add_child(node, instance_.arrivals[i].step, sums, bound, bar, out);
  }
}

/// Bound of a state at `level` reached with `sums`; infinity if it is cut. Most candidates are cut
/// by the completion as if the run had lasted since the DRAM, which is at hand for every tile.
Wide MappingProblem::bound_below(std::size_t level, const State& state, const Sums& sums,
                                 const Wide& bar) const {
  const Wide bound =
      target_.bound(sums, completion_, completion_.best(level, state.tile, state.stationary), 0);
  const bool exact = level == 0 || state.anchor == instance_.lattice.full_anchor(state.stationary);
  if (exact || cut(bound, bar)) return bound;
  return target_.bound(sums, completion_, completion_.at(level, state), 0);
}

/// Whether no mapping with `tile` at level rb-1 can be below `cutoff`, whatever stands around it.
bool MappingProblem::hopeless(TileIndex tile, const Value& cutoff) const {
  const Tile& inner = instance_.lattice[tile];
  for (const Tensor t : kAllTensors) {
    Sums sums;
    sums.energy = instance_.scale.mac_energy;
    sums.add(storage_.fill(rb_ - 1, inner, t, 1), storage_.open_count());
    const Completion::Entry rest = completion_.best(rb_ - 1, tile, t);
    if (!cut(target_.bound(sums, completion_, rest, 0), cutoff)) return false;
  }
  return true;
}

void MappingProblem::improved(const Value& incumbent) {
  if (!switches_.rules.has(Rule::lattice) || !switches_.rules.has(Rule::tiles)) return;
  std::erase_if(hopeful_, [&](TileIndex i) {
    const bool out = hopeless(i, incumbent);
    if (out) is_hopeful_[i] = 0;
    return out;
  });
}

/// Tiles of level rb-1 inside `tile` that are still hopeful.
std::vector<TileIndex> MappingProblem::hopeful_inside(const Tile& tile) const {
  const Lattice& lattice = instance_.lattice;
  std::vector<TileIndex> inner;
  if (hopeful_.size() < lattice.divisor_count(tile)) {
    std::copy_if(hopeful_.begin(), hopeful_.end(), std::back_inserter(inner),
                 [&](TileIndex i) { return lattice.divides(lattice[i], tile); });
  } else {
    lattice.divisors(tile, inner);
    std::erase_if(inner, [&](TileIndex i) { return is_hopeful_[i] == 0; });
  }
  return inner;
}

/// Children of a row-buffer node: the next tile inwards, the class of the row buffer's loops, and
/// with them the row activations and the layouts.
void MappingProblem::expand_row_buffer(const Node& node, Bar& bar, Found& out) const {
  const Lattice& lattice = instance_.lattice;
  const Tile& tile = lattice[node.state.tile];
  const LoopClass at_dram = node.chain.classes[rb_ + 1];
  const std::int64_t sweeps = at_dram ? lattice.outer(*at_dram, node.state.anchor) : 1;
  const PerTensor<Int128> least =
      instance_.rows.least(node.state.tile, row_reuse(lattice, tile, at_dram, nullptr, sweeps));
  std::size_t seen = 0;
  for (const TileIndex to : hopeful_inside(tile)) {
    check(seen++);
    for (const Step& step :
         allowed_steps(lattice, node.state, to, instance_.rule, instance_.orders, node.level)) {
      const Tensor s = step.to.stationary;
      const std::int64_t outer = lattice.outer(s, step.to.anchor);
      const auto with_rows = [&](const PerTensor<Int128>& activations) {
        Sums sums = node.sums;
        sums.add(storage_.fill_with_rows(lattice[to], s, outer, activations),
                 storage_.open_count());
        for (const Int128 n : activations) sums.activations += n;
        return sums;
      };
      if (cut(bound_below(rb_ - 1, step.to, with_rows(least), bar.value), bar.value)) continue;
      const DimMask loops = Lattice::step_mask(tile, lattice[to]);
      const LoopSplit split(
          tile, lattice[to], step.loops,
          instance_.orders.any() ? instance_.orders.run(rb_, loops, step.loops) : kEveryDim);
      const RowChoice rows =
          instance_.rows.best(node.state.tile, row_reuse(lattice, tile, at_dram, &split, sweeps));
      const Sums sums = with_rows(rows.activations);
      const Wide bound = bound_below(rb_ - 1, step.to, sums, bar.value);
      if (cut(bound, bar.value)) continue;
      add_child(node, step, sums, bound, bar, out);
      out.children.back().chain.layout = rows.layout;
    }
  }
}

/// Children below the row buffer's loops: tile of level - 1 and class of the level's loops.
void MappingProblem::expand_level(const Node& node, Bar& bar, Found& out) const {
  const Lattice& lattice = instance_.lattice;
  const std::size_t level = node.level - 1;
  const bool late_orders = instance_.model == RowModel::trace && !early_orders_;
  const OrderMatters matters = late_orders ? OrderMatters::to_rows : OrderMatters::to_fills;
  std::vector<TileIndex> inner;
  lattice.divisors(lattice[node.state.tile], inner);
  std::size_t seen = 0;
  for (const TileIndex to : inner) {
    check(seen++);
    if (!levels_.admits(level, to)) continue;
    for (const Step& step : allowed_steps(lattice, node.state, to, instance_.rule, instance_.orders,
                                          node.level, matters)) {
      const Tensor s = step.to.stationary;
      Sums sums = node.sums;
      sums.add(storage_.fill(level, lattice[to], s, lattice.outer(s, step.to.anchor)),
               storage_.open_count());
      const Wide bound = bound_below(level, step.to, sums, bar.value);
      if (!cut(bound, bar.value)) add_child(node, step, sums, bound, bar, out);
    }
  }
}

bool MappingProblem::expand_leaf(const Node& node, const Value* cutoff, Found& out) const {
  const std::size_t place = levels_.slot[0][node.state.tile];
  const std::uint64_t layouts = instance_.rows.combinations(node.chain.tile[rb_]);
  for (const SpatialOption& option : levels_.options[place]) {
    if (instance_.model == RowModel::trace && !early_orders_) {
      try {
        expand_traced_leaf(node, option, switches_.rules.has(Rule::lattice) ? cutoff : nullptr,
                           out);
      } catch (const run::Stopped&) {
        return false;
      }
    } else {
      const Costs costs = node.sums.total(option.terms, storage_.open_count());
      ++out.leaves;
      if (target_.keeps_caps(costs)) {
        out.solution(target_.value(costs), [&] {
          return Solved{build_mapping(instance_, storage_, node.chain, option), costs};
        });
      }
    }
    mappings_ += node.chain.orders * option.splits * layouts;
  }
  return true;
}

std::uint64_t MappingProblem::key(const Node& node) {
  return (static_cast<std::uint64_t>(node.state.tile) << 32 | node.state.anchor) * kTensors *
             kMaxLevels +
         index(node.state.stationary) * kMaxLevels + node.level;
}

search::Admission MappingProblem::admit(const Node& node, std::uint64_t id) {
  using search::Admission;
  // Under the trace model the activations are known only once the orders are.
  const bool traced = instance_.model == RowModel::trace && !node.chain.ordered;
  if (!switches_.rules.has(Rule::dominance) || traced || node.level >= rb_) {
    return Admission::unlabelled;
  }
  const bool full = label_bytes() + kStateBytes + sizeof(Label) > switches_.label_bytes;
  const auto known = labels_.find(key(node));
  if (full && known == labels_.end()) return Admission::unlabelled;
  std::vector<Label>& labels = known == labels_.end() ? labels_[key(node)] : known->second;
  for (const Label& label : labels) {
    if (target_.no_worse(label.sums, node.sums, storage_.open_count())) return Admission::dominated;
  }
  // When there is no room a label can still take the place of those that it dominates.
  const std::size_t dominated = std::erase_if(labels, [&](const Label& label) {
    return target_.no_worse(node.sums, label.sums, storage_.open_count());
  });
  label_count_ -= dominated;
  if (full && dominated == 0) return Admission::unlabelled;
  labels.push_back({id, node.sums});
  ++label_count_;
  return Admission::labelled;
}

bool MappingProblem::alive(const Node& node, std::uint64_t id) const {
  const std::vector<Label>& labels = labels_.at(key(node));
  return std::any_of(labels.begin(), labels.end(),
                     [&](const Label& label) { return label.id == id; });
}

}  // namespace pimbb::dram_pim::mapper
