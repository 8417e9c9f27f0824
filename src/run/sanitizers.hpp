// Which sanitizers the code is compiled for, whichever compiler does it: PIMBB_THREAD_SANITIZER and
// PIMBB_OWN_ALLOCATOR, for those that bring an allocator which must see every block of memory.
#pragma once

#if defined(__SANITIZE_THREAD__)  // g++
#define PIMBB_THREAD_SANITIZER
#elif defined(__SANITIZE_ADDRESS__)
#define PIMBB_OWN_ALLOCATOR
#elif defined(__has_feature)  // clang
#if __has_feature(thread_sanitizer)
#define PIMBB_THREAD_SANITIZER
#elif __has_feature(address_sanitizer)
#define PIMBB_OWN_ALLOCATOR
#endif
#endif

#ifdef PIMBB_THREAD_SANITIZER
#define PIMBB_OWN_ALLOCATOR
#endif
