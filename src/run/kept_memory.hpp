// Memory that a program keeps for its next tables instead of giving it back to the system.
#pragma once

namespace pimbb::run {

/// From now on memory that is freed stays with the process, to be used again: up to 64 MB, in
/// blocks below 4 MB. Larger ones come from the system as huge pages (run/table_allocator.hpp) and
/// go back to it. For a program to call first of all: it concerns all that the process allocates,
/// which is not for a library to decide. Where the C library has no such choice, nothing changes.
void keep_freed_memory();

}  // namespace pimbb::run
