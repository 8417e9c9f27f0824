// Sums of transfers, each rounded up by itself.
#include "crossbar/cost/stream_times.hpp"

#include <algorithm>
#include <numeric>

#include "crossbar/cost/window.hpp"

namespace pimbb::crossbar::cost {

StreamCounter::StreamCounter(const Architecture& architecture, const Partition& partition)
    : a_(architecture), p_(partition) {
  times_.memory.assign(static_cast<std::size_t>(a_.chips), 0);
  times_.bus.assign(static_cast<std::size_t>(a_.chips), 0);
  times_.active.assign(static_cast<std::size_t>(a_.all_cores()), false);
}

void StreamCounter::access(std::int64_t core, std::int64_t times, std::int64_t elements) {
  times_.memory[static_cast<std::size_t>(chip(core))] +=
      times * transfer_time(a_.bytes(elements), a_.bandwidth.memory);
  activate(core);
}

void StreamCounter::send(std::int64_t core, std::int64_t times, std::int64_t elements,
                         bool to_other_chip) {
  const std::int64_t bytes = a_.bytes(elements);
  times_.bus[static_cast<std::size_t>(chip(core))] +=
      times * transfer_time(bytes, a_.bandwidth.bus);
  if (to_other_chip) times_.link += times * transfer_time(bytes, a_.bandwidth.link);
}

void StreamCounter::add_vector_work() {
  for (const ArrayNode& array : p_.arrays) {  // A - 1 sums and one activation for each window
    times_.vector +=
        array.windows * array.groups * a_.vector_pass(a_.bytes(p_.node(array).out.channels));
  }
  for (std::size_t v = 0; v < p_.graph.nodes.size(); ++v) {
    const Node& node = p_.graph.nodes[v];
    if (!node.is_vector()) continue;
    times_.vector +=
        node.windows() * vector_passes(p_, v) * a_.vector_pass(a_.bytes(node.in.channels));
  }
}

Busy StreamTimes::sums() const {
  return {std::accumulate(memory.begin(), memory.end(), std::int64_t{0}),
          std::accumulate(bus.begin(), bus.end(), std::int64_t{0}), link, vector};
}

Busy StreamTimes::busiest_chip() const {
  return {*std::ranges::max_element(memory), *std::ranges::max_element(bus), link, vector};
}

StreamTimes stream_of(Mode mode, const Architecture& architecture, const Partition& partition,
                      const Mapping& mapping, const std::vector<Placement>& placements) {
  return mode == Mode::ht ? throughput_stream(architecture, partition, mapping, placements)
                          : latency_stream(architecture, partition, mapping, placements);
}

StreamTimes stream_of(Mode mode, const Architecture& architecture, const Partition& partition,
                      const Mapping& mapping) {
  return stream_of(mode, architecture, partition, mapping,
                   partition::placements(partition, mapping));
}

}  // namespace pimbb::crossbar::cost
