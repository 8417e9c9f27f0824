// Spatial schemes: all ways to unroll a layer on the axes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "pimbb/cim/question.hpp"
#include "run/guard.hpp"

namespace pimbb::cim::mapper {

struct Scheme {
  std::vector<Factors> spatial;  ///< one for each axis
  Factors extents = kOnes;       ///< what is left for loops
};

/// Matrix-vector products of a scheme's loops.
std::int64_t products(const Scheme& scheme);

/// The bounds of the layer that a scheme computes divided by its factors; nothing if the factors do
/// not divide, or exceed, the bounds.
std::optional<Factors> temporal_extents(const Workload& workload, Padding padding,
                                        const Factors& unrolled);

/// All schemes in order: axes in order, dimensions R .. G, factors ascending. `workload` is padded
/// but for Padding::ceil. With `full` only those of fewest products.
std::vector<Scheme> spatial_schemes(const Architecture& architecture, const Workload& workload,
                                    Padding padding, SchemeRule rule, const run::Guard& guard);

/// Whether width and height can be exchanged (P with Q, R with S) without changing any cost.
bool is_symmetric(const Architecture& architecture, const Workload& workload);
/// The scheme with width and height exchanged.
Scheme mirrored(const Scheme& scheme);
/// Order of schemes: by their factors.
bool before(const Scheme& a, const Scheme& b);

}  // namespace pimbb::cim::mapper
