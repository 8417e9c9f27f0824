// tbb::parallel_for, shown to the thread sanitizer.
#include "run/parallel_for.hpp"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>

#include <algorithm>

#include "run/tbb_fence.hpp"

namespace pimbb::run {

std::size_t thread_room() {
  return static_cast<std::size_t>(tbb::this_task_arena::max_concurrency());
}

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body) {
  const LoopFence loop;
  // Isolated: TBB cancels the loops within one that has failed, and they return as if all were
  // done.
  tbb::task_group_context context(tbb::task_group_context::isolated);
  const auto fenced = [&body](std::size_t k) {
    const BodyFence fence;
    body(k);
  };
  tbb::parallel_for(std::size_t{0}, count, fenced, context);
}

void for_each_chunk(std::size_t count, std::size_t size,
                    const std::function<void(const Chunk&)>& body) {
  parallel_for(chunk_count(count, size), [&](std::size_t k) {
    body({k, k * size, std::min(count, (k + 1) * size)});
  });
}

}  // namespace pimbb::run
