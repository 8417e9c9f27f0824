// Steps on copies of a mapping; the rules are asked at the end.
#include "crossbar/schedule/neighbours.hpp"

#include <algorithm>

#include "crossbar/partition/shares.hpp"

namespace pimbb::crossbar::schedule {

Neighbours::Neighbours(const Architecture& architecture, const Partition& partition,
                       std::uint64_t seed)
    : a_(architecture), p_(partition), numbers_(seed) {
  for (std::size_t v = 0; v < p_.arrays.size(); ++v) {
    const auto parts = std::ranges::count(p_.arrays, p_.arrays[v].family, &ArrayNode::family);
    if (parts == 1 && p_.arrays[v].windows > 1) replicable_.push_back(v);
  }
}

std::optional<Mapping> Neighbours::draw(const Mapping& from) {
  Mapping mapping = from;
  bool possible = false;
  switch (below(4)) {
    case 0: possible = move(mapping); break;
    case 1: possible = exchange(mapping); break;
    case 2: possible = grow(mapping); break;
    default: possible = shrink(mapping) && (below(2) == 0 || grow(mapping)); break;
  }
  if (!possible || mapping == from || find_violation(a_, p_, mapping)) return std::nullopt;
  return mapping;
}

std::int64_t Neighbours::room(const Mapping& mapping, std::size_t core) const {
  return a_.core.crossbars - partition::crossbars_of(p_, mapping.cores[core]);
}

std::int64_t Neighbours::amount(const Share& share) {
  switch (below(3)) {
    case 0: return share.groups;
    case 1: return std::min(share.groups, p_.arrays[share.array].groups);
    default: return 1;
  }
}

bool Neighbours::put(Mapping& mapping, std::size_t core, std::size_t array,
                     std::int64_t groups) const {
  if (room(mapping, core) < groups * p_.arrays[array].width) return false;
  partition::add_groups(mapping.cores[core], array, groups);
  return true;
}

bool Neighbours::move(Mapping& mapping) {
  const std::size_t from = below(mapping.cores.size());
  const std::size_t to = below(mapping.cores.size());
  if (from == to || mapping.cores[from].empty()) return false;
  const Share share = mapping.cores[from][below(mapping.cores[from].size())];
  const std::int64_t groups = amount(share);
  partition::take_groups(mapping.cores[from], share.array, groups);
  return put(mapping, to, share.array, groups);
}

bool Neighbours::exchange(Mapping& mapping) {
  const std::size_t one = below(mapping.cores.size());
  const std::size_t other = below(mapping.cores.size());
  if (one == other || mapping.cores[one].empty() || mapping.cores[other].empty()) return false;
  const Share a = mapping.cores[one][below(mapping.cores[one].size())];
  const Share b = mapping.cores[other][below(mapping.cores[other].size())];
  if (a.array == b.array) return false;
  const std::int64_t from_one = amount(a);
  const std::int64_t from_other = amount(b);
  partition::take_groups(mapping.cores[one], a.array, from_one);
  partition::take_groups(mapping.cores[other], b.array, from_other);
  return put(mapping, other, a.array, from_one) && put(mapping, one, b.array, from_other);
}

bool Neighbours::grow(Mapping& mapping) {
  if (replicable_.empty()) return false;
  const std::size_t v = replicable_[below(replicable_.size())];
  if (mapping.replication[v] == p_.arrays[v].windows) return false;
  ++mapping.replication[v];
  std::int64_t left = p_.arrays[v].groups;
  const std::size_t first = below(mapping.cores.size());
  for (const std::int64_t least : {left, std::int64_t{1}}) {  // as a whole, or where there is room
    for (std::size_t i = 0; i < mapping.cores.size() && left > 0; ++i) {
      const std::size_t core = (first + i) % mapping.cores.size();
      const std::int64_t fit = std::min(left, room(mapping, core) / p_.arrays[v].width);
      if (fit >= least && put(mapping, core, v, fit)) left -= fit;
    }
  }
  return left == 0;
}

bool Neighbours::shrink(Mapping& mapping) {
  if (replicable_.empty()) return false;
  const std::size_t v = replicable_[below(replicable_.size())];
  if (mapping.replication[v] == 1) return false;
  --mapping.replication[v];
  std::int64_t left = p_.arrays[v].groups;
  const std::size_t first = below(mapping.cores.size());
  for (std::size_t i = 0; i < mapping.cores.size() && left > 0; ++i) {
    const std::size_t core = (first + i) % mapping.cores.size();
    const std::int64_t groups = std::min(left, partition::groups_of(mapping.cores[core], v));
    if (groups == 0) continue;
    partition::take_groups(mapping.cores[core], v, groups);
    left -= groups;
  }
  return true;
}

}  // namespace pimbb::crossbar::schedule
