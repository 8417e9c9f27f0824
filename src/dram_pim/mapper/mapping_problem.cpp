// Children and leaves, bounded and cut.
#include "dram_pim/mapper/mapping_problem.hpp"

#include <algorithm>
#include <iterator>

#include "dram_pim/mapper/build_mapping.hpp"
#include "run/parallel_for.hpp"
#include "run/pipeline.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// In how many parts to look at this many tiles, so that threads without a node of their own help.
std::size_t parts_of(std::size_t tiles) {
  constexpr std::size_t kTilesOfPart = 64;
  const std::size_t threads = run::thread_room();
  if (threads == 1 || !run::others_may_idle()) return 1;
  return std::clamp<std::size_t>(tiles / kTilesOfPart, 1, 2 * threads);
}

/// Where only fills see the order of loops, one class less is enough (nest/steps.hpp).
OrderMatters inside_row_buffer(const ChainRows& rows) {
  return rows.known() == RowsKnown::at_leaf ? OrderMatters::to_rows : OrderMatters::to_fills;
}

}  // namespace

MappingProblem::MappingProblem(const Instance& instance, const Storage& storage,
                               const LevelTiles& levels, const ChainRows& rows,
                               const CostToGo& cost_to_go, const Target& target, Switches switches)
    : instance_(instance),
      storage_(storage),
      levels_(levels),
      rows_(rows),
      cost_to_go_(cost_to_go),
      target_(target),
      switches_(std::move(switches)),
      rb_(instance.architecture.row_buffer()),
      branching_(instance, storage, levels, rows, inside_row_buffer(rows)),
      root_bounds_(
          instance, storage, cost_to_go, target, switches_.rules,
          switches_.cutoff ? &*switches_.cutoff : nullptr,
          [this](const std::vector<std::size_t>& arrivals) { return make_joint(arrivals); },
          [this] { check(); }),
      dominance_(target, storage.open_count()),
      hopeful_(levels.tiles[rb_ - 1]),
      is_hopeful_(instance.lattice.size(), 0) {
  std::erase_if(hopeful_, [&](TileIndex i) { return !levels.admits(rb_ - 1, i); });
  for (const TileIndex i : hopeful_) is_hopeful_[i] = 1;
}

/// Bounds of all tensors together, where they are worth their tables: those of all arrivals take as
/// long as a thousand nodes, while searches for other goals take few where the row buffer holds
/// little. Under an unbounded row buffer they are of use if the value to beat is known, so that few
/// arrivals are left.
const JointRows* MappingProblem::make_joint(const std::vector<std::size_t>& arrivals) {
  const bool unbounded = !instance_.architecture.levels[rb_].capacity;
  const bool of_use = target_.goal() == Goal::activations ||
                      (unbounded && switches_.few_hopeful && target_.uses_energy());
  if (!of_use || !prunes() || !switches_.rules.has(Rule::joint)) return nullptr;
  const run::Guard guard{[this] { return switches_.stop && switches_.stop(); }};
  joint_ = rows_.together(levels_, guard);
  if (joint_) joint_->prepare(arrivals, guard);
  return joint_.get();
}

/// Costs so far after an arrival, with all activations that it leads to at least.
Sums MappingProblem::with_joint_rows(std::uint32_t arrival, const Sums& sums) const {
  if (!joint_) return sums;
  const Int128 missing = joint_->least(arrival) - sums.activations;
  if (missing <= 0) return sums;
  Sums least = sums;
  least.activations += missing;
  least.energy += missing * instance_.scale.activation_energy;
  return least;
}

bool MappingProblem::expand(const Node& node, const Value* cutoff, Found& out) const {
  if (level(node) == 0) return expand_leaf(*node.decided, cutoff, out);
  Cutoff below{cutoff ? *cutoff : Wide::infinity(), false};
  try {
    expand_inner(node, below, out);
  } catch (const run::Stopped&) {
    return false;
  }
  return true;
}

void MappingProblem::expand_inner(const Node& node, Cutoff& cutoff, Found& out) const {
  switch (node.kind) {
    case Node::Kind::root: return expand_root(node, cutoff, out);
    case Node::Kind::arrival: return expand_tile(arrived(node.arrival), node.arrival, cutoff, out);
    case Node::Kind::inside:
      if (branching_.next(*node.decided) == Decision::loop_orders) {
        return expand_orders(*node.decided, node.arrival, cutoff, out);
      }
      return expand_tile(*node.decided, node.arrival, cutoff, out);
  }
}

