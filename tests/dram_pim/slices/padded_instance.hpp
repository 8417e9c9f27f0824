// Tiny problems with a padding, and their optimum by solving every vector of bounds.
#pragma once

#include <optional>
#include <vector>

#include "pimbb/dram_pim/padded.hpp"
#include "support/instances.hpp"

namespace testkit {

/// A random instance whose layer may be padded, in a few dimensions.
Instance padded_instance(std::uint64_t seed);

/// All vectors of bounds between the layer's own and their tops.
std::vector<pimbb::Factors> all_bounds(const pimbb::Workload& layer);

/// The layer with these bounds, without a padding.
pimbb::Workload unpadded(const pimbb::Workload& layer, const pimbb::Factors& bounds);

/// The lexicographically least values over all bounds, each solved on its own; nothing if none has
/// a mapping.
std::optional<std::vector<pimbb::Rational>> least_of_all(const Instance& instance);

}  // namespace testkit
