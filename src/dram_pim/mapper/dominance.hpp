// Dominance: a node is dropped if another node in the same state costs no more in any respect.
//
// Two nodes in the same state (level, tile, stationary tensor, anchor) have the same completions
// with the same further costs, because every cost below the row buffer's loops depends only on the
// state and on later decisions, and the objective is non-decreasing in every component of the sums.
// A node whose sums are nowhere smaller than those of another node can therefore be dropped. Row
// activations must be part of the sums: nodes are not compared while they are unknown
// (row_pricing.hpp).
//
// States and sums are stored as labels. When their memory is full, new nodes are still compared
// with the existing labels, but get no label themselves.
#pragma once

#include <algorithm>
#include <unordered_map>
#include <utility>
#include <vector>

#include "dram_pim/mapper/partial_mapping.hpp"
#include "dram_pim/mapper/target.hpp"
#include "search/branch_and_bound.hpp"

namespace pimbb::dram_pim::mapper {

class Dominance {
 public:
  /// Keeps a reference to the target.
  Dominance(const Target& target, std::size_t open_count)
      : target_(target), open_count_(open_count) {}
  /// The most bytes that labels may take from now on.
  void limit(std::uint64_t room) { room_ = room; }

  /// Whether a new node is dominated, and whether it gets a label.
  search::Admission admit(const PartialMapping& node, std::uint64_t id);
  /// Whether a labelled node is still undominated.
  [[nodiscard]] bool alive(std::uint64_t id) const { return id >= dead_.size() || !dead_[id]; }
  /// Bytes of the labels, including their places in the hash table, and of what is dead.
  [[nodiscard]] std::uint64_t bytes() const {
    return labels_.size() * kStateBytes + label_count_ * sizeof(Label) + dead_.size() / 8;
  }

 private:
  struct Label {
    std::uint64_t id = 0;
    Sums sums;
  };
  /// A state in the hash table: its node, with link and hash, and its bucket.
  static constexpr std::uint64_t kStateBytes =
      sizeof(std::uint64_t) + sizeof(std::vector<Label>) + 3 * sizeof(void*);

  void bury(std::uint64_t id);
  [[nodiscard]] static std::uint64_t key(const PartialMapping& node);

  const Target& target_;
  std::size_t open_count_;
  std::uint64_t room_ = run::kUnlimited;
  std::unordered_map<std::uint64_t, std::vector<Label>> labels_;
  std::uint64_t label_count_ = 0;
  std::vector<bool> dead_;  // by the id of a node that had a label
};

/// Whether one of `kept` beats `item`.
template <class Item, class Beats>
bool is_beaten(const std::vector<Item>& kept, const Item& item, const Beats& beats) {
  return std::any_of(kept.begin(), kept.end(),
                     [&](const Item& other) { return beats(other, item); });
}

/// Adds an item that none of `kept` beats, in place of those that it beats.
template <class Item, class Beats>
void add_unbeaten(std::vector<Item>& kept, Item item, const Beats& beats) {
  std::erase_if(kept, [&](const Item& other) { return beats(item, other); });
  kept.push_back(std::move(item));
}

}  // namespace pimbb::dram_pim::mapper
