// The parallel loop: runs body(0) .. body(count - 1) on TBB's threads and returns when all are
// done. An exception of a body is rethrown, and what was not begun by then is left out; loops
// within other bodies still run to their ends. Only the source file includes TBB's headers, which
// take seconds to compile.
#pragma once

#include <cstddef>
#include <functional>

namespace pimbb::run {

/// The threads that loops begun here may run on.
std::size_t thread_room();

void parallel_for(std::size_t count, const std::function<void(std::size_t)>& body);

/// The numbers begin .. end - 1: one of the chunks that 0 .. count - 1 is cut into.
struct Chunk {
  std::size_t number;  ///< 0, 1, ..
  std::size_t begin;
  std::size_t end;
};
/// How many there are, each of `size` numbers but for the last, which may have fewer.
[[nodiscard]] constexpr std::size_t chunk_count(std::size_t count, std::size_t size) {
  return (count + size - 1) / size;
}
/// The same loop, chunk by chunk: for bodies that are too short to be tasks.
void for_each_chunk(std::size_t count, std::size_t size,
                    const std::function<void(const Chunk&)>& body);

}  // namespace pimbb::run
