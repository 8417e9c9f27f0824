// A computation whose result is all or nothing, on the threads and within the limits of a run.
#pragma once

#include <functional>
#include <string_view>

#include "pimbb/run_limits.hpp"

namespace pimbb::run {

/// Runs `body` on as many threads as the limits allow. A guard that stops it, or that finds no
/// room, ends it with a LimitError that begins with `what`.
void limited(const RunLimits& limits, std::string_view what, const std::function<void()>& body);

}  // namespace pimbb::run
