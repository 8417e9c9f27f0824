// How long the schedules of a mapping keep memory, bus, link and vector units busy: sums over the
// transfers of the instruction streams, without building these.
//
// High throughput: every array group loads the rows of each window of its replica, parts away from
// home send their sums there, the home stores the result; then vector nodes share their pixels
// evenly over all cores. Low latency: only the network's input is loaded and its output stored;
// partial sums and pixels are sent from core to core, a pixel once to all that need it.
#pragma once

#include <vector>

#include "crossbar/partition/placement.hpp"
#include "pimbb/crossbar/cost.hpp"

namespace pimbb::crossbar::cost {

struct StreamTimes {
  std::vector<std::int64_t> memory;  ///< by chip
  std::vector<std::int64_t> bus;     ///< by chip, of the sender
  std::int64_t link = 0;
  std::int64_t vector = 0;
  std::vector<bool> active;  ///< by core: it has instructions

  [[nodiscard]] Busy sums() const;
  [[nodiscard]] Busy busiest_chip() const;
};

using partition::Placement;

StreamTimes throughput_stream(const Architecture& architecture, const Partition& partition,
                              const Mapping& mapping, const std::vector<Placement>& placements);

StreamTimes latency_stream(const Architecture& architecture, const Partition& partition,
                           const Mapping& mapping, const std::vector<Placement>& placements);

/// The one of these that the mode names.
StreamTimes stream_of(Mode mode, const Architecture& architecture, const Partition& partition,
                      const Mapping& mapping, const std::vector<Placement>& placements);
StreamTimes stream_of(Mode mode, const Architecture& architecture, const Partition& partition,
                      const Mapping& mapping);

}  // namespace pimbb::crossbar::cost
