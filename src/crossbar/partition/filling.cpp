// What is free is kept beside the shares.
#include "crossbar/partition/filling.hpp"

#include <algorithm>
#include <cassert>

#include "crossbar/partition/shares.hpp"

namespace pimbb::crossbar::partition {

Filling::Filling(const Architecture& architecture, const Partition& partition)
    : a_(architecture),
      p_(partition),
      free_(static_cast<std::size_t>(architecture.all_cores()), architecture.core.crossbars) {
  mapping_.replication.assign(partition.arrays.size(), 0);
  mapping_.cores.resize(free_.size());
}

Filling::Filling(const Architecture& architecture, const Partition& partition, Mapping mapping)
    : a_(architecture), p_(partition), mapping_(std::move(mapping)) {
  for (const std::vector<Share>& core : mapping_.cores) {
    free_.push_back(a_.core.crossbars - crossbars_of(p_, core));
  }
}

std::int64_t Filling::held(std::size_t core, std::size_t array) const {
  return groups_of(mapping_.cores[core], array);
}

std::int64_t Filling::room(std::size_t core, std::size_t array) const {
  const std::int64_t groups = free_[core] / p_.arrays[array].width;
  if (groups == 0) return 0;
  const bool has_slot = static_cast<std::int64_t>(mapping_.cores[core].size()) < a_.core.max_nodes;
  return has_slot || held(core, array) > 0 ? groups : 0;
}

void Filling::put(std::size_t core, std::size_t array, std::int64_t groups) {
  assert(groups > 0 && groups <= room(core, array));
  add_groups(mapping_.cores[core], array, groups);
  free_[core] -= p_.arrays[array].width * groups;
}

void Filling::take(std::size_t core, std::size_t array, std::int64_t groups) {
  assert(groups > 0 && groups <= held(core, array));
  take_groups(mapping_.cores[core], array, groups);
  free_[core] += p_.arrays[array].width * groups;
}

std::int64_t Filling::put_first_fit(std::size_t array, std::int64_t groups) {
  for (std::size_t core = 0; core < free_.size() && groups > 0; ++core) {
    const std::int64_t here = std::min(groups, room(core, array));
    if (here == 0) continue;
    put(core, array, here);
    groups -= here;
  }
  return groups;
}

}  // namespace pimbb::crossbar::partition
