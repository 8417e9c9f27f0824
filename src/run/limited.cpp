// Messages for the two exceptions of a guard.
#include "run/limited.hpp"

#include <string>

#include "pimbb/error.hpp"
#include "run/guard.hpp"
#include "run/on_threads.hpp"
#include "run/threads.hpp"

namespace pimbb::run {

void limited(const RunLimits& limits, std::string_view what, const std::function<void()>& body) {
  try {
    on_threads(thread_count(limits), body);
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
