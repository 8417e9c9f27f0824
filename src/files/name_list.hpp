// Lists of known names, separated by commas, such as the goals of an objective.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

namespace pimbb::files {

/// The places in `known` of the names in `text`. Throws InputError, beginning with `what`, for a
/// name that is not known or is there twice.
std::vector<std::size_t> parse_names(std::string_view what, std::string_view text,
                                     std::span<const std::string_view> known);

}  // namespace pimbb::files
