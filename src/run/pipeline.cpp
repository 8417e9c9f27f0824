// Each thread takes the next few numbers when it is done with those that it has, so that bodies end
// nearly in the order of their numbers, and what follows them seldom waits for a slow one. A thread
// that finds no number leaves, so that it can work elsewhere; whoever makes new numbers known calls
// threads in again.
//
// Bodies may be as short as some microseconds, and what one core has written takes a good part of
// one to reach another. Therefore numbers are taken and given back several at a time, and what is
// written by different threads is on different cache lines.
#include "run/pipeline.hpp"

#include <tbb/task_group.h>

#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "run/parallel_for.hpp"
#include "run/tbb_fence.hpp"

namespace pimbb::run {
namespace {

// All atomics are sequentially consistent: where a thread writes one and then reads another, and a
// second thread the other way round, at least one of them must see what the other wrote.
class Pipeline {
 public:
  Pipeline(std::size_t ahead, const PipelineSteps& steps)
      : steps_(steps), room_(thread_room()), done_(std::max<std::size_t>(ahead, 1)) {}

  static bool others_may_idle() {
    return running_here == nullptr || running_here->unclaimed() == 0;
  }

  void run() {
    const LoopFence loop;
    known_.is = steps_.known();
    call_threads(unclaimed());
    tasks_.wait();
  }

 private:
  /// Bodies after which a thread looks for other work first, such as the end of a loop that it is
  /// waiting for: TBB may have it work here meanwhile.
  static constexpr std::size_t kTurn = 64;
  static constexpr std::size_t kAtOnce = 8;  // numbers

  [[nodiscard]] std::size_t unclaimed() const {
    const std::size_t claimed = claimed_.is;  // read first: it never passes `known_`
    return known_.is - claimed;
  }

  /// Has at most so many more threads work, as far as there is room.
  void call_threads(std::size_t most) {
    for (; most > 0 && enter(); --most) start();
  }
  bool enter() {
    std::size_t inside = inside_.is;
    while (inside < room_) {
      if (inside_.is.compare_exchange_weak(inside, inside + 1)) return true;
    }
    return false;
  }
  void start() {
    auto task = tasks_.defer([&self = *this] {  // `this` would be read before the fence
      const BodyFence body;
      self.work();
    });
    const StartFence made;
    tasks_.run(std::move(task));
  }

  /// The innermost pipeline with a body on this thread.
  static inline thread_local const Pipeline* running_here = nullptr;
  class RunningHere {
   public:
    explicit RunningHere(const Pipeline* pipeline) { running_here = pipeline; }
    RunningHere(const RunningHere&) = delete;
    RunningHere& operator=(const RunningHere&) = delete;
    ~RunningHere() { running_here = around_; }

   private:
    const Pipeline* around_ = running_here;
  };

  /// What each thread does inside.
  void work() {
    const RunningHere here(this);
    do {
      for (std::size_t turn = 0; turn < kTurn;) {
        if (steps_.aside) steps_.aside();
        const Range mine = claim();
        if (mine.begin == mine.end) break;
        for (std::size_t k = mine.begin; k < mine.end; ++k) steps_.body(k);
        done(mine);
        turn += mine.end - mine.begin;
        if (turn >= kTurn) return start();  // in the place of this task
      }
      --inside_.is;
    } while (unclaimed() > 0 && enter());  // made known while this thread was leaving
  }

  struct Range {
    std::size_t begin;
    std::size_t end;
  };

  /// The next numbers, fewer where few are left; none if there are none.
  Range claim() {
    std::size_t begin = claimed_.is;
    while (true) {
      const std::size_t left = known_.is - begin;
      if (left == 0) return {begin, begin};
      const std::size_t end = begin + std::clamp<std::size_t>(left / (2 * room_), 1, kAtOnce);
      if (claimed_.is.compare_exchange_weak(begin, end)) return {begin, end};
    }
  }

  /// These bodies are done. Whichever thread finds the next one due takes its turn; none waits for
  /// another: either this thread finds the turn free, or the one that has it finds that these are
  /// done when it has given the turn back.
  void done(const Range& bodies) {
    for (std::size_t k = bodies.begin; k < bodies.end; ++k) done_[k % done_.size()] = k + 1;
    for (bool due = true; due && !taken_.is.exchange(true);) {
      while (is_due(next_)) follow();
      const std::size_t next = next_;  // which is another thread's from now on
      taken_.is = false;
      due = is_due(next);
    }
  }
  [[nodiscard]] bool is_due(std::size_t k) const { return done_[k % done_.size()] == k + 1; }

  /// Some of what is due, and then new numbers.
  void follow() {
    std::size_t known = 0;
    for (std::size_t k = 0; k < kAtOnce && is_due(next_); ++k) {
      steps_.after(next_++);
      known = steps_.known();
    }
    if (known == known_.is) return;
    known_.is = known;
    if (const std::size_t more = unclaimed(); more > 1) call_threads(more - 1);  // one for this one
  }

  template <class T>
  struct alignas(64) Alone {  // on its cache line
    std::atomic<T> is{};
  };

  const PipelineSteps& steps_;
  const std::size_t room_;                      // for threads
  std::vector<std::atomic<std::size_t>> done_;  // k + 1 at k modulo its size
  // Isolated, for the reason given in parallel_for.cpp.
  tbb::task_group_context context_{tbb::task_group_context::isolated,
                                   tbb::task_group_context::concurrent_wait};
  tbb::task_group tasks_{context_};
  Alone<std::size_t> known_;    // numbers
  Alone<std::size_t> claimed_;  // numbers that bodies were called with
  Alone<std::size_t> inside_;   // threads that work or were called
  Alone<bool> taken_;           // the turn
  std::size_t next_ = 0;        // of the thread that has the turn
};

}  // namespace

void pipeline(std::size_t ahead, const PipelineSteps& steps) { Pipeline(ahead, steps).run(); }

bool others_may_idle() { return Pipeline::others_may_idle(); }

}  // namespace pimbb::run