PartialMapping MappingProblem::arrived(std::uint32_t arrival) const {
  const Arrival first = instance_.arrivals[arrival];
  PartialMapping mapping = branching_.root();
  mapping.take(first.step, Branching::sums_after(mapping, first));
  return mapping;
}

std::optional<std::pair<Wide, Solved>> MappingProblem::descend(const Value* cutoff) const {
  Found found;
  Node node = root();
  while (level(node) > 0) {
    Cutoff best{cutoff ? *cutoff : Wide::infinity(), true};
    found.children.clear();
    expand_inner(node, best, found);
    if (found.children.empty()) return std::nullopt;
    node = std::move(found.children.back());
  }
  if (!expand_leaf(*node.decided, cutoff, found)) return std::nullopt;
  if (!found.all.empty()) {
    const Wide value = target_.value(found.all.front().costs);
    return std::pair{value, std::move(found.all.front())};
  }
  if (!found.best) return std::nullopt;
  if (cutoff && found.best->first >= *cutoff) return std::nullopt;
  return std::move(found.best);
}

void MappingProblem::add_child(Node&& child, Cutoff& cutoff, Found& out) {
  if (cutoff.only_best) {
    cutoff.value = child.lower_bound;
    out.children.clear();
  }
  out.children.push_back(std::move(child));
}

/// Children of the root, as bounded before: those of one part, and the root itself once more, with
/// the others left to do. Among equal bounds the root comes after the first child, so that a plunge
/// takes the child.
void MappingProblem::expand_root(const Node& node, Cutoff& cutoff, Found& out) const {
  constexpr std::size_t kBetweenChecks = 1024;
  const auto& all = root_bounds_.arrivals;
  const std::size_t end = root_bounds_.end_of_part(node.arrival);
  const auto part = root_bounds_.part(node.arrival, [this] { check(); });
  bool others = end < all.size() && !cutoff.only_best && !cut(all[end].first, cutoff.value);
  std::size_t seen = 0;
  if (!cutoff.only_best) out.children.reserve(out.children.size() + end - node.arrival + 1);
  for (const auto& [bound, i] : part) {
    if (++seen % kBetweenChecks == 0) check();
    if (cut(bound, cutoff.value)) continue;
    add_child({carried(bound), static_cast<std::uint32_t>(i), Node::Kind::arrival}, cutoff, out);
    if (!others) continue;
    others = false;
    out.children.push_back(
        {carried(all[end].first), static_cast<std::uint32_t>(end), Node::Kind::root});
  }
}

/// Bound of a state at `level` reached with `sums`; infinity if it is cut. Most candidates are cut
/// by the cost to go as if the run had lasted since the DRAM, which is at hand for every tile.
Wide MappingProblem::bound_below(std::size_t level, const State& state, const Sums& sums,
                                 const Wide& cutoff) const {
  const Wide bound =
      target_.bound(sums, cost_to_go_, cost_to_go_.best(level, state.tile, state.stationary), 0);
  const bool exact = level == 0 || state.anchor == instance_.lattice.full_anchor(state.stationary);
  if (exact || cut(bound, cutoff)) return bound;
  return target_.bound(sums, cost_to_go_, cost_to_go_.at(level, state), 0);
}

/// Whether no mapping with `tile` at level rb-1 can be below `cutoff`, whatever stands around it.
bool MappingProblem::hopeless(TileIndex tile, const Value& cutoff) const {
  const Tile& inner = instance_.lattice[tile];
  for (const Tensor t : kAllTensors) {
    Sums sums;
    sums.energy = instance_.scale.mac_energy;
    sums.add(storage_.fill(rb_ - 1, inner, t, 1), storage_.open_count());
    const CostToGo::Entry rest = cost_to_go_.best(rb_ - 1, tile, t);
    if (!cut(target_.bound(sums, cost_to_go_, rest, 0), cutoff)) return false;
  }
  return true;
}

void MappingProblem::improved(const Value& incumbent) {
  if (!prunes() || !switches_.rules.has(Rule::tiles)) return;
  constexpr std::size_t kChunk = 256;
  run::for_each_chunk(hopeful_.size(), kChunk, [&](const run::Chunk& chunk) {
    if (switches_.stop && switches_.stop()) return;  // the rest may then stay, too
    for (std::size_t k = chunk.begin; k < chunk.end; ++k) {
      if (hopeless(hopeful_[k], incumbent)) is_hopeful_[hopeful_[k]] = 0;
    }
  });
  std::erase_if(hopeful_, [&](TileIndex i) { return is_hopeful_[i] == 0; });
}

