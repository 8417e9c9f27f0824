// The threads of one run.
#pragma once

#include <functional>

namespace pimbb::run {

/// Runs `body`, whose parallel loops have this many threads, more than the machine has if asked
/// for: tests rely on that.
void on_threads(int threads, const std::function<void()>& body);

}  // namespace pimbb::run
