// The open nodes of branch and bound, best first or depth first.
//
// Best first, the nodes are in a heap (best_first.hpp): least bound first, and among equal bounds
// the youngest node, which is the deepest. Depth first, new nodes are put on a stack, which is
// emptied before the heap is used again: the heap does not grow, and the stack contains little more
// than the siblings along the current paths. Both orders find the same optimum; the first needs the
// fewest nodes, the second the least memory.
//
// Nodes are not moved while they are open; heap and stack contain entries that refer to them.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "search/best_first.hpp"

namespace pimbb::search {

template <class Node, class Value>
class OpenList {
  struct Place {
    std::uint32_t slot;
    std::uint16_t bytes;  // accounted
    bool labelled;
  };
  using Heap = BestFirst<Place, Value, YoungestFirst>;

 public:
  class Entry {
   public:
    [[nodiscard]] const Value& bound() const { return entry_.bound; }
    [[nodiscard]] std::uint64_t id() const { return entry_.rank.id; }
    /// Whether the node has a dominance label with this id.
    [[nodiscard]] bool labelled() const { return entry_.part.labelled; }

   private:
    friend class OpenList;
    explicit Entry(const typename Heap::Entry& entry) : entry_(entry) {}
    const typename Heap::Entry& entry_;
  };

  /// Bytes accounted for each open node, without what it refers to.
  static constexpr std::uint64_t kNodeBytes = sizeof(Node) + sizeof(typename Heap::Entry);
  /// Bytes accounted for this node.
  [[nodiscard]] static std::uint16_t bytes_of(const Node& node) {
    std::uint64_t bytes = kNodeBytes;
    if constexpr (requires { node.referred_bytes(); }) bytes += node.referred_bytes();
    assert(bytes <= UINT16_MAX);
    return static_cast<std::uint16_t>(bytes);
  }

  [[nodiscard]] bool empty() const { return heap_.empty() && stack_.empty(); }
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] bool depth_first() const { return depth_first_; }

  void depth_first(bool on) {
    depth_first_ = on;
    if (on) return;  // from now on new nodes are put on the stack
    for (auto& entry : stack_) heap_.push(std::move(entry));
    stack_.clear();
  }

  void push(Node&& node, std::uint64_t id, bool labelled) {
    const Value bound = node.bound();
    const std::uint16_t bytes = bytes_of(node);
    bytes_ += bytes;
    typename Heap::Entry entry{bound, {id}, {store(std::move(node)), bytes, labelled}};
    if (depth_first_) {
      stack_.push_back(std::move(entry));
    } else {
      heap_.push(std::move(entry));
    }
    assert(is_complete());
  }

  /// The next node; the list must not be empty.
  [[nodiscard]] Entry next() const { return Entry(stack_.empty() ? heap_.front() : stack_.back()); }
  /// Whether no node has a lesser bound than the next one.
  [[nodiscard]] bool next_is_least() const { return stack_.empty(); }
  [[nodiscard]] const Node& node(const Entry& entry) const {
    return nodes_[entry.entry_.part.slot];
  }

  /// A node taken out of the list, which stays where it is until it is released.
  struct Taken {
    Node* node = nullptr;
    std::uint32_t slot = 0;
  };
  /// The next node; the list must not be empty.
  Taken take() {
    assert(!empty());
    Place place{};
    if (stack_.empty()) {
      place = heap_.pop().part;
    } else {
      place = stack_.back().part;
      stack_.pop_back();
    }
    bytes_ -= place.bytes;
    ++taken_;
    assert(is_complete());
    return {&nodes_[place.slot], place.slot};
  }
  void release(const Taken& taken) {
    assert(taken_ > 0);
    --taken_;
    empty_slot(taken.slot);
    assert(is_complete());
  }

  /// The least bound of all, nothing if there is none.
  [[nodiscard]] std::optional<Value> least_bound() const {
    std::optional<Value> least = heap_.least_bound();
    for (const auto& entry : stack_) {
      if (!least || entry.bound < *least) least = entry.bound;
    }
    return least;
  }

  /// Removes every node for which `keep(entry)` is false.
  template <class Keep>
  void purge(const Keep& keep) {
    const auto stays = [&](const typename Heap::Entry& entry) {
      if (keep(Entry(entry))) return true;
      bytes_ -= entry.part.bytes;
      empty_slot(entry.part.slot);
      return false;
    };
    heap_.purge(stays);
    std::erase_if(stack_, [&](const auto& entry) { return !stays(entry); });
    assert(is_complete());
  }

 private:
  /// Whether every place belongs to one entry, is taken or is free.
  [[nodiscard]] bool is_complete() const {
    return free_.size() + taken_ + heap_.size() + stack_.size() == nodes_.size();
  }

  void empty_slot(std::uint32_t slot) {
    [[maybe_unused]] const Node gone = std::move(nodes_[slot]);  // with what it refers to
    free_.push_back(slot);
  }

  std::uint32_t store(Node&& node) {
    if (free_.empty()) {
      nodes_.push_back(std::move(node));
      return static_cast<std::uint32_t>(nodes_.size() - 1);
    }
    const std::uint32_t slot = free_.back();
    free_.pop_back();
    nodes_[slot] = std::move(node);
    return slot;
  }

  std::deque<Node> nodes_;           // open nodes, which are never moved
  std::vector<std::uint32_t> free_;  // unused places in it
  std::uint64_t bytes_ = 0;          // accounted for those in heap and stack
  std::size_t taken_ = 0;            // places of nodes that were taken
  Heap heap_;
  std::vector<typename Heap::Entry> stack_;
  bool depth_first_ = false;
};

}  // namespace pimbb::search
