// Padded layers, for bounds that factor badly.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "pimbb/workload.hpp"

namespace pimbb::cim {

enum class Padding : std::uint8_t {
  exact,  ///< bounds as they are
  even,   ///< adds 1 to each of P, Q and the input plane that is odd and above 15
  ceil    ///< spatial factors need not divide: bounds grow to the next multiple of them
};
inline constexpr std::array<std::string_view, 3> kPaddingNames{"exact", "even", "ceil"};
constexpr std::string_view name(Padding p) { return kPaddingNames[static_cast<std::size_t>(p)]; }

/// The layer that is computed with these spatial factors (>= 1, each at most its bound).
Workload padded(const Workload& workload, Padding padding, const Factors& unrolled = kOnes);

}  // namespace pimbb::cim
