// An arena of TBB, and as many workers as it has room for.
#include "run/on_threads.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <cstddef>
#include <optional>

namespace pimbb::run {

void on_threads(int threads, const std::function<void()>& body) {
  // Where memory ends within TBB's first arena, it keeps a lock that the end of a global_control
  // waits for. This arena has no workers, so that none are asked for before they are allowed.
  tbb::task_arena first(1);
  first.initialize();
  std::optional<tbb::global_control> allowed;
  if (threads > 1) {  // with one, the arena has no workers, and others may have theirs
    allowed.emplace(tbb::global_control::max_allowed_parallelism,
                    static_cast<std::size_t>(threads));
  }
  tbb::task_arena arena(threads);
  arena.execute(body);
}

}  // namespace pimbb::run
