// Memory for what one thread makes and another one destroys, such as nodes of a search. In that of
// the C library, a block goes back to where it came from: a thread that frees others' blocks has
// their allocations wait for it. TBB's allocator collects blocks from elsewhere without a lock.
#pragma once

#include <cstddef>

namespace pimbb::run {

/// Throws std::bad_alloc.
void* take_memory(std::size_t bytes);
void give_back_memory(void* block) noexcept;

/// For classes whose objects are made with `new` on one thread and deleted on another.
struct PassedOn {
  static void* operator new(std::size_t bytes) { return take_memory(bytes); }
  static void operator delete(void* object) noexcept { give_back_memory(object); }
};

}  // namespace pimbb::run
