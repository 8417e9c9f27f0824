// Dominance: of two nodes in the same state, one that costs no more in any respect is enough.
//
// Two nodes in the same state (level, tile, stationary tensor, anchor) have the same completions
// with the same further costs, because every cost below the row buffer's loops depends on the state
// and on the decisions still to come, and the objective grows with every component of the sums. So
// a node whose sums are nowhere smaller than those of another one can go. Row activations must be
// part of the sums: where they are not known yet (row_pricing.hpp), nothing is compared.
//
// What has been seen is remembered as labels. When their memory is full, new nodes are still
// compared with the labels there are, and then stay open without one.
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
  /// `room`: bytes that labels may take. Keeps a reference to the target.
  Dominance(const Target& target, std::size_t open_count, std::uint64_t room)
      : target_(target), open_count_(open_count), room_(room) {}

  /// Whether a node is to stay, and with which label.
  search::Admission admit(const PartialMapping& node, std::uint64_t id);
  /// Whether no other node has dominated a labelled one since.
  [[nodiscard]] bool alive(const PartialMapping& node, std::uint64_t id) const;
  /// Of the labels: states with their places in the table, and what is known of each.
  [[nodiscard]] std::uint64_t bytes() const {
    return labels_.size() * kStateBytes + label_count_ * sizeof(Label);
  }

 private:
  struct Label {
    std::uint64_t id;
    Sums sums;
  };
  /// A state in the hash table: its node, with link and hash, and its bucket.
  static constexpr std::uint64_t kStateBytes =
      sizeof(std::uint64_t) + sizeof(std::vector<Label>) + 3 * sizeof(void*);

  [[nodiscard]] static std::uint64_t key(const PartialMapping& node);

  const Target& target_;
  std::size_t open_count_;
  std::uint64_t room_;
  std::unordered_map<std::uint64_t, std::vector<Label>> labels_;
  std::uint64_t label_count_ = 0;
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
