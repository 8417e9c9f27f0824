// The timeline of a resource in slots of 1 ns, as the tool of PIMCOMP has it: a transfer of q ns
// from time s takes the q earliest free slots from s on, whether they are adjacent or not.
#pragma once

#include <cstdint>
#include <map>

namespace pimbb::crossbar::cost {

class Slots {
 public:
  /// Takes `count` slots from `start` on; returns the end of the last one, `start` if there is
  /// none.
  std::int64_t take(std::int64_t start, std::int64_t count);

 private:
  std::map<std::int64_t, std::int64_t> busy_;  ///< disjoint, not adjacent intervals: start, end
};

}  // namespace pimbb::crossbar::cost
