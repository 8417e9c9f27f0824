// A complaint from a process of its own, so that crashes, failed assertions, uncaught exceptions
// and endless loops are complaints as well. The calling process must have one thread.
#pragma once

#include <functional>
#include <string>

namespace soak {

/// What `judge` returns; or, in words, how its process ended instead, which may use `cpu_seconds`.
std::string apart(const std::function<std::string()>& judge, unsigned cpu_seconds);

}  // namespace soak
