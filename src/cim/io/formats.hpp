// The names of the result formats, the value of "format" in a document.
#pragma once

#include <string_view>

namespace pimbb::cim::io {

inline constexpr std::string_view kMappingFormat = "pimbb-cim-mapping/1";
inline constexpr std::string_view kNetworkFormat = "pimbb-cim-network/1";
inline constexpr std::string_view kFrontFormat = "pimbb-cim-front/1";
inline constexpr std::string_view kNetworkFrontFormat = "pimbb-cim-network-front/1";
inline constexpr std::string_view kSensitivityFormat = "pimbb-cim-sensitivity/1";
inline constexpr std::string_view kTopFormat = "pimbb-cim-top/1";
inline constexpr std::string_view kExplanationFormat = "pimbb-cim-explanation/1";
inline constexpr std::string_view kStudyFormat = "pimbb-cim-study/1";
inline constexpr std::string_view kTraceFormat = "pimbb-cim-trace/1";

}  // namespace pimbb::cim::io
