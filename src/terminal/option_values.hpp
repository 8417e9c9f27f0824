// Checks of option values. Each returns the value or throws InputError
// "--option: found 'X', allowed are Y".
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "pimbb/rational.hpp"

namespace pimbb::terminal {

[[noreturn]] void refuse(std::string_view option, std::string_view found, std::string_view allowed);

/// The whole of `text` as a decimal integer in [low, high]; no octal, no trailing characters.
template <class Integer>
Integer integer(std::string_view option, const std::string& text, Integer low, Integer high) {
  Integer value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end || value < low || value > high) {
    refuse(option, text, fmt::format("integers {} .. {}", low, high));
  }
  return value;
}

/// The index of `text` in `names`; the error for another text suggests the nearest name.
std::size_t place_among(std::string_view option, std::string_view text,
                        std::span<const std::string_view> names);

/// A duration in seconds: "10", "0.5s", "500ms", "10m", "2h".
double duration_seconds(std::string_view option, const std::string& text);
/// A number of bytes, plain or in units of 1024: "512M", "4GiB".
std::uint64_t memory_size(std::string_view option, const std::string& text);
/// A rational >= 0, exact: "1", "0.25", "7/3".
Rational weight(std::string_view option, const std::string& text);
/// A share >= 0, exact: "1%", "0.01".
Rational parse_share(std::string_view option, const std::string& text);
/// A file or a name.
std::string not_empty(std::string_view option, const std::string& text);
/// A file, not standard output.
std::string file(std::string_view option, const std::string& text);

}  // namespace pimbb::terminal
