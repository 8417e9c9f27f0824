// An arena of TBB, and as many workers as it has room for.
#include "run/on_threads.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cstddef>
#include <new>

namespace pimbb::run {
namespace {

/// Where memory ends within TBB's first arena, it keeps a lock that the end of a global_control
/// waits for. This arena has no workers, so that none are asked for before they are allowed.
void begin_tbb() {
  tbb::task_arena first(1);
  first.initialize();
}

}  // namespace

struct SharedCores::Allowed {
  explicit Allowed(int threads)
      : control(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads)) {}
  tbb::global_control control;
};

SharedCores::SharedCores(int threads, int runs) : threads_(threads), runs_(runs) {
  begin_tbb();
  allow();
}

SharedCores::~SharedCores() = default;

void SharedCores::end_one() noexcept {
  const std::scoped_lock lock(mutex_);
  --runs_;
  try {
    allow();
  } catch (const std::bad_alloc&) {
    // The others go on with fewer threads.
  }
}

/// One more than the workers: a loop's own thread counts. The new number is there before the old
/// one goes, so that no more are allowed in between.
void SharedCores::allow() {
  allowed_ = std::make_unique<Allowed>(std::max(1, threads_ - runs_ + 1));
}

void on_threads(int threads, const std::function<void()>& body) {
  begin_tbb();
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  arena.execute(body);
}

}  // namespace pimbb::run
