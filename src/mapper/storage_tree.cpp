// Expanding and bounding partial storage choices.
#include "mapper/storage_tree.hpp"

#include <algorithm>

#include "search/parallel_for.hpp"

namespace pimbb::mapper {
namespace {

/// Bounds of one node, each found when first asked for.
class NodeBound {
 public:
  NodeBound(const Instance& instance, const FillPoints& points, const PartialStorage& storage)
      : instance_(instance), points_(points), relaxation_(instance, points, storage) {}

  /// A lower bound of the target's goal, Wide::infinity() if nothing below `cutoff` is left.
  Wide of(const Target& target, const Wide* cutoff) {
    Costs least{0, instance_.scale.mac_energy, points_.least_activations()};
    const auto hopeless = [&] {
      return least.latency >= kInfinity || least.energy >= kInfinity || !target.keeps_caps(least) ||
             (cutoff != nullptr && target.value(least) >= *cutoff);
    };
    if (target.uses_latency()) least.latency = latency();
    if (hopeless()) return Wide::infinity();
    if (!target.uses_energy()) return target.value(least);
    constexpr int kRounds = 6;
    Int128 limit = target.latency_cap();
    for (int round = 0; round < kRounds; ++round) {
      Int128 useful = limit;
      if (cutoff) useful = std::min(useful, target.useful_latency(*cutoff, least.energy));
      if (useful < least.latency) return Wide::infinity();
      if (round > 0 && useful > limit - limit / 64) break;
      limit = useful;
      least.energy = std::max(least.energy, energy(limit));
      if (hopeless()) return Wide::infinity();
      if (limit == kInfinity && !cutoff) break;
    }
    return target.value(least);
  }

  [[nodiscard]] const Relaxation& relaxation() const { return relaxation_; }

 private:
  Int128 latency() {
    if (!latency_) latency_ = relaxation_.least_latency();
    return *latency_;
  }
  Int128 energy(Int128 limit) {
    if (limit < kInfinity) return relaxation_.least_energy(limit);
    if (!energy_) energy_ = relaxation_.least_energy(kInfinity);
    return *energy_;
  }

