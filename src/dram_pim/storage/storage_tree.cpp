// Expanding and bounding partial storage choices.
#include "dram_pim/storage/storage_tree.hpp"

#include <algorithm>

#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// Bounds of one node, each found when first asked for.
class NodeBound {
 public:
  using Least = StorageBounds::Least;

  NodeBound(const Instance& instance, const StorageBounds& bounds, const PartialStorage& storage,
            const Least& known, const run::Guard& guard)
      : instance_(instance),
        bounds_(bounds),
        relaxation_(instance, bounds.points, storage, guard),
        known_(known) {}

  /// A lower bound of the target's goal, Wide::infinity() if nothing below `cutoff` is left.
  /// `shared`: from shared tables. `programs`: whether any are solved.
  Wide of(const Target& target, const Wide* cutoff, const Least& shared, bool programs) {
    Costs least{std::max({known_.latency, relaxation_.least_compute(), shared.latency}),
                std::max({known_.energy, instance_.scale.mac_energy, shared.energy}),
                bounds_.points.least_activations()};
    const auto hopeless = [&] {
      return least.latency >= kInfinity || least.energy >= kInfinity || !target.keeps_caps(least) ||
             (cutoff != nullptr && target.value(least) >= *cutoff);
    };
    const auto useful = [&](Int128 limit) {
      return cutoff ? std::min(limit, target.useful_latency(*cutoff, least.energy)) : limit;
    };
    if (hopeless()) return Wide::infinity();
    if (!programs) return target.value(least);
    Int128 limit = useful(target.latency_cap());
    if (target.uses_energy()) least.energy = std::max(least.energy, energy(limit));
    if (hopeless()) return Wide::infinity();
    if (target.uses_latency()) least.latency = std::max(least.latency, latency());
    if (hopeless()) return Wide::infinity();
    if (!target.uses_energy()) return target.value(least);
    constexpr int kRounds = 3;
    for (int round = 0; round < kRounds; ++round) {
      const Int128 lower = useful(limit);
      if (lower < least.latency) return Wide::infinity();
      if (lower > limit - limit / 16) break;
      limit = lower;
      least.energy = std::max(least.energy, energy(limit));
      if (hopeless()) return Wide::infinity();
    }
    return target.value(least);
  }

  [[nodiscard]] const Relaxation& relaxation() const { return relaxation_; }
  /// What holds for every mapping, whatever the targets.
  [[nodiscard]] const Least& known() const { return known_; }

 private:
  Int128 latency() {
    if (!has_latency_) known_.latency = std::max(known_.latency, relaxation_.least_latency());
    has_latency_ = true;
    return known_.latency;
  }
  Int128 energy(Int128 limit) {
    if (limit < kInfinity) return relaxation_.least_energy(limit);
    if (!has_energy_) known_.energy = std::max(known_.energy, relaxation_.least_energy(limit));
    has_energy_ = true;
    return known_.energy;
  }

  const Instance& instance_;
  const StorageBounds& bounds_;
  Relaxation relaxation_;
  Least known_;
  bool has_latency_ = false;
  bool has_energy_ = false;
};

}  // namespace

StorageTree::StorageTree(const Instance& instance, StorageBounds* bounds, const Target& target,
                         run::Guard guard)
    : instance_(instance), known_(bounds), target_(target), guard_(std::move(guard)) {
  push_root({});
}

void StorageTree::push_root(const Wide& bound) {
  Node root;
  root.storage = all_storage(instance_);
  root.bound = bound;
  push(std::move(root));
}

PartialStorage all_storage(const Instance& instance) {
  const Architecture& a = instance.architecture;
  PartialStorage storage;
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    const bool free = m < a.row_buffer() && a.levels[m].bypass_free;
    const TensorFlags may = a.storable(m);
    PerTensor<Stored> level{};
    for (std::size_t t = 0; t < kTensors; ++t) {
      const auto decided = instance.constraints.stored(m, kAllTensors[t]);
      level[t] = !may[t]                ? Stored::no
                 : !free                ? Stored::yes
                 : !decided.has_value() ? Stored::open
                 : *decided             ? Stored::yes
                                        : Stored::no;
    }
    storage.push_back(level);
  }
  return storage;
}

void StorageTree::begin_again(SharedTables& tables) {
  const Wide bound = open_bound();
  open_.clear();
  push_root(bound);
  use(&tables);
}

void StorageTree::push(Node node) {
  const auto levels = static_cast<std::size_t>(std::ranges::count_if(node.storage, is_open));
  const Wide bound = node.bound;
  open_.push(bound, {levels, next_id_++}, std::move(node));
}

std::optional<std::size_t> StorageTree::open_level(const Node& node) const {
  std::optional<std::size_t> found;
  for (std::size_t m = 0; m < node.storage.size(); ++m) {
    if (!is_open(node.storage[m])) continue;
    if (tables_ == nullptr) return m;
    found = m;
  }
  return found;
}

