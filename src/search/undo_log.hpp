// What was in places before suppositions were written there.
//
// One supposition follows from the other: the first one may turn out to be true, and then stays; if
// it is not, none of them is worth anything, and all places have again what they had before.
#pragma once

#include <deque>
#include <utility>
#include <vector>

namespace pimbb::search {

template <class T>
class UndoLog {
 public:
  /// What is written from now on follows from one more supposition.
  void suppose() { levels_.emplace_back(); }
  [[nodiscard]] bool supposes() const { return !levels_.empty(); }
  /// Before `place` is written; it has to exist until the supposition is confirmed or retracted.
  void keep(T& place) {
    if (supposes()) levels_.back().emplace_back(&place, place);
  }
  /// The first supposition is true.
  void confirm() { levels_.pop_front(); }
  /// The first supposition is not true.
  void retract() {
    for (; !levels_.empty(); levels_.pop_back()) {
      Level& last = levels_.back();
      for (; !last.empty(); last.pop_back()) *last.back().first = std::move(last.back().second);
    }
  }

 private:
  using Level = std::vector<std::pair<T*, T>>;
  std::deque<Level> levels_;
};

}  // namespace pimbb::search
