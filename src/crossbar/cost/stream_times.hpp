// What both schedules count: transfers by their resource, and passes of the vector unit.
#pragma once

#include "crossbar/cost/streams.hpp"

namespace pimbb::crossbar::cost {

class StreamCounter {
 public:
  StreamCounter(const Architecture& architecture, const Partition& partition);

  /// `times` loads or stores of so many elements by a core.
  void access(std::int64_t core, std::int64_t times, std::int64_t elements);
  /// `times` messages of so many elements; over the link as well if some receiver is on another
  /// chip.
  void send(std::int64_t core, std::int64_t times, std::int64_t elements, bool to_other_chip);
  [[nodiscard]] std::int64_t chip(std::int64_t core) const { return core / a_.cores; }
  /// VVADD and ACT of an array node; VEC of a vector node.
  void add_vector_work();
  void activate(std::int64_t core) { times_.active[static_cast<std::size_t>(core)] = true; }
  [[nodiscard]] StreamTimes take() && { return std::move(times_); }

 private:
  const Architecture& a_;
  const Partition& p_;
  StreamTimes times_;
};

}  // namespace pimbb::crossbar::cost
