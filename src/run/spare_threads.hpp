// Threads that have nothing else to do.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace pimbb::run {

/// Work for those of TBB's threads that no parallel loop wants, so that there are never more
/// threads than those that loops may have. What is given to them never runs inside of a loop that
/// some thread waits for.
class SpareThreads {
 public:
  /// At most so many at once; with 0 there are none.
  explicit SpareThreads(std::size_t most);
  SpareThreads(const SpareThreads&) = delete;
  SpareThreads& operator=(const SpareThreads&) = delete;
  /// Waits until all that was begun has ended.
  ~SpareThreads();

  [[nodiscard]] std::size_t most() const { return most_; }
  /// Has `body`, which must not throw, called when there is such a thread.
  void begin(std::function<void()> body);

 private:
  struct Arena;

  std::size_t most_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace pimbb::run
