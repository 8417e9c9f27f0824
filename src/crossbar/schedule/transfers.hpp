// Memories, buses and the link: they serve transfers in the order of (time of readiness, core).
//
// This is the order of the events of a simulation, because what a transfer makes ready is ready
// after its end, hence later than itself. A SEND to another chip reserves the link, behind the
// transfers that were granted a bus before, when it is granted its bus; its bus is free before it
// ends.
//
// What is left to a memory or bus takes its time after the last transfer that it has served, one
// after the other: this bounds the time of the whole simulation, often long before its end.
#pragma once

#include <limits>
#include <vector>

#include "crossbar/schedule/stream.hpp"

namespace pimbb::crossbar::schedule {

/// A core whose next transfer is ready, and since when.
struct Event {
  std::int64_t time = 0;
  Index core = 0;
};

/// The next transfers of all cores: a tree of which every node has the first of its two events.
class EventTree {
 public:
  static constexpr std::int64_t kNever = std::numeric_limits<std::int64_t>::max();

  explicit EventTree(std::int64_t cores);

  /// The first one; at kNever if there is none.
  [[nodiscard]] const Event& first() const { return tree_[1]; }
  /// Of a core: when its next transfer is ready, or kNever.
  void set(Index core, std::int64_t time);

 private:
  std::size_t leaves_;  // a power of two
  std::vector<Event> tree_;
};

enum class Port : std::uint8_t { memory, bus };

class Transfers {
 public:
  explicit Transfers(const Architecture& architecture);

  /// That transfers of a core will come that take so long.
  void expect(Index core, Port port, std::int64_t time) { resource(core, port).left += time; }

  struct Served {
    std::int64_t start = 0;
    std::int64_t end = 0;
  };
  /// The transfer of a core that is ready at `event.time`; the first of all that are ready.
  Served serve(const Event& event, Port port, const Work& work);

  /// Of the simulated time: all that is left, without a pause.
  [[nodiscard]] std::int64_t least() const { return least_; }
  [[nodiscard]] const Busy& busy() const { return busy_; }

 private:
  struct Resource {
    std::int64_t free = 0;
    std::int64_t left = 0;  // time of its transfers that have not been served
  };

  Resource& resource(Index core, Port port) {
    return resources_[2 * static_cast<std::size_t>(core / cores_) + static_cast<std::size_t>(port)];
  }

  std::int64_t cores_;               // of a chip
  std::vector<Resource> resources_;  // by chip: memory and bus
  std::int64_t link_free_ = 0;
  std::int64_t least_ = 0;
  Busy busy_;
};

}  // namespace pimbb::crossbar::schedule
