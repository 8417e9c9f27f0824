// Shares of cores stay sorted by node.
#include "crossbar/heuristic/filling.hpp"

#include <algorithm>
#include <cassert>

namespace pimbb::crossbar::heuristic {
namespace {

auto place_of(const std::vector<Share>& core, std::size_t array) {
  return std::ranges::lower_bound(core, array, {}, &Share::array);
}

bool is_at(const std::vector<Share>& core, std::vector<Share>::const_iterator place,
           std::size_t array) {
  return place != core.end() && place->array == array;
}

}  // namespace

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
    std::int64_t left = a_.core.crossbars;
    for (const Share& share : core) left -= p_.arrays[share.array].width * share.groups;
    free_.push_back(left);
  }
}

std::int64_t Filling::held(std::size_t core, std::size_t array) const {
  const std::vector<Share>& shares = mapping_.cores[core];
  const auto place = place_of(shares, array);
  return is_at(shares, place, array) ? place->groups : 0;
}

std::int64_t Filling::room(std::size_t core, std::size_t array) const {
  const std::int64_t groups = free_[core] / p_.arrays[array].width;
  if (groups == 0) return 0;
  const bool has_slot = static_cast<std::int64_t>(mapping_.cores[core].size()) < a_.core.max_nodes;
  return has_slot || held(core, array) > 0 ? groups : 0;
}

void Filling::put(std::size_t core, std::size_t array, std::int64_t groups) {
  assert(groups > 0 && groups <= room(core, array));
  std::vector<Share>& shares = mapping_.cores[core];
  const auto place = shares.begin() + (place_of(shares, array) - shares.begin());
  if (is_at(shares, place, array)) {
    place->groups += groups;
  } else {
    shares.insert(place, {array, groups});
  }
  free_[core] -= p_.arrays[array].width * groups;
}

void Filling::take(std::size_t core, std::size_t array, std::int64_t groups) {
  assert(groups > 0 && groups <= held(core, array));
  std::vector<Share>& shares = mapping_.cores[core];
  const auto place = shares.begin() + (place_of(shares, array) - shares.begin());
  place->groups -= groups;
  if (place->groups == 0) shares.erase(place);
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

}  // namespace pimbb::crossbar::heuristic
