// Constants that several parts of the simplex share. Tolerances guide the search only; what is
// reported as a bound is made safe afterwards (safe_bound.hpp).
#pragma once

#include <limits>

namespace pimbb::lp {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kTiny = 1e-14;  ///< an entry of a solved vector below this is 0
inline constexpr double kTie = 1e-12;   ///< ratios closer than this are equal under Bland's rule
inline constexpr double kPivotMismatch =
    1e-6;  ///< relative, between the two ways to compute a pivot

}  // namespace pimbb::lp
