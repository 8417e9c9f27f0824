// Preloaded into pimbb: memory or writes that fail, counted from the beginning of main().
//
//     PIMBB_FAULT=new:N      the N-th allocation throws std::bad_alloc
//     PIMBB_FAULT=news:N     this one and all after it
//     PIMBB_FAULT=write:N    the N-th write to a file or to standard output, or rename: no space
//     left PIMBB_FAULT=writes:N   this one and all after it PIMBB_FAULT_COUNTS=F   both numbers of
//     a run go to F
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

namespace {

std::atomic<bool> counting{false};

/// What fails at a number, and whether it goes on failing.
struct Fault {
  std::atomic<unsigned long> calls{0};
  unsigned long at = 0;  // 0: never
  bool forever = false;

  bool strikes() {
    if (!counting.load(std::memory_order_relaxed)) return false;
    const unsigned long call = ++calls;
    return at != 0 && (forever ? call >= at : call == at);
  }
};
Fault memory;
Fault output;

void read_fault() {
  const char* text = std::getenv("PIMBB_FAULT");
  if (text == nullptr) return;
  const char* colon = std::strchr(text, ':');
  if (colon == nullptr) return;
  Fault& fault = text[0] == 'n' ? memory : output;
  fault.at = std::strtoul(colon + 1, nullptr, 10);
  fault.forever = colon[-1] == 's';
}

using Main = int (*)(int, char**, char**);
Main real_main = nullptr;

int counted_main(int argc, char** argv, char** environment) {
  read_fault();
  counting = true;
  const int code = real_main(argc, argv, environment);
  counting = false;
  if (const char* path = std::getenv("PIMBB_FAULT_COUNTS")) {
    if (std::FILE* file = std::fopen(path, "w")) {
      std::fprintf(file, "%lu %lu\n", memory.calls.load(), output.calls.load());
      std::fclose(file);
    }
  }
  return code;
}

template <class Function>
Function next(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

void* allocated(std::size_t size, std::size_t alignment) {
  if (memory.strikes()) return nullptr;
  if (alignment <= alignof(std::max_align_t)) return std::malloc(size == 0 ? 1 : size);
  return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}

void* allocated_or_thrown(std::size_t size, std::size_t alignment = 1) {
  void* memory_block = allocated(size, alignment);
  if (memory_block == nullptr) throw std::bad_alloc();
  return memory_block;
}

/// Pipes are how threads wake each other, and always have room.
bool is_output(int descriptor) {
  struct stat status {};
  return descriptor == STDOUT_FILENO ||
         (fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode));
}

bool is_full() {
  if (!output.strikes()) return false;
  errno = ENOSPC;
  return true;
}

}  // namespace

extern "C" int __libc_start_main(Main main, int argc, char** argv, void (*begin)(), void (*end)(),
                                 void (*loader)(), void* stack) {
  real_main = main;
  return next<decltype(&__libc_start_main)>("__libc_start_main")(counted_main, argc, argv, begin,
                                                                 end, loader, stack);
}

extern "C" ssize_t write(int descriptor, const void* bytes, size_t size) {
  if (is_output(descriptor) && is_full()) return -1;
  return next<decltype(&write)>("write")(descriptor, bytes, size);
}

extern "C" size_t fwrite(const void* bytes, size_t size, size_t count, std::FILE* file) {
  if (file == stdout && is_full()) return 0;
  return next<decltype(&fwrite)>("fwrite")(bytes, size, count, file);
}

extern "C" int rename(const char* from, const char* to) noexcept {
  if (is_full()) return -1;
  return next<int (*)(const char*, const char*)>("rename")(from, to);
}

void* operator new(std::size_t size) { return allocated_or_thrown(size); }
void* operator new[](std::size_t size) { return allocated_or_thrown(size); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return allocated_or_thrown(size, static_cast<std::size_t>(alignment));
}
void* operator new[](std::size_t size, std::align_val_t alignment) {
  return allocated_or_thrown(size, static_cast<std::size_t>(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return allocated(size, 1);
}
void* operator new[](std::size_t size, const std::nothrow_t& /*tag*/) noexcept {
  return allocated(size, 1);
}
void operator delete(void* block) noexcept { std::free(block); }
void operator delete[](void* block) noexcept { std::free(block); }
void operator delete(void* block, std::size_t /*size*/) noexcept { std::free(block); }
void operator delete[](void* block, std::size_t /*size*/) noexcept { std::free(block); }
void operator delete(void* block, std::align_val_t /*tag*/) noexcept { std::free(block); }
void operator delete[](void* block, std::align_val_t /*tag*/) noexcept { std::free(block); }
void operator delete(void* block, std::size_t, std::align_val_t /*tag*/) noexcept {
  std::free(block);
}
void operator delete[](void* block, std::size_t, std::align_val_t /*tag*/) noexcept {
  std::free(block);
}