std::optional<StorageChoice> StorageTree::next(const Wide* cutoff) {
  while (const auto best = open_.next(cutoff)) {
    const Node& node = best->part;
    try {
      if (const auto level = open_level(node)) {
        guard_.check();
        expand(node, *level, cutoff);
        continue;
      }
      if (std::ranges::count(first_, node.storage) > 0) continue;
      if (is_stale(node)) {
        bound_again(node, cutoff);
        continue;
      }
    } catch (const run::Stopped&) {
      push(node);
      throw;
    }
    StorageChoice choice;
    for (const auto& level : node.storage) choice.stores.push_back(decided(level));
    choice.bound = node.bound;
    if (!is_long()) first_.push_back(node.storage);
    return choice;
  }
  return std::nullopt;
}

std::vector<StorageTree::Node> StorageTree::children_of(const Node& node, std::size_t level) {
  std::vector<Node> children;
  for (const TensorSet set : sets_of(node.storage[level])) {
    Node& child = children.emplace_back(node);
    for (std::size_t t = 0; t < kTensors; ++t) {
      child.storage[level][t] = (set >> t & 1U) != 0 ? Stored::yes : Stored::no;
    }
  }
  return children;
}

void StorageTree::bound_children(std::vector<Node>& children, const Wide* cutoff) {
  for (Node& child : children) {
    known_->points.prepare(child.storage);
    if (programs_due()) known_->points.prepare_points(child.storage);
    const StorageBounds::Least& before = known_->known[child.storage];
    child.least.latency = std::max(child.least.latency, before.latency);
    child.least.energy = std::max(child.least.energy, before.energy);
  }
  std::vector<RelaxationEffort> efforts(children.size());
  run::parallel_for(children.size(),
                    [&](std::size_t k) { bound(children[k], cutoff, efforts[k]); });
  for (const RelaxationEffort& one : efforts) {
    effort_.solves += one.solves;
    effort_.iterations += one.iterations;
  }
  for (const Node& child : children) known_->known[child.storage] = child.least;
}

void StorageTree::bound_by_tables(std::vector<Node>& children, const Node& node,
                                  std::size_t level) {
  const std::vector<Int128> least = tables_->least_by_set(node.storage, level, guard_);
  for (std::size_t k = 0; k < children.size(); ++k) {
    children[k].table_least = least[k];
    children[k].generation = generation_;
  }
}

bool StorageTree::programs_due() const {
  if (known_ == nullptr || !known_->relaxed || tables_ != nullptr) return false;
  return target_.uses_energy() || (target_.uses_latency() && is_long());
}

bool StorageTree::is_stale(const Node& choice) const {
  if (tables_ != nullptr) return choice.generation != generation_;
  return !choice.programmed && programs_due();
}

/// A complete choice with the tables, or the programs, of now; it is among the open nodes again if
/// they leave it any hope.
void StorageTree::bound_again(const Node& choice, const Wide* cutoff) {
  std::vector<Node> children{choice};
  if (tables_ != nullptr) {
    Node parent = choice;
    const PartialStorage all = all_storage(instance_);
    std::size_t level = 0;
    while (!is_open(all[level])) ++level;
    parent.storage[level] = all[level];
    children = children_of(parent, level);
    bound_by_tables(children, parent, level);
    std::erase_if(children, [&](const Node& child) { return child.storage != choice.storage; });
  }
  bound_children(children, cutoff);
  if (children.front().bound < Wide::infinity()) push(std::move(children.front()));
}

void StorageTree::expand(const Node& node, std::size_t level, const Wide* cutoff) {
  std::vector<Node> children = children_of(node, level);
  if (tables_ != nullptr) bound_by_tables(children, node, level);
  std::ranges::reverse(children);  // the fullest first
  if (known_ != nullptr) bound_children(children, cutoff);
  for (Node& child : children) {
    if (child.bound < Wide::infinity()) push(std::move(child));
  }
}

void StorageTree::bound(Node& node, const Wide* cutoff, RelaxationEffort& effort) const {
  NodeBound bound(instance_, *known_, node.storage, node.least, guard_);
  node.programmed = programs_due();
  StorageBounds::Least shared;
  if (tables_ != nullptr) {
    const bool energy = tables_->cost() == SharedCost::energy;
    (energy ? shared.energy : shared.latency) = node.table_least;
  }
  node.bound = std::max(node.bound, bound.of(target_, cutoff, shared, node.programmed));
  node.least = bound.known();
  effort.solves += bound.relaxation().solves();
  effort.iterations += bound.relaxation().iterations();
}

std::uint64_t count_storage_choices(const Architecture& architecture,
                                    const Constraints& constraints) {
  unsigned bits = 0;
  for (std::size_t m = 0; m < architecture.row_buffer(); ++m) {
    const TensorFlags may = architecture.storable(m);
    if (!architecture.levels[m].bypass_free) continue;
    bits += static_cast<unsigned>(std::ranges::count_if(
        kAllTensors, [&](Tensor t) { return may[index(t)] && !constraints.stored(m, t); }));
  }
  return std::uint64_t{1} << std::min(bits, 63U);
}

}  // namespace pimbb::dram_pim::mapper
