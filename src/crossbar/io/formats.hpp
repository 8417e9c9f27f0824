// The names of the formats of this wing.
#pragma once

#include <string_view>

namespace pimbb::crossbar::io {

/// The only key of an architecture file.
inline constexpr std::string_view kArchitectureKey = "crossbar_accelerator";
/// The value of "format" in a mapping document.
inline constexpr std::string_view kMappingFormat = "pimbb-crossbar/1";

}  // namespace pimbb::crossbar::io
