// One parallel loop: body(0) .. body(count - 1) on TBB's threads, all of them done on return. What
// a body throws is thrown again here. TBB's headers stay in the source: they take seconds to
// compile.
#pragma once

#include <cstddef>
#include <functional>

namespace pimbb::run {

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace pimbb::run
