// Validation of UTF-8 text.
#pragma once

#include <cstddef>
#include <string_view>

namespace pimbb::files {

/// Length of the UTF-8 character at the start of `text`, which is not empty; 0 if it is invalid.
std::size_t utf8_length(std::string_view text);

/// Whether `text` is UTF-8 without control characters.
bool is_plain_text(std::string_view text);

}  // namespace pimbb::files
