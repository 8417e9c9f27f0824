// The well-formed byte sequences of UTF-8 (Unicode 15, table 3-7).
#include "files/utf8.hpp"

#include <cassert>

namespace pimbb::files {

std::size_t utf8_length(std::string_view text) {
  assert(!text.empty());
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char head = byte(0);
  if (head < 0x80) return 1;
  const std::size_t length = head >= 0xF0 ? 4 : head >= 0xE0 ? 3 : 2;
  if (head < 0xC2 || head > 0xF4 || text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return 0;
  }
  // Overlong forms, surrogates and code points past U+10FFFF.
  const unsigned char second = byte(1);
  if ((head == 0xE0 && second < 0xA0) || (head == 0xED && second > 0x9F) ||
      (head == 0xF0 && second < 0x90) || (head == 0xF4 && second > 0x8F)) {
    return 0;
  }
  return length;
}

bool is_plain_text(std::string_view text) {
  while (!text.empty()) {
    const auto byte = static_cast<unsigned char>(text.front());
    const std::size_t length = utf8_length(text);
    if (length == 0 || byte < 0x20 || byte == 0x7F) return false;
    text.remove_prefix(length);
  }
  return true;
}

}  // namespace pimbb::files
