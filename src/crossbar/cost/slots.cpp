// Busy intervals from the start on merge with the new one: what lies between becomes busy as well.
#include "crossbar/cost/slots.hpp"

#include <algorithm>

namespace pimbb::crossbar::cost {

std::int64_t Slots::take(std::int64_t start, std::int64_t count) {
  if (count == 0) return start;
  std::int64_t from = start;  // of the merged interval
  std::int64_t now = start;   // where slots are looked for
  auto next = busy_.upper_bound(start);
  if (next != busy_.begin() && std::prev(next)->second >= start) {
    --next;
    from = next->first;
    now = next->second;
    next = busy_.erase(next);
  }
  while (next != busy_.end() && next->first < now + count) {
    count -= next->first - now;
    now = next->second;
    next = busy_.erase(next);
  }
  const std::int64_t end = now + count;
  const bool adjacent = next != busy_.end() && next->first == end;
  const std::int64_t until = adjacent ? next->second : end;
  if (adjacent) busy_.erase(next);
  busy_.emplace(from, until);
  return end;
}

}  // namespace pimbb::crossbar::cost
