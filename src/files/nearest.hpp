// "Did you mean ...?": the known word that is closest to a misspelt one.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace pimbb::files {

/// The word of `known` with the fewest edits to `word` (a swap of neighbours is one edit; case is
/// ignored); if no word is close enough, the first that begins with `word`, or else an empty view.
std::string_view nearest(std::string_view word, std::span<const std::string_view> known);

/// " (did you mean 'x'?)", or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> known);

/// "a, b, c"
std::string join(std::span<const std::string_view> words);

}  // namespace pimbb::files
