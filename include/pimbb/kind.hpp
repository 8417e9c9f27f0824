// The kinds of accelerators that pimbb knows, one for each wing of src/.
//
// An architecture file says its kind (`kind: dram_pim`); without one it is DRAM-PIM, or a crossbar
// accelerator if that is its only key. This is the one list: a wing that moves in adds its kind
// here, readers and error messages follow.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace pimbb {

enum class Kind : std::uint8_t {
  dram_pim,  ///< processing in or near the DRAM: pimbb/dram_pim.hpp
  cim,       ///< SRAM compute-in-memory: pimbb/cim.hpp
  crossbar   ///< crossbar accelerators: pimbb/crossbar.hpp
};
inline constexpr std::array<std::string_view, 3> kKindNames{"dram_pim", "cim", "crossbar"};
/// The only key of the file of a crossbar accelerator.
inline constexpr std::string_view kCrossbarKey = "crossbar_accelerator";
constexpr std::string_view name(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

}  // namespace pimbb
