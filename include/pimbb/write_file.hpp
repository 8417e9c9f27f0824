// Writing a file whole or not at all.
#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace pimbb {

/// Writes a file next to the target and renames it, so that no reader sees an incomplete file. "-"
/// is standard output. Throws InputError if the file cannot be written.
void write_file(const std::string& path, std::string_view text);
/// The same for a text in several pieces: `produce` calls its argument with each piece.
using Sink = std::function<void(std::string_view)>;
void write_file(const std::string& path, const std::function<void(const Sink&)>& produce);

/// Removes what write_file() has written beside its targets so far, of all threads: for programs
/// that end without calling destructors, such as in a terminate handler. Allocates nothing.
void remove_unfinished_files() noexcept;

}  // namespace pimbb
