// An arena for the threads, and messages for the two exceptions of a guard.
#include "run/limited.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>

#include <string>

#include "pimbb/error.hpp"
#include "run/guard.hpp"
#include "run/threads.hpp"

namespace pimbb::run {

void limited(const RunLimits& limits, std::string_view what, const std::function<void()>& body) {
  const int threads = thread_count(limits);
  const tbb::global_control allowed(tbb::global_control::max_allowed_parallelism,
                                    static_cast<std::size_t>(threads));
  tbb::task_arena arena(threads);
  try {
    arena.execute(body);
  } catch (const Stopped&) {
    throw LimitError(std::string(what) +
                     ": stopped before its end, by the time limit or an interruption");
  } catch (const TooLarge& tables) {
    throw LimitError(std::string(what) + ": memory limit: found " +
                     std::to_string(limits.memory_limit) + " bytes; its tables need at least " +
                     std::to_string(tables.needed));
  }
}

}  // namespace pimbb::run
