// How many threads a run has.
#pragma once

#include <algorithm>
#include <thread>

#include "pimbb/run_limits.hpp"

namespace pimbb::run {

/// The threads that the limits ask for, or all of the machine.
inline int thread_count(const RunLimits& limits) {
  if (limits.threads > 0) return limits.threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace pimbb::run
