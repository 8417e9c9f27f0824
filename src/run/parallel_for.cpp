// What the loop adds to tbb::parallel_for is for the thread sanitizer only. Debian's libtbb is not
// instrumented, so the sanitizer sees neither that the bodies start after the loop was entered nor
// that they end before it is left, and takes every result for a race. The two fences below tell it
// just that; races of one body with another stay visible. They are global so that a body need not
// read anything, not even its own captures, before the fence.
#include "run/parallel_for.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#if defined(__SANITIZE_THREAD__)  // g++
#define PIMBB_THREAD_SANITIZER
#elif defined(__has_feature)  // clang
#if __has_feature(thread_sanitizer)
#define PIMBB_THREAD_SANITIZER
#endif
#endif

#ifdef PIMBB_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace pimbb::run {

std::size_t thread_room() {
  return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
}

#ifdef PIMBB_THREAD_SANITIZER
namespace {

char loop_entered = 0, body_done = 0;  // only their addresses matter

struct BodyFence {  // in constructors and destructors, for bodies that throw
  BodyFence() { __tsan_acquire(&loop_entered); }
  ~BodyFence() { __tsan_release(&body_done); }
};
struct LoopFence {
  LoopFence() { __tsan_release(&loop_entered); }
  ~LoopFence() { __tsan_acquire(&body_done); }
};

}  // namespace

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  const auto fenced = [&body](std::size_t k) {
    const BodyFence fence;
    body(k);
  };
  const LoopFence fence;
  tbb::parallel_for(std::size_t{0}, count, fenced);
}
#else
void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  tbb::parallel_for(std::size_t{0}, count, [&body](std::size_t k) { body(k); });
}
#endif

}  // namespace pimbb::run
