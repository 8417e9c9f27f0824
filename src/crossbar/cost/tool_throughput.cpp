// Two rounds, core by core.
#include <algorithm>
#include <optional>

#include "crossbar/cost/slots.hpp"
#include "crossbar/cost/tool.hpp"
#include "crossbar/partition/placement.hpp"
#include "exact/int128.hpp"

namespace pimbb::crossbar::cost {
namespace {

struct CoreClock {
  std::int64_t prepared = 0;  // loads have ended
  std::int64_t last = 0;      // the last multiplication or store has
};

class ToolThroughput {
 public:
  ToolThroughput(const Architecture& architecture, const Partition& partition,
                 const Mapping& mapping)
      : a_(architecture),
        p_(partition),
        mapping_(mapping),
        memories_(static_cast<std::size_t>(a_.chips)),
        clocks_(mapping.cores.size()),
        held_(p_.arrays.size(), 0) {}

  /// The times of all cores when one more round has ended.
  std::vector<std::int64_t> round() {
    std::vector<std::int64_t> ends;
    std::ranges::fill(held_, 0);
    for (std::size_t c = 0; c < clocks_.size(); ++c) {
      core(c);
      ends.push_back(clocks_[c].last);
    }
    return ends;
  }

 private:
  [[nodiscard]] std::int64_t memory_time(std::int64_t elements) const {
    return transfer_time(a_.bytes(elements), a_.bandwidth.memory);
  }

  [[nodiscard]] std::int64_t load_elements(const ArrayNode& array, std::int64_t k) const {
    const Node& node = p_.node(array);
    if (k < array.groups || node.op == Op::fc) return a_.core.rows;
    const Int128 new_rows = Int128{a_.core.rows} * node.vertical.stride * node.horizontal.stride;
    return static_cast<std::int64_t>(new_rows /
                                     (Int128{node.vertical.kernel} * node.horizontal.kernel));
  }

  void core(std::size_t c) {
    CoreClock& clock = clocks_[c];
    Slots& memory = memories_[c / static_cast<std::size_t>(a_.cores)];
    std::optional<std::int64_t> start;
    for (const Share& share : mapping_.cores[c]) {
      for (std::int64_t k = 0; k < share.groups; ++k) {
        clock.prepared =
            memory.take(clock.prepared, memory_time(load_elements(p_.arrays[share.array], k)));
        start = start ? *start + a_.mvm.interval : std::max(clock.prepared, clock.last);
      }
    }
    if (start) clock.last = *start + a_.mvm.time;
    for (const Share& share : mapping_.cores[c]) {
      const ArrayNode& array = p_.arrays[share.array];
      const std::int64_t store = memory_time(p_.node(array).out.channels);
      std::int64_t& first = held_[share.array];
      const auto blocks = [&](std::int64_t groups) {  // row blocks 0 among the first groups
        return (groups + array.groups - 1) / array.groups;
      };
      for (std::int64_t i = blocks(first); i < blocks(first + share.groups); ++i) {
        clock.last = memory.take(clock.last, store);
      }
      first += share.groups;
    }
  }

  const Architecture& a_;
  const Partition& p_;
  const Mapping& mapping_;
  std::vector<Slots> memories_;     // by chip
  std::vector<CoreClock> clocks_;   // by core
  std::vector<std::int64_t> held_;  // groups of each node in the cores before
};

}  // namespace

std::int64_t tool_throughput(const Architecture& a, const Partition& p, const Mapping& mapping) {
  ToolThroughput rounds(a, p, mapping);
  const std::vector<std::int64_t> first = rounds.round();
  const std::vector<std::int64_t> second = rounds.round();
  std::int64_t cycles = 0;  // the most in this core and all before it: the tool does not reset it
  std::int64_t time = 0;
  for (std::size_t c = 0; c < first.size(); ++c) {
    for (const Share& share : mapping.cores[c]) {
      cycles = std::max(cycles,
                        partition::cycles(p.arrays[share.array], mapping.replication[share.array]));
    }
    time =
        std::max(time, first[c] + (second[c] - first[c]) * (std::max<std::int64_t>(cycles, 1) - 1));
  }
  return time;
}

}  // namespace pimbb::crossbar::cost
