// The tree of events, and the resources' times.
#include "crossbar/schedule/transfers.hpp"

#include <algorithm>
#include <bit>

namespace pimbb::crossbar::schedule {

EventTree::EventTree(std::int64_t cores)
    : leaves_(std::bit_ceil(static_cast<std::size_t>(std::max<std::int64_t>(cores, 2)))),
      tree_(2 * leaves_, {kNever, 0}) {
  for (std::size_t i = 0; i < leaves_; ++i) tree_[leaves_ + i].core = static_cast<Index>(i);
  for (std::size_t i = leaves_ - 1; i > 0; --i) tree_[i].core = tree_[2 * i].core;
}

void EventTree::set(Index core, std::int64_t time) {
  std::size_t i = leaves_ + static_cast<std::size_t>(core);
  tree_[i].time = time;
  for (; i > 1; i /= 2) {
    const Event& other = tree_[i ^ 1];
    const bool on_the_left = i % 2 == 1;  // with the smaller core: first of equal times
    const bool wins = other.time - (on_the_left ? 1 : 0) < time;
    // without a branch, which could not be foretold
    const std::int64_t mask = wins ? -1 : 0;
    time += (other.time - time) & mask;
    core += (other.core - core) & static_cast<Index>(mask);
    tree_[i / 2].time = time;
    tree_[i / 2].core = core;
  }
}

Transfers::Transfers(const Architecture& architecture)
    : cores_(architecture.cores), resources_(2 * static_cast<std::size_t>(architecture.chips)) {}

Transfers::Served Transfers::serve(const Event& event, Port port, const Work& work) {
  Resource& at = resource(event.core, port);
  const std::int64_t start = std::max(event.time, at.free);
  at.free = start + work.time;
  at.left -= work.time;
  least_ = std::max(least_, at.free + at.left);
  (port == Port::bus ? busy_.bus : busy_.memory) += work.time;
  if (work.link == 0) return {start, at.free};
  link_free_ = std::max(at.free, link_free_) + work.link;
  busy_.link += work.link;
  return {start, link_free_};
}

}  // namespace pimbb::crossbar::schedule
