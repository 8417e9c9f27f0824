// Constants that several parts of the simplex share. Tolerances guide the search only; what is
// reported as a bound is made safe afterwards (safe_bound.hpp).
#pragma once

#include <limits>

namespace pimbb::lp {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
inline constexpr double kTiny = 1e-14;           ///< an entry of a solved vector below this is 0
inline constexpr double kNothing = 1e-100;       ///< stands for 0 where a position must stay listed
inline constexpr double kDrop = 1e-14;           ///< results of elimination below this become zero
inline constexpr double kSmallestPivot = 1e-11;  ///< of an elimination
inline constexpr double kTie = 1e-12;  ///< ratios closer than this are equal under Bland's rule
inline constexpr double kPivotMismatch =
    1e-6;  ///< relative, between the two ways to compute a pivot

}  // namespace pimbb::lp
