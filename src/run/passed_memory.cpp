// TBB's scalable allocator, or that of a sanitizer.
#include "run/passed_memory.hpp"

#include <new>

#include "run/sanitizers.hpp"

#ifndef PIMBB_OWN_ALLOCATOR
#include <tbb/scalable_allocator.h>
#endif

namespace pimbb::run {

#ifdef PIMBB_OWN_ALLOCATOR

void* PassedOn::operator new(std::size_t bytes) { return ::operator new(bytes); }
void PassedOn::operator delete(void* object) noexcept { ::operator delete(object); }

#else

void* PassedOn::operator new(std::size_t bytes) {
  void* const block = scalable_malloc(bytes);
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void PassedOn::operator delete(void* object) noexcept { scalable_free(object); }

#endif

}  // namespace pimbb::run
