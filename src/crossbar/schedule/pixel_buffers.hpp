// Low latency: the pixels that a core keeps because its windows read them, from the round in which
// a pixel is made to the last round in which this core reads it.
#pragma once

#include <cstdint>
#include <vector>

#include "pimbb/crossbar/mapping.hpp"

namespace pimbb::crossbar::schedule {

/// By core: the most bytes of pixels that it keeps in one round.
std::vector<std::int64_t> pixel_bytes(const Architecture& architecture, const Partition& partition,
                                      const Mapping& mapping);

}  // namespace pimbb::crossbar::schedule
