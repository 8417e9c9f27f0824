// Each thread takes the next index when it is done with one, so that bodies end nearly in the order
// of their indices, and what follows them seldom waits for a slow one at the end.
#include "run/pipeline.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "run/parallel_for.hpp"

namespace pimbb::run {
namespace {

/// What follows the bodies, in their order. Whichever thread finds the next one due takes its turn;
/// no thread waits for another.
class InOrder {
 public:
  InOrder(std::size_t count, const std::function<void(std::size_t)>& after)
      : done_(count), after_(after) {}

  void done(std::size_t k) {
    done_[k] = true;
    // Sequentially consistent: either this thread finds the turn free, or the one that has it finds
    // that k is done when it has given the turn back.
    for (bool due = true; due && !taken_.exchange(true);) {
      while (is_due(next_)) after_(next_++);
      const std::size_t next = next_;  // which is another thread's from now on
      taken_ = false;
      due = is_due(next);
    }
  }

 private:
  [[nodiscard]] bool is_due(std::size_t k) const { return k < done_.size() && done_[k]; }

  std::vector<std::atomic<bool>> done_;
  const std::function<void(std::size_t)>& after_;
  std::atomic<bool> taken_ = false;  // the turn
  std::size_t next_ = 0;             // of the thread that has the turn
};

}  // namespace

void pipeline(std::size_t count, const std::function<void(std::size_t)>& body,
              const std::function<void(std::size_t)>& after) {
  InOrder in_order(count, after);
  std::atomic<std::size_t> next = 0;
  parallel_for(std::min(count, thread_room()), [&](std::size_t) {
    for (std::size_t k = next++; k < count; k = next++) {
      body(k);
      in_order.done(k);
    }
  });
}

}  // namespace pimbb::run
