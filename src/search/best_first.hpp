// Best-first search: the open parts of a space, the one of least bound next.
//
// Every part has a lower bound on whatever is in it. The search takes the part of least bound,
// splits it or finishes it, and puts what is left back. Three facts make this the order of choice
// where there is room for the list:
//
//   - what is taken has the least bound of all, so that as soon as this bound is not below the
//     best value known (the cutoff), nothing open is: the search is over;
//   - the least bound of what is open, and of what was left open for want of time, is a proven
//     bound on the whole space at any moment;
//   - no part is taken whose bound is above the optimum, which no other order can promise.
//
// Parts of equal bound are taken in the order of a `Rank` that the search gives them, lesser first.
// No two parts have both equal: then the order, and with it the tree, is the same on every run.
//
// Four searches share this list: storage choices (dram_pim/storage/storage_tree.hpp), agreements of
// the layers of a network (dram_pim/network/agreement.hpp), the least product of two sums
// (least_product.hpp), and the open nodes of branch and bound (open_list.hpp), which also has to
// bound its memory and to keep all threads busy, and therefore adds an order of its own and rounds
// of nodes. The first three take one part at a time, because splitting one is parallel in itself
// and expensive: a part taken too early would cost more than a thread that waits.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pimbb::search {

/// A rank that puts the part of the greatest number first: the deepest, if numbers are given out
/// as parts are made. A plain number as rank puts the oldest first.
struct YoungestFirst {
  std::uint64_t id = 0;
  friend bool operator<(YoungestFirst a, YoungestFirst b) { return b.id < a.id; }
};

template <class Part, class Bound, class Rank = std::uint64_t>
class BestFirst {
 public:
  struct Entry {
    Bound bound;
    Rank rank;
    Part part;
  };

  [[nodiscard]] bool empty() const { return heap_.empty(); }
  [[nodiscard]] std::size_t size() const { return heap_.size(); }
  void clear() {
    heap_.clear();
    left_open_.reset();
  }

  /// `rank` differs from that of every open part of the same bound.
  void push(Bound bound, Rank rank, Part part) {
    push(Entry{std::move(bound), std::move(rank), std::move(part)});
  }
  void push(Entry entry) {
    heap_.push_back(std::move(entry));
    std::push_heap(heap_.begin(), heap_.end(), Later());
  }

  /// The part to be taken next; there is one.
  [[nodiscard]] const Entry& front() const {
    assert(!empty());
    return heap_.front();
  }
  Entry pop() {
    assert(!empty());
    std::pop_heap(heap_.begin(), heap_.end(), Later());
    Entry entry = std::move(heap_.back());
    heap_.pop_back();
    assert(empty() || Later()(front(), entry));  // strictly: ties would be broken by chance
    return entry;
  }
  /// The part to be taken next if its bound is below `cutoff` (null: whatever its bound is). If it
  /// is not, nothing open is, and all of it is dropped.
  std::optional<Entry> next(const Bound* cutoff = nullptr) {
    if (!empty() && cutoff != nullptr && !(front().bound < *cutoff)) heap_.clear();
    if (empty()) return std::nullopt;
    return pop();
  }

  /// Drops every part that `keep(entry)` does not want.
  template <class Keep>
  void purge(const Keep& keep) {
    std::erase_if(heap_, [&](const Entry& entry) { return !keep(entry); });
    std::make_heap(heap_.begin(), heap_.end(), Later());
  }

  /// Notes that a part with this bound was given up before its end.
  void leave_open(const Bound& bound) {
    if (!left_open_ || bound < *left_open_) left_open_ = bound;
  }
  /// A bound on all that was not searched to its end: open parts, and those left open. Nothing if
  /// there are none.
  [[nodiscard]] std::optional<Bound> least_bound() const {
    if (empty() || (left_open_ && *left_open_ < front().bound)) return left_open_;
    return front().bound;
  }

 private:
  struct Later {
    bool operator()(const Entry& a, const Entry& b) const {
      if (b.bound < a.bound) return true;
      return !(a.bound < b.bound) && b.rank < a.rank;
    }
  };

  std::vector<Entry> heap_;
  std::optional<Bound> left_open_;  // the least of them
};

}  // namespace pimbb::search
