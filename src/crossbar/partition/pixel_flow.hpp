// Low latency: which core makes each pixel of a tensor, and which cores must have it.
//
// A vector node runs where the results of its first source come from: pixel i at the home of
// replica i mod R of its host, the first array node that is found along first sources; in core 0 if
// there is none. A tensor is sent to the cores that hold groups of a reader, or run a pixel of one.
#pragma once

#include <cstdint>
#include <vector>

#include "crossbar/partition/placement.hpp"

namespace pimbb::crossbar::partition {

/// All by node of the partition's graph.
struct PixelFlow {
  std::vector<std::vector<std::int64_t>> makers;  ///< pixel i is made by core i mod size
  std::vector<std::vector<std::int64_t>> needed;  ///< cores that read it, ascending
  std::vector<bool> read;                         ///< some node reads the tensor

  /// Of node `v`, the cores that need it beside `core`.
  [[nodiscard]] std::vector<std::int64_t> others(std::size_t v, std::int64_t core) const;
};

PixelFlow pixel_flow(const Partition& partition, const std::vector<Placement>& placements);

}  // namespace pimbb::crossbar::partition
