// The parallel loop: runs body(0) .. body(count - 1) on TBB's threads and returns when all are
// done. An exception of a body is rethrown. Only the source file includes TBB's headers, which take
// seconds to compile.
#pragma once

#include <cstddef>
#include <functional>

namespace pimbb::run {

/// The threads that loops begun here may run on.
std::size_t thread_room();

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace pimbb::run
