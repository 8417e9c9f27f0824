// TBB's scalable allocator, or that of a sanitizer.
#include "run/passed_memory.hpp"

#include <new>

#include "run/sanitizers.hpp"

#ifndef PIMBB_OWN_ALLOCATOR
#include <tbb/scalable_allocator.h>
#endif

namespace pimbb::run {

#ifdef PIMBB_OWN_ALLOCATOR

void* take_memory(std::size_t bytes) { return ::operator new(bytes); }
void give_back_memory(void* block) noexcept { ::operator delete(block); }

#else

void* take_memory(std::size_t bytes) {
  void* const block = scalable_malloc(bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void give_back_memory(void* block) noexcept { scalable_free(block); }

#endif

}  // namespace pimbb::run