  const Instance& instance_;
  const FillPoints& points_;
  Relaxation relaxation_;
  std::optional<Int128> latency_;
  std::optional<Int128> energy_;
};

}  // namespace

StorageTree::StorageTree(const Instance& instance, FillPoints* points,
                         const std::vector<Target>& targets)
    : instance_(instance), points_(points), targets_(targets) {
  const Architecture& a = instance.architecture;
  Node root;
  root.bounds.resize(targets.size());
  for (std::size_t m = 0; m < a.levels.size(); ++m) {
    const bool free = m < a.row_buffer() && a.levels[m].bypass_free;
    const TensorFlags may = a.storable(m);
    PerTensor<Stored> level{};
    for (std::size_t t = 0; t < kTensors; ++t) {
      level[t] = !may[t] ? Stored::no : free ? Stored::open : Stored::yes;
    }
    root.storage.push_back(level);
  }
  push(std::move(root));
}

/// Better bound first; among equals the deeper one, then the one made first.
bool StorageTree::later(const Node& a, const Node& b) {
  if (a.order != b.order) return a.order > b.order;
  const auto open = [](const Node& node) {
    return std::count_if(node.storage.begin(), node.storage.end(), [](const auto& level) {
      return std::find(level.begin(), level.end(), Stored::open) != level.end();
    });
  };
  const auto open_a = open(a);
  const auto open_b = open(b);
  return open_a != open_b ? open_a > open_b : a.id > b.id;
}

void StorageTree::push(Node node) {
  node.id = next_id_++;
  heap_.push_back(std::move(node));
  std::push_heap(heap_.begin(), heap_.end(), later);
}

std::optional<std::size_t> StorageTree::open_level(const Node& node) const {
  for (std::size_t m = 0; m < node.storage.size(); ++m) {
    const auto& level = node.storage[m];
    if (std::find(level.begin(), level.end(), Stored::open) != level.end()) return m;
  }
  return std::nullopt;
}

bool StorageTree::useful(const Node& node, const std::vector<const Wide*>& cutoffs) const {
  for (std::size_t k = 0; k < cutoffs.size(); ++k) {
    if (node.bounds[k] == Wide::infinity()) continue;
    if (cutoffs[k] == nullptr || node.bounds[k] < *cutoffs[k]) return true;
  }
  return false;
}

std::optional<StorageTree::Choice> StorageTree::next(const std::vector<const Wide*>& cutoffs) {
  while (!heap_.empty()) {
    std::pop_heap(heap_.begin(), heap_.end(), later);
    Node node = std::move(heap_.back());
    heap_.pop_back();
    if (!useful(node, cutoffs)) continue;
    if (const auto level = open_level(node)) {
      expand(std::move(node), *level, cutoffs);
      continue;
    }
    Choice choice;
    for (const auto& level : node.storage) choice.stores.push_back(decided(level));
    choice.bounds = std::move(node.bounds);
    return choice;
  }
  return std::nullopt;
}

void StorageTree::expand(Node node, std::size_t level, const std::vector<const Wide*>& cutoffs) {
  std::vector<Node> children;
  for (unsigned dropped = 0; dropped < 1U << kTensors; ++dropped) {
    Node child = node;
    bool valid = true;
    for (std::size_t t = 0; t < kTensors; ++t) {
      Stored& stored = child.storage[level][t];
      const bool drop = (dropped >> t & 1U) != 0;
      valid = valid && (stored == Stored::open || !drop);
      if (stored == Stored::open) stored = drop ? Stored::no : Stored::yes;
    }
    if (valid) children.push_back(std::move(child));
  }
  if (points_ != nullptr) {
    for (const Node& child : children) {
      for (std::size_t m = 0; m <= instance_.architecture.row_buffer(); ++m) {
        points_->prepare(m, decided(child.storage[m]));
      }
    }
    std::vector<Statistics> effort(children.size());
    search::parallel_for(children.size(),
                         [&](std::size_t k) { bound(children[k], cutoffs, effort[k]); });
    for (const Statistics& s : effort) {
      statistics_.solves += s.solves;
      statistics_.iterations += s.iterations;
    }
  }
  for (Node& child : children) {
    if (useful(child, cutoffs)) push(std::move(child));
  }
}

void StorageTree::bound(Node& node, const std::vector<const Wide*>& cutoffs,
                        Statistics& statistics) const {
  NodeBound bound(instance_, *points_, node.storage);
  node.order = 0;
  for (std::size_t k = 0; k < targets_.size(); ++k) {
    if (node.bounds[k] == Wide::infinity()) continue;
    if (cutoffs[k] != nullptr && node.bounds[k] >= *cutoffs[k]) {
      node.bounds[k] = Wide::infinity();
      continue;
    }
    node.bounds[k] = std::max(node.bounds[k], bound.of(targets_[k], cutoffs[k]));
    node.order += node.bounds[k].to_double();
  }
  statistics.solves += bound.relaxation().solves();
  statistics.iterations += bound.relaxation().iterations();
}

Wide StorageTree::open_bound(std::size_t k) const {
  Wide least = Wide::infinity();
  for (const Node& node : heap_) least = std::min(least, node.bounds[k]);
  return least;
}

std::uint64_t count_storage_choices(const Architecture& architecture) {
  unsigned bits = 0;
  for (std::size_t m = 0; m < architecture.row_buffer(); ++m) {
    const TensorFlags may = architecture.storable(m);
    if (architecture.levels[m].bypass_free) {
      bits += static_cast<unsigned>(std::count(may.begin(), may.end(), true));
    }
  }
  return std::uint64_t{1} << std::min(bits, 63U);
}

}  // namespace pimbb::mapper