/// Tiles of level rb-1 inside `tile` that are still hopeful.
std::vector<TileIndex> MappingProblem::hopeful_inside(const Tile& tile) const {
  const Lattice& lattice = instance_.lattice;
  std::vector<TileIndex> inner;
  if (hopeful_.size() < lattice.divisor_count(tile)) {
    inner.reserve(hopeful_.size());
    std::copy_if(hopeful_.begin(), hopeful_.end(), std::back_inserter(inner),
                 [&](TileIndex i) { return lattice.divides(lattice[i], tile); });
  } else {
    lattice.divisors(tile, inner);
    std::erase_if(inner, [&](TileIndex i) { return is_hopeful_[i] == 0; });
  }
  return inner;
}

/// Bound of a node at the row buffer that causes at least these activations.
Wide MappingProblem::bound_with_rows(const PartialMapping& from,
                                     const PerTensor<Int128>& rows) const {
  Sums least = from.sums;
  least.add(storage_.rows_alone(rows), storage_.open_count());
  Int128 activations = 0;
  for (const Int128 n : rows) activations += n;
  return target_.bound(least, cost_to_go_, cost_to_go_.below_row_buffer(from.state.tile),
                       activations);
}

/// Children with the next tile inwards and the class of the loops between.
void MappingProblem::expand_tile(const PartialMapping& from, std::uint32_t arrival, Cutoff& cutoff,
                                 Found& out) const {
  const bool at_row_buffer = from.level == rb_;
  const auto rows = at_row_buffer ? rows_.below(from) : nullptr;
  if (at_row_buffer && cut(bound_with_rows(from, rows->least()), cutoff.value)) return;
  const std::vector<TileIndex> tiles = at_row_buffer
                                           ? hopeful_inside(instance_.lattice[from.state.tile])
                                           : branching_.tiles_inside(from);
  const std::size_t parts = parts_of(tiles.size());
  if (parts == 1) return expand_tiles(from, arrival, tiles, rows.get(), cutoff, out);
  struct Part {
    Cutoff cutoff;
    Found found;
  };
  std::vector<Part> all(parts);
  run::parallel_for(parts, [&](std::size_t k) {
    const std::size_t begin = tiles.size() * k / parts;
    const auto some = std::span(tiles).subspan(begin, tiles.size() * (k + 1) / parts - begin);
    const auto own = at_row_buffer && k > 0 ? rows_.below(from) : nullptr;  // of one thread
    all[k].cutoff = cutoff;
    expand_tiles(from, arrival, some, k > 0 ? own.get() : rows.get(), all[k].cutoff, all[k].found);
  });
  for (Part& part : all) {
    std::vector<Node>& children = part.found.children;
    if (!cutoff.only_best) {
      std::ranges::move(children, std::back_inserter(out.children));
    } else if (!children.empty() && !cut(part.cutoff.value, cutoff.value)) {
      cutoff.value = part.cutoff.value;
      out.children.clear();
      out.children.push_back(std::move(children.back()));
    }
  }
}

/// The same for some of the tiles.
void MappingProblem::expand_tiles(const PartialMapping& from, std::uint32_t arrival,
                                  std::span<const TileIndex> tiles, const RowBufferRows* rows,
                                  Cutoff& cutoff, Found& out) const {
  constexpr std::size_t kBetweenChecks = 64;
  const std::size_t level = from.level - 1;
  std::size_t seen = 0;
  const auto bound_after = [&](const Step& step, const Sums& sums) {
    if (++seen % kBetweenChecks == 0) check();
    return bound_below(level, step.to, with_joint_rows(arrival, sums), cutoff.value);
  };
  branching_.for_each_step(
      from, tiles, rows,
      [&](const Step& step, const Sums& sums) {
        return cut(bound_after(step, sums), cutoff.value);
      },
      [&](const Step& step, const Sums& sums, const PerTensor<Layout>& layout) {
        const Wide bound = bound_after(step, sums);
        if (cut(bound, cutoff.value)) return;
        PartialMapping decided = from;
        decided.take(step, sums);
        decided.chain.layout = layout;
        add_child(inside_node(bound, arrival, std::move(decided)), cutoff, out);
      });
}

