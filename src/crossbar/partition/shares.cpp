// Shares are ascending by array.
#include "crossbar/partition/shares.hpp"

#include <algorithm>
#include <cassert>

namespace pimbb::crossbar::partition {

std::int64_t crossbars_of(const Partition& partition, const std::vector<Share>& core) {
  std::int64_t used = 0;
  for (const Share& share : core) used += partition.arrays[share.array].width * share.groups;
  return used;
}

std::int64_t groups_of(const std::vector<Share>& core, std::size_t array) {
  const auto share = std::ranges::lower_bound(core, array, {}, &Share::array);
  return share != core.end() && share->array == array ? share->groups : 0;
}

void add_groups(std::vector<Share>& core, std::size_t array, std::int64_t groups) {
  const auto share = std::ranges::lower_bound(core, array, {}, &Share::array);
  if (share != core.end() && share->array == array) {
    share->groups += groups;
  } else {
    core.insert(share, Share{array, groups});
  }
}

void take_groups(std::vector<Share>& core, std::size_t array, std::int64_t groups) {
  assert(groups <= groups_of(core, array));
  const auto share = std::ranges::lower_bound(core, array, {}, &Share::array);
  share->groups -= groups;
  if (share->groups == 0) core.erase(share);
}

}  // namespace pimbb::crossbar::partition
