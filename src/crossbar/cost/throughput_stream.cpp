// The high-throughput schedule, replica by replica.
#include <algorithm>

#include "crossbar/cost/stream_times.hpp"
#include "crossbar/cost/window.hpp"

namespace pimbb::crossbar::cost {
namespace {

using partition::Part;

void add_array(StreamCounter& counter, const Architecture& a, const Partition& p,
               const ArrayNode& array, std::int64_t replication, const Placement& placement) {
  const Node& node = p.node(array);
  for (const Part& part : placement.parts) {
    const std::int64_t windows = partition::windows_of(array, replication, part.replica);
    counter.access(part.core, part.groups, a.core.rows);
    counter.access(part.core, part.groups * (windows - 1), later_load(a, node));
    if (part.at_home()) continue;
    counter.send(part.core, windows, node.out.channels,
                 counter.chip(part.core) != counter.chip(part.home));
  }
  for (std::size_t r = 0; r < placement.homes.size(); ++r) {
    counter.access(placement.homes[r],
                   partition::windows_of(array, replication, static_cast<std::int64_t>(r)),
                   node.out.channels);
  }
}

/// The pixels of a vector node, shared evenly; the first cores have one more.
void add_vector(StreamCounter& counter, const Architecture& a, const Partition& p, std::size_t v) {
  const Node& node = p.graph.nodes[v];
  const std::int64_t read = pixels_loaded(p, v);
  const std::int64_t cores = a.all_cores();
  for (std::int64_t c = 0; c < std::min(cores, node.windows()); ++c) {
    const std::int64_t pixels = node.windows() / cores + (c < node.windows() % cores ? 1 : 0);
    counter.access(c, 1, pixels * read * node.in.channels);
    counter.access(c, 1, pixels * node.out.channels);
  }
}

}  // namespace

StreamTimes throughput_stream(const Architecture& a, const Partition& p, const Mapping& mapping,
                              const std::vector<Placement>& placements) {
  StreamCounter counter(a, p);
  counter.add_vector_work();
  for (std::size_t v = 0; v < p.arrays.size(); ++v) {
    add_array(counter, a, p, p.arrays[v], mapping.replication[v], placements[v]);
  }
  for (std::size_t v = 0; v < p.graph.nodes.size(); ++v) {
    if (p.graph.nodes[v].is_vector()) add_vector(counter, a, p, v);
  }
  return std::move(counter).take();
}

}  // namespace pimbb::crossbar::cost
