// "Did you mean ...?": the known word closest to a misspelt one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pimbb::files {

/// The word of `known` that `word` most resembles (fewest edits, a swap of neighbours being one;
/// case is ignored), or an empty view if none is close enough to be meant.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

/// " (did you mean 'x'?)", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

/// "a, b, c"
std::string join(std::span<const std::string_view> words);

}  // namespace pimbb::files
