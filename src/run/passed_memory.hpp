// Memory for what one thread makes and another one destroys, such as nodes of a search. In that of
// the C library, a block goes back to where it came from: a thread that frees others' blocks has
// their allocations wait for it. TBB's allocator collects blocks from elsewhere without a lock.
#pragma once

#include <cstddef>

namespace pimbb::run {

/// For classes whose objects are made with `new` on one thread and deleted on another.
struct PassedOn {
  static void* operator new(std::size_t bytes);
  static void operator delete(void* object) noexcept;
};

}  // namespace pimbb::run
