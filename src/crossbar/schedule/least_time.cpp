// Sums over the transfers of a stream, without building it.
#include "crossbar/schedule/least_time.hpp"

#include <algorithm>

#include "crossbar/cost/streams.hpp"

namespace pimbb::crossbar::schedule {

std::int64_t least_time(const Architecture& architecture, const Partition& partition,
                        const Mapping& mapping, Mode mode) {
  const auto placements = partition::placements(partition, mapping);
  const Busy roofs =
      cost::stream_of(mode, architecture, partition, mapping, placements).busiest_chip();
  std::vector<std::int64_t> products(mapping.cores.size(), 0);
  for (std::size_t v = 0; v < placements.size(); ++v) {
    for (const partition::Part& part : placements[v].parts) {
      products[static_cast<std::size_t>(part.core)] +=
          part.groups *
          partition::windows_of(partition.arrays[v], mapping.replication[v], part.replica);
    }
  }
  const std::int64_t most = *std::ranges::max_element(products);
  return std::max({roofs.memory, roofs.bus, roofs.link, most * architecture.mvm.interval});
}

}  // namespace pimbb::crossbar::schedule