/// Children of a node at level rb - 1: orders of the loops further out, none beaten by another.
void MappingProblem::expand_orders(const PartialMapping& from, std::uint32_t arrival,
                                   Cutoff& cutoff, Found& out) const {
  const auto beats = [&](const Node& a, const Node& b) {
    return switches_.rules.has(Rule::dominance) &&
           a.decided->state.stationary == b.decided->state.stationary &&
           a.decided->state.anchor == b.decided->state.anchor &&
           target_.no_worse(a.decided->sums, b.decided->sums, storage_.open_count());
  };
  const auto hopeful = [&](const Sums& sums) {
    check();
    const Sums least = with_joint_rows(arrival, sums);
    return !cut(bound_below(from.level, from.state, least, cutoff.value), cutoff.value);
  };
  std::vector<Node> children;
  rows_.for_each_order(from, hopeful, [&](PartialMapping&& ordered) {
    const Wide bound = bound_below(from.level, ordered.state, ordered.sums, cutoff.value);
    if (cut(bound, cutoff.value)) return;
    if (cutoff.only_best) {
      cutoff.value = bound;
      children.clear();
    }
    Node child = inside_node(bound, arrival, std::move(ordered));
    if (!is_beaten(children, child, beats)) add_unbeaten(children, std::move(child), beats);
  });
  if (cutoff.only_best && !children.empty()) out.children.clear();
  for (Node& child : children) out.children.push_back(std::move(child));
}

bool MappingProblem::expand_leaf(const PartialMapping& from, const Value* cutoff,
                                 Found& out) const {
  const auto hopeful = [&](const Costs& least) {
    check();
    if (target_.front() && prunes()) {
      return target_.keeps_caps(least) && !target_.front()->covers(least);
    }
    if (cutoff == nullptr || !prunes()) return true;
    const Wide value = target_.value(least);
    return value < *cutoff && (!out.best || value < out.best->first) && target_.keeps_caps(least);
  };
  const auto visit = [&](const UnrolledChain& leaf) {
    ++out.leaves;
    if (!target_.keeps_caps(leaf.costs)) return;
    if (const Staircase* front = target_.front()) {
      if (front->covers(leaf.costs)) return;
      const auto as_good = [&](const Solved& s) { return front->no_worse(s.costs, leaf.costs); };
      if (std::ranges::any_of(out.all, as_good)) return;
      out.all.push_back({build_mapping(instance_, storage_, leaf), leaf.costs});
      return;
    }
    out.solution(target_.value(leaf.costs), [&] {
      return Solved{build_mapping(instance_, storage_, leaf), leaf.costs};
    });
  };
  // By reference: as large as they are, copies would be allocated.
  const std::function<bool(const Costs&)> is_hopeful = std::cref(hopeful);
  const std::function<void(const UnrolledChain&)> visit_leaf = std::cref(visit);
  const std::uint64_t layouts = instance_.rows.combinations(from.chain.tile[rb_]);
  try {
    for (const SpatialOption& option : levels_.options(levels_.slot[0][from.state.tile])) {
      rows_.for_each_leaf(from, option, is_hopeful, visit_leaf);
      mappings_ += from.chain.orders * option.splits * layouts;
    }
  } catch (const run::Stopped&) {
    return false;
  }
  return true;
}

void MappingProblem::collect(std::vector<Solved> found) {
  for (Solved& point : found) {
    if (!target_.front()->covers(point.costs)) switches_.new_point(std::move(point));
  }
}

std::vector<Costs> MappingProblem::corners(const Node& node) const {
  if (node.kind == Node::Kind::inside) {
    const PartialMapping& from = *node.decided;
    return target_.corners(with_joint_rows(node.arrival, from.sums), cost_to_go_,
                           cost_to_go_.at(from.level, from.state), 0);
  }
  std::vector<Costs> found;
  const auto add = [&](std::size_t i) {
    const auto [least, activations] = RootBounds::least_sums(instance_, storage_, joint_.get(), i);
    const TileIndex to = instance_.arrivals[i].step.to.tile;
    const auto more =
        target_.corners(least, cost_to_go_, cost_to_go_.below_row_buffer(to), activations);
    found.insert(found.end(), more.begin(), more.end());
  };
  if (node.kind == Node::Kind::arrival) {
    add(node.arrival);
  } else {
    for (std::size_t k = node.arrival; k < root_bounds_.arrivals.size(); ++k) {
      add(root_bounds_.arrivals[k].second);
    }
  }
  return found;
}

bool MappingProblem::useless(const Node& node) const {
  if (!target_.front() || !prunes() || node.kind == Node::Kind::root) return false;
  const auto covered = [&](const Costs& least) { return target_.front()->covers(least); };
  return std::ranges::all_of(corners(node), covered);
}

search::Admission MappingProblem::admit(const Node& node, std::uint64_t id) {
  const bool comparable = node.decided && rows_.known_of(*node.decided);
  if (!switches_.rules.has(Rule::dominance) || !comparable) return search::Admission::unlabelled;
  return dominance_.admit(*node.decided, id);
}

}  // namespace pimbb::dram_pim::mapper
