// Low latency: the round in which each window is computed, so that data flows to later rounds only.
//
// Window i of a node reads its sources' pixels up to `needed_pixel`, in raster order; it comes a
// round after the last of these, and an array node's replica computes one window a round.
#pragma once

#include <vector>

#include "crossbar/schedule/stream.hpp"

namespace pimbb::crossbar::schedule {

/// The last pixel of `source`, in raster order, that window `i` of node `v` reads.
Index needed_pixel(const Partition& partition, std::size_t v, std::size_t source, Index i);

struct Step {
  Index node = 0;
  Index window = 0;
};

/// Windows of array and vector nodes by round, then by node and window.
std::vector<std::vector<Step>> rounds(const Partition& partition, const Mapping& mapping);

}  // namespace pimbb::crossbar::schedule
