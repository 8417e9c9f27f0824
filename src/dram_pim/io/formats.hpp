// The names of the result formats, the value of "format" in a document.
#pragma once

#include <string_view>

namespace pimbb::dram_pim::io {

inline constexpr std::string_view kMappingFormat = "pimbb-mapping/1";
inline constexpr std::string_view kFrontFormat = "pimbb-front/1";
inline constexpr std::string_view kNetworkFrontFormat = "pimbb-network-front/1";
inline constexpr std::string_view kDeviceFormat = "pimbb-device/1";
inline constexpr std::string_view kDeviceAuditFormat = "pimbb-device-audit/1";
inline constexpr std::string_view kNetworkFormat = "pimbb-network/1";
inline constexpr std::string_view kAccessTraceFormat = "pimbb-trace/1";
inline constexpr std::string_view kPlanFormat = "pimbb-plan/1";
inline constexpr std::string_view kExplanationFormat = "pimbb-explanation/1";
inline constexpr std::string_view kSensitivityFormat = "pimbb-sensitivity/1";
inline constexpr std::string_view kTopFormat = "pimbb-top/1";

}  // namespace pimbb::dram_pim::io
