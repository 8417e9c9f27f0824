// The classes of least cost among all that are offered, and how many there are.
//
// A class is a set of solutions that a reader takes for one; it has a cost, a canonical text and a
// number of members. The list keeps the `most` classes of least cost; among equal costs those whose
// text comes first. It depends neither on the order in which classes are offered nor on how they
// are divided among lists that are merged later.
//
// What is counted: classes and members of every cost up to the last one listed, so that the members
// of the optimum and the ties at the end of the list are known; and of everything together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "exact/int128.hpp"

namespace pimbb::answers {

/// A number of solutions. Throws std::overflow_error beyond 128 bits.
inline UInt128 counted(UInt128 a, UInt128 b) {
  UInt128 sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) throw std::overflow_error("more than 2^128 solutions");
  return sum;
}
inline UInt128 multiplied(UInt128 a, UInt128 b) {
  UInt128 product = 0;
  if (__builtin_mul_overflow(a, b, &product)) {
    throw std::overflow_error("more than 2^128 solutions");
  }
  return product;
}

struct Tally {
  std::uint64_t classes = 0;
  UInt128 members = 0;
  Tally& operator+=(const Tally& other) {
    classes += other.classes;
    members = counted(members, other.members);
    return *this;
  }
};

template <class Cost, class Item>
class Best {
 public:
  using Key = std::pair<Cost, std::string>;

  /// `limit`: classes of greater cost are of no use; nothing: there is none. `listed_only`: once
  /// the list is full, classes that cost more than its last one are of no use either.
  Best(std::size_t most, std::optional<Cost> limit, bool listed_only)
      : most_(most), limit_(std::move(limit)), listed_only_(listed_only) {}

  /// The greatest cost that is of use; null: any.
  [[nodiscard]] const Cost* cutoff() const {
    const Cost* limit = limit_ ? &*limit_ : nullptr;
    if (!listed_only_ || !full()) return limit;
    const Cost& last = list_.rbegin()->first.first;
    return limit != nullptr && *limit < last ? limit : &last;
  }
  [[nodiscard]] bool is_of_use(const Cost& cost) const {
    const Cost* most = cutoff();
    return most == nullptr || cost <= *most;
  }

  /// Adds classes of equal cost. `each` is called if some of them may be listed, with a function
  /// offer(text, item) for each class.
  template <class Each>
  void add(const Cost& cost, const Tally& tally, const Each& each) {
    if (!is_of_use(cost)) return;
    all_ += tally;
    if (full() && cost > list_.rbegin()->first.first) return;
    tallies_[cost] += tally;
    each([&](std::string text, auto&& make) {
      if (full() && std::tie(cost, text) >= tied_to_last()) return;
      list_.emplace(Key{cost, std::move(text)}, make());
      trim();
    });
  }

  /// Adds what another list holds, of other classes.
  void merge(Best&& other) {
    all_ += other.all_;
    for (const auto& [cost, tally] : other.tallies_) tallies_[cost] += tally;
    list_.merge(other.list_);
    trim();
  }

  [[nodiscard]] const std::map<Key, Item>& list() const { return list_; }
  [[nodiscard]] bool full() const { return list_.size() >= most_; }
  /// Of all classes that were of use when they were offered.
  [[nodiscard]] const Tally& all() const { return all_; }
  /// Of the least cost.
  [[nodiscard]] Tally least() const {
    return tallies_.empty() ? Tally{} : tallies_.begin()->second;
  }
  /// Classes that cost as much as the last one listed, and are not listed themselves.
  [[nodiscard]] std::uint64_t tied() const {
    if (list_.empty()) return 0;
    const Cost& last = list_.rbegin()->first.first;
    std::uint64_t listed = 0;
    for (auto it = list_.rbegin(); it != list_.rend() && it->first.first == last; ++it) ++listed;
    return tallies_.at(last).classes - listed;
  }

 private:
  [[nodiscard]] std::tuple<const Cost&, const std::string&> tied_to_last() const {
    const Key& last = list_.rbegin()->first;
    return {last.first, last.second};
  }
  void trim() {
    while (list_.size() > most_) list_.erase(std::prev(list_.end()));
    if (full()) tallies_.erase(tallies_.upper_bound(list_.rbegin()->first.first), tallies_.end());
  }

  std::size_t most_;
  std::optional<Cost> limit_;
  bool listed_only_;
  std::map<Key, Item> list_;
  std::map<Cost, Tally> tallies_;
  Tally all_;
};

}  // namespace pimbb::answers
