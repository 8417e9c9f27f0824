// The names of the formats of this wing.
#pragma once

#include <string_view>

#include "pimbb/kind.hpp"

namespace pimbb::crossbar::io {

/// The only key of an architecture file.
inline constexpr std::string_view kArchitectureKey = kCrossbarKey;
/// The value of "format" in a mapping document.
inline constexpr std::string_view kMappingFormat = "pimbb-crossbar/1";
/// The same of other documents.
inline constexpr std::string_view kFrontFormat = "pimbb-crossbar-front/1";
inline constexpr std::string_view kTopFormat = "pimbb-crossbar-top/1";
inline constexpr std::string_view kExplanationFormat = "pimbb-crossbar-explanation/1";
inline constexpr std::string_view kSensitivityFormat = "pimbb-crossbar-sensitivity/1";

}  // namespace pimbb::crossbar::io
