// Best-first search: the open parts of a space, least bound first.
//
// Every part has a lower bound on all its solutions. The search takes the part of least bound,
// splits or completes it, and puts the remaining parts back. This order has three properties:
//
//   - the taken part has the least bound of all, so when this bound is not below the best known
//   value
//     (the cutoff), no open part is, and the search is complete;
//   - the least bound of all open parts, and of those left open because of a limit, is at any time
//   a
//     proven bound on the whole space;
//   - no part with a bound above the optimum is taken; no other order has this property.
//
// Parts of equal bound are taken in the order of a `Rank` that the search assigns, lesser first. No
// two parts have equal bound and rank, so the order and the tree are the same in every run.
//
// Four searches use this list: storage choices (dram_pim/storage/storage_tree.hpp), agreements of
// the layers of a network (dram_pim/network/agreement.hpp), the least product of two sums
// (least_product.hpp), and the open nodes of branch and bound (open_list.hpp). The last one must
// also limit its memory and keep all threads busy, so it adds a depth-first order and rounds of
// nodes. The others take one part at a time, because splitting a part is expensive and parallel in
// itself: a part taken too early would cost more than an idle thread.
#pragma once

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace pimbb::search {

/// A rank that puts the part with the greatest number first, which is the deepest one if parts are
/// numbered when they are created. A plain number as rank puts the oldest part first.
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

  /// The next part; the list must not be empty.
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
  /// The next part if its bound is below `cutoff` (null: any bound). Otherwise no open part is, and
  /// all parts are dropped.
  std::optional<Entry> next(const Bound* cutoff = nullptr) {
    if (!empty() && cutoff != nullptr && !(front().bound < *cutoff)) heap_.clear();
    if (empty()) return std::nullopt;
    return pop();
  }

  /// Drops every part for which `keep(entry)` is false.
  template <class Keep>
  void purge(const Keep& keep) {
    std::erase_if(heap_, [&](const Entry& entry) { return !keep(entry); });
    std::make_heap(heap_.begin(), heap_.end(), Later());
  }

  /// Records that a part with this bound was not completed.
  void leave_open(const Bound& bound) {
    if (!left_open_ || bound < *left_open_) left_open_ = bound;
  }
  /// A bound on all parts that are not completed: open parts, and those left open. Nothing if there
  /// are none.
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
