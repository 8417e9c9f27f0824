// Searches take and free tables of some hundred kilobytes all the time. Left to itself, glibc gives
// many of them back, and the system hands out the same pages anew, one by one as they are written.
#include "run/kept_memory.hpp"

#include <cstdlib>

#ifdef __GLIBC__
#include <malloc.h>
#endif

namespace pimbb::run {

void keep_freed_memory() {
#ifdef __GLIBC__
  constexpr int kMegabyte = 1 << 20;
  mallopt(M_MMAP_THRESHOLD, 4 * kMegabyte);
  mallopt(M_TRIM_THRESHOLD, 64 * kMegabyte);
  mallopt(M_TOP_PAD, kMegabyte / 4);
#endif
}

}  // namespace pimbb::run
