// Blends of latency and energy that the searches of layers can compute with.
#pragma once

#include "search/least_product.hpp"

namespace pimbb::cim::network {

/// Weights that are integers of 62 bits at most, or the rationals themselves if they are as small.
search::Blend fitting_blend(const search::Blend& direction);

}  // namespace pimbb::cim::network
