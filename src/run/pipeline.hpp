// A parallel loop whose results are taken up one by one, in their order, while it goes on.
#pragma once

#include <cstddef>
#include <functional>

namespace pimbb::run {

/// Runs body(0) .. body(count - 1) on TBB's threads, and after(0) .. after(count - 1) one at a
/// time and in this order: after(k) as soon as after(k - 1) and body(k) are done, on any thread.
/// What `after` writes must not be read by `body`. An exception is rethrown; the rest may then be
/// left out.
void pipeline(std::size_t count, const std::function<void(std::size_t)>& body,
              const std::function<void(std::size_t)>& after);

}  // namespace pimbb::run
