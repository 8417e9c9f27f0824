// For the thread sanitizer: that TBB's tasks begin after they were started, and end before they
// were waited for.
//
// Debian's libtbb is not instrumented, so the sanitizer sees neither and takes every result for a
// race. The two fences tell it just that; races of one body with another stay visible. They are
// global so that a body need not read anything, not even its own captures, before the fence. They
// act in constructors and destructors, for bodies that throw. Without the sanitizer they do
// nothing.
#pragma once

#include "run/sanitizers.hpp"

#ifdef PIMBB_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace pimbb::run {

#ifdef PIMBB_THREAD_SANITIZER

namespace fence {
inline char tasks_started = 0, task_done = 0;  // only their addresses matter
}

struct [[nodiscard]] BodyFence {  // lives as long as the body of a task
  BodyFence() { __tsan_acquire(&fence::tasks_started); }
  ~BodyFence() { __tsan_release(&fence::task_done); }
};
struct [[nodiscard]] StartFence {  // before tasks are started
  StartFence() { __tsan_release(&fence::tasks_started); }
};
struct [[nodiscard]] LoopFence : StartFence {  // around the start and the wait
  ~LoopFence() { __tsan_acquire(&fence::task_done); }
};

#else

struct [[maybe_unused]] BodyFence {};
struct [[maybe_unused]] StartFence {};
struct [[maybe_unused]] LoopFence {};

#endif

}  // namespace pimbb::run
