// An arena of TBB that only its workers enter.
#include "run/spare_threads.hpp"

#include <tbb/task_arena.h>

#include <condition_variable>
#include <mutex>
#include <utility>

#include "run/tbb_fence.hpp"

namespace pimbb::run {

struct SpareThreads::Arena {
  explicit Arena(std::size_t threads)
      : arena(static_cast<int>(threads), 0, tbb::task_arena::priority::high) {}

  tbb::task_arena arena;
  std::mutex mutex;
  std::condition_variable ended;
  std::size_t begun = 0;  // and not ended
};

SpareThreads::SpareThreads(std::size_t most) : most_(most) {
  if (most > 0) arena_ = std::make_unique<Arena>(most);
}

SpareThreads::~SpareThreads() {
  if (arena_ == nullptr) return;
  std::unique_lock lock(arena_->mutex);
  arena_->ended.wait(lock, [this] { return arena_->begun == 0; });
}

void SpareThreads::begin(std::function<void()> body) {
  Arena& arena = *arena_;
  {
    const std::lock_guard lock(arena.mutex);
    ++arena.begun;
  }
  const StartFence start;
  arena.arena.enqueue([&arena, body = std::move(body)] {
    const BodyFence fence;
    body();
    const std::lock_guard lock(arena.mutex);
    --arena.begun;
    arena.ended.notify_all();
  });
}

}  // namespace pimbb::run
