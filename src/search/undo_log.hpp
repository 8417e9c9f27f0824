// What was in places before suppositions were written there.
//
// One supposition follows from the other: the first one may turn out to be true, and then stays; if
// it is not, none of them is worth anything, and all places have again what they had before.
#pragma once

#include <deque>
#include <tuple>
#include <utility>
#include <vector>

namespace pimbb::search {

/// For places of these types.
template <class... Ts>
class UndoLog {
 public:
  /// What is written from now on follows from one more supposition.
  void suppose() { levels_.emplace_back(); }
  [[nodiscard]] bool supposes() const { return !levels_.empty(); }
  /// Before `place` is written; it has to exist until the supposition is confirmed or retracted.
  template <class T>
  void keep(T& place) {
    if (supposes()) std::get<Kept<T>>(levels_.back()).emplace_back(&place, place);
  }
  /// The first supposition is true.
  void confirm() { levels_.pop_front(); }
  /// The first supposition is not true.
  void retract() {
    for (; supposes(); levels_.pop_back()) (put_back(std::get<Kept<Ts>>(levels_.back())), ...);
  }

 private:
  template <class T>
  using Kept = std::vector<std::pair<T*, T>>;

  template <class T>
  static void put_back(Kept<T>& kept) {
    for (; !kept.empty(); kept.pop_back()) *kept.back().first = std::move(kept.back().second);
  }

  std::deque<std::tuple<Kept<Ts>...>> levels_;
};

}  // namespace pimbb::search
