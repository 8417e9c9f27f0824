// Low latency: what becomes of the pixels of a node, for each core that makes some.
#pragma once

#include <cstdint>
#include <vector>

#include "crossbar/partition/pixel_flow.hpp"

namespace pimbb::crossbar::schedule {

/// Pixels stay where they are made if nobody else reads them; those of an output are stored.
enum class Delivery : std::uint8_t { stays, sent, sent_far, stored };

/// By node and maker.
std::vector<std::vector<Delivery>> deliveries(const Architecture& architecture,
                                              const Partition& partition,
                                              const partition::PixelFlow& flow);

}  // namespace pimbb::crossbar::schedule
