// Work for threads that would wait for the next parallel loop.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

namespace pimbb::run {

/// TBB's threads but the one that gives them work, so that there are never more threads than
/// parallel loops may have. They do this work before they join a loop, and no thread does it while
/// it waits for one.
class SpareThreads {
 public:
  /// At most so many at once; with 0 there are none.
  explicit SpareThreads(std::size_t most);
  SpareThreads(const SpareThreads&) = delete;
  SpareThreads& operator=(const SpareThreads&) = delete;
  /// Waits until all that was begun has ended.
  ~SpareThreads();

  [[nodiscard]] std::size_t most() const { return most_; }
  /// Has `body`, which must not throw, called as soon as one of them is free.
  void begin(std::function<void()> body);

 private:
  struct Arena;

  std::size_t most_;
  std::unique_ptr<Arena> arena_;
};

}  // namespace pimbb::run
