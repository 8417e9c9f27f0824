// Memory for large tables: fewer and larger pages.
//
// Tables of millions of entries are written once, and a system that hands their memory out in pages
// of 4 KB takes as long for that as the entries do. Large blocks are therefore aligned, and the
// system is asked for huge pages; where it has none, nothing changes.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

namespace pimbb::run {

template <class T>
struct TableAllocator {
  using value_type = T;

  TableAllocator() = default;
  template <class Other>
  TableAllocator(const TableAllocator<Other>& /*other*/) {}  // NOLINT(google-explicit-constructor)

  [[nodiscard]] T* allocate(std::size_t count) {
    if (!is_large(count)) return std::allocator<T>().allocate(count);
    const std::size_t bytes = (count * sizeof(T) + kPage - 1) / kPage * kPage;
    void* const block = std::aligned_alloc(kPage, bytes);
    if (block == nullptr) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    (void)madvise(block, bytes, MADV_HUGEPAGE);  // no more than a wish
#endif
    return static_cast<T*>(block);
  }
  void deallocate(T* block, std::size_t count) {
    if (is_large(count)) {
      std::free(block);  // NOLINT(cppcoreguidelines-no-malloc): of aligned_alloc
    } else {
      std::allocator<T>().deallocate(block, count);
    }
  }
  friend bool operator==(const TableAllocator& /*a*/, const TableAllocator& /*b*/) { return true; }

 private:
  static constexpr std::size_t kPage = std::size_t{1} << 21;  // bytes of a huge page
  [[nodiscard]] static bool is_large(std::size_t count) { return count >= 2 * kPage / sizeof(T); }
};

template <class T>
using Table = std::vector<T, TableAllocator<T>>;

/// As TableAllocator, but entries that resize() adds are not written.
template <class T>
struct RawTableAllocator : TableAllocator<T> {
  static_assert(std::is_trivially_destructible_v<T>);
  template <class Other>
  struct rebind {
    using other = RawTableAllocator<Other>;
  };

  RawTableAllocator() = default;
  template <class Other>
  RawTableAllocator(  // NOLINT(google-explicit-constructor): as every allocator
      const RawTableAllocator<Other>& /*other*/) {}

  template <class Entry>
  void construct(Entry* /*place*/) {}
  template <class Entry, class... Arguments>
  void construct(Entry* place, Arguments&&... arguments) {
    std::construct_at(place, std::forward<Arguments>(arguments)...);
  }
};

/// A table whose entries are written in parallel: who resizes it writes the new entries before any
/// is read. Its memory comes from the system page by page as it is written, on all threads then.
template <class T>
using RawTable = std::vector<T, RawTableAllocator<T>>;

}  // namespace pimbb::run
