// Open nodes in the order in which the search takes them: best first, or depth first.
//
// Best first, they are in a heap: the least bound first, among equals the youngest, which is the
// deepest. Depth first, what is new goes onto a stack that is emptied before the heap is touched
// again: the heap no longer grows, and the stack holds little more than the siblings along the
// paths down from the nodes that were taken last. Both orders find the same optimum; the first
// needs the fewest nodes, the second the least memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace pimbb::search {

template <class Node, class Value>
class OpenList {
 public:
  struct Entry {
    Value bound;
    std::uint64_t id;
    std::uint32_t slot;
    bool labelled;  // known to the problem's dominance under this id
  };

  /// Bytes accounted for each open node.
  static constexpr std::uint64_t kNodeBytes = sizeof(Node) + sizeof(Entry);

  [[nodiscard]] bool empty() const { return heap_.empty() && stack_.empty(); }
  [[nodiscard]] std::uint64_t bytes() const { return (heap_.size() + stack_.size()) * kNodeBytes; }
  [[nodiscard]] bool depth_first() const { return depth_first_; }

  void depth_first(bool on) {
    depth_first_ = on;
    if (on) return;  // what is new goes elsewhere from now on
    for (Entry& entry : stack_) to_heap(std::move(entry));
    stack_.clear();
  }

  void push(Node&& node, std::uint64_t id, bool labelled) {
    const Value bound = node.bound();
    std::uint32_t slot = 0;
    if (free_.empty()) {
      slot = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back(std::move(node));
    } else {
      slot = free_.back();
      free_.pop_back();
      nodes_[slot] = std::move(node);
    }
    Entry entry{bound, id, slot, labelled};
    if (depth_first_) {
      stack_.push_back(std::move(entry));
    } else {
      to_heap(std::move(entry));
    }
  }

  /// The node to be taken next; the list is not empty.
  [[nodiscard]] const Entry& next() const { return stack_.empty() ? heap_.front() : stack_.back(); }
  [[nodiscard]] const Node& node(const Entry& entry) const { return nodes_[entry.slot]; }

  Node pop() {
    std::vector<Entry>& from = stack_.empty() ? heap_ : stack_;
    if (stack_.empty()) std::pop_heap(heap_.begin(), heap_.end(), later);
    const std::uint32_t slot = from.back().slot;
    from.pop_back();
    free_.push_back(slot);
    return std::move(nodes_[slot]);
  }

  /// The least bound of all, nothing if there is none.
  [[nodiscard]] std::optional<Value> least_bound() const {
    std::optional<Value> least;
    if (!heap_.empty()) least = heap_.front().bound;
    for (const Entry& entry : stack_) {
      if (!least || entry.bound < *least) least = entry.bound;
    }
    return least;
  }

  /// Forgets every node that `keep(entry)` does not want.
  template <class Keep>
  void purge(const Keep& keep) {
    const auto drop = [&](const Entry& entry) {
      if (keep(entry)) return false;
      free_.push_back(entry.slot);
      return true;
    };
    std::erase_if(heap_, drop);
    std::erase_if(stack_, drop);
    std::make_heap(heap_.begin(), heap_.end(), later);
  }

 private:
  static bool later(const Entry& a, const Entry& b) {
    if (a.bound != b.bound) return b.bound < a.bound;
    return a.id < b.id;
  }

  void to_heap(Entry&& entry) {
    heap_.push_back(std::move(entry));
    std::push_heap(heap_.begin(), heap_.end(), later);
  }

  std::deque<Node> nodes_;           // where nodes stay while they are open; never moved to grow
  std::vector<std::uint32_t> free_;  // unused places in it
  std::vector<Entry> heap_;
  std::vector<Entry> stack_;
  bool depth_first_ = false;
};

}  // namespace pimbb::search
