// The settings of pimbb trace.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dram_pim/cli/options.hpp"
#include "dram_pim/io/access_trace.hpp"

namespace pimbb::dram_pim::cli {

/// What of a device is traced.
enum class DeviceStream : std::uint8_t { unit, links };
inline constexpr std::array<std::string_view, 2> kDeviceStreamNames{"unit", "links"};

struct TraceSettings {
  MappingSettings mapping;
  DeviceSettings device;
  std::optional<DeviceStream> stream;  ///< of a device only
  std::optional<io::TraceFormat> format;
  TensorFlags tensors{true, true, true};
  std::optional<std::int64_t> limit;  ///< accesses or events; the rest is left out
  std::string file = "-";             ///< "-" for standard output
  OutputSettings output;

  /// Those of a stream of accesses.
  [[nodiscard]] io::TraceOptions accesses() const {
    return {
        .format = format.value_or(io::TraceFormat::ramulator), .tensors = tensors, .limit = limit};
  }
};

}  // namespace pimbb::dram_pim::cli
