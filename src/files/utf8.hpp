// Text that may come from anywhere: UTF-8, checked character by character.
#pragma once

#include <cstddef>
#include <string_view>

namespace pimbb::files {

/// Length of the UTF-8 character at the head of `text`, which is not empty; 0 if it is not one.
std::size_t utf8_length(std::string_view text);

/// Whether it is UTF-8 without control characters.
bool is_plain_text(std::string_view text);

}  // namespace pimbb::files
