// A step draws two cores, a late one more often than not, and what they exchange.
#include "crossbar/assign/exchange.hpp"

#include <algorithm>
#include <numeric>

#include "crossbar/assign/core_time.hpp"
#include "crossbar/partition/placement.hpp"

namespace pimbb::crossbar::assign {

namespace {

constexpr std::uint64_t kStepsBetweenStops = 1024;
constexpr std::uint64_t kStepsBetweenMends = 256;  // for each core
constexpr std::uint64_t kMostReturned = 6;  // array groups in exchange for those of another node

}  // namespace

Exchange::Exchange(const Problem& problem, const Mapping& mapping, std::uint64_t seed)
    : problem_(problem), replication_(mapping.replication), random_(seed) {
  std::vector<std::size_t> rank(replication_.size());
  for (std::size_t v = 0; v < replication_.size(); ++v) {
    const ArrayNode& array = problem.p.arrays[v];
    kinds_.push_back({v, array.width, partition::cycles(array, replication_[v])});
  }
  std::ranges::stable_sort(kinds_, std::greater<>{}, &Kind::cycles);
  for (std::size_t k = 0; k < kinds_.size(); ++k) rank[kinds_[k].array] = k;
  for (const std::vector<Share>& shares : mapping.cores) {
    Core& core = cores_.emplace_back();
    core.room = problem.crossbars;
    for (const Share& share : shares) {
      core.held.push_back({rank[share.array], share.groups});
      core.room -= share.groups * problem.p.arrays[share.array].width;
    }
    std::ranges::sort(core.held, {}, &Held::rank);
    core.time = time_with(core, {0, 0, 0, 0});
  }
}

std::int64_t Exchange::time() const { return std::ranges::max(cores_, {}, &Core::time).time; }

Mapping Exchange::mapping() const {
  Mapping mapping{replication_, {}};
  for (const Core& core : cores_) {
    std::vector<Share>& shares = mapping.cores.emplace_back();
    for (const Held& held : core.held) shares.push_back({kinds_[held.rank].array, held.groups});
    std::ranges::sort(shares, {}, &Share::array);
  }
  return mapping;
}

std::int64_t Exchange::beyond(std::int64_t time) const {
  return std::max<std::int64_t>(0, time - deadline_);
}

bool Exchange::reach(std::int64_t deadline, std::uint64_t& steps,
                     const std::function<bool()>& stop) {
  deadline_ = deadline;
  late_.clear();
  for (std::size_t c = 0; c < cores_.size(); ++c) {
    if (cores_[c].time > deadline) late_.push_back(c);
  }
  if (cores_.size() < 2) return late_.empty();
  std::uint64_t until_mend = kStepsBetweenMends * cores_.size();
  while (!late_.empty() && steps > 0) {
    if (steps % kStepsBetweenStops == 0 && stop && stop()) break;
    --steps;
    step();
    if (--until_mend > 0) continue;
    if (stop && stop()) break;
    mend(steps);
    until_mend = kStepsBetweenMends * cores_.size();
  }
  return late_.empty();
}

void Exchange::step() {
  const std::size_t from = random_.below(4) > 0
                               ? late_[random_.below(late_.size())]
                               : static_cast<std::size_t>(random_.below(cores_.size()));
  std::size_t to = random_.below(cores_.size() - 1);
  to += to >= from ? 1 : 0;
  const Core& a = cores_[from];
  const Core& b = cores_[to];
  if (a.held.empty()) return;
  const Held& given = a.held[random_.below(a.held.size())];
  Change give{given.rank, 1, 0, 0};
  if (random_.below(4) == 0) {
    give.outs = 1 + static_cast<std::int64_t>(random_.below(4));
    if (give.outs > given.groups) return;
  }
  const auto returned = static_cast<std::int64_t>(random_.below(kMostReturned + 1));
  if (returned > 0 && !b.held.empty()) {
    const Held& back = b.held[random_.below(b.held.size())];
    if (back.rank == give.out || back.groups < returned) return;
    give.in = back.rank;
    give.ins = returned;
  }
  const Change take{give.in, give.ins, give.out, give.outs};
  if (!admits(a, give) || !admits(b, take)) return;
  const std::int64_t time_a = time_with(a, give);
  const std::int64_t time_b = time_with(b, take);
  if (beyond(time_a) + beyond(time_b) > beyond(a.time) + beyond(b.time)) return;
  apply(from, give, time_a);
  apply(to, take, time_b);
}

bool Exchange::admits(const Core& core, const Change& change) const {
  if (core.room + change.outs * kinds_[change.out].width < change.ins * kinds_[change.in].width) {
    return false;
  }
  auto nodes = static_cast<std::int64_t>(core.held.size());
  bool holds = change.ins == 0;
  for (const Held& held : core.held) {
    if (change.outs > 0 && held.rank == change.out && held.groups == change.outs) --nodes;
    if (held.rank == change.in) holds = true;
  }
  return nodes + (holds ? 0 : 1) <= problem_.a.core.max_nodes;
}

std::int64_t Exchange::time_with(const Core& core, const Change& change) const {
  CoreTime time(problem_.a.mvm);
  bool added = change.ins == 0;
  for (const Held& held : core.held) {
    if (!added && change.in < held.rank) {
      time.add(change.ins, kinds_[change.in].cycles);
      added = true;
    }
    std::int64_t groups = held.groups;
    if (held.rank == change.out) groups -= change.outs;
    if (!added && held.rank == change.in) {
      groups += change.ins;
      added = true;
    }
    time.add(groups, kinds_[held.rank].cycles);
  }
  if (!added) time.add(change.ins, kinds_[change.in].cycles);
  return time.take();
}

void Exchange::apply(std::size_t index, const Change& change, std::int64_t time) {
  Core& core = cores_[index];
  core.room += change.outs * kinds_[change.out].width - change.ins * kinds_[change.in].width;
  if (change.outs > 0) {
    const auto held = std::ranges::find(core.held, change.out, &Held::rank);
    held->groups -= change.outs;
    if (held->groups == 0) core.held.erase(held);
  }
  if (change.ins > 0) {
    const auto place = std::ranges::lower_bound(core.held, change.in, {}, &Held::rank);
    if (place != core.held.end() && place->rank == change.in) {
      place->groups += change.ins;
    } else {
      core.held.insert(place, {change.in, change.ins});
    }
  }
  set_time(index, time);
}

void Exchange::set_time(std::size_t index, std::int64_t time) {
  const bool was_late = cores_[index].time > deadline_;
  cores_[index].time = time;
  if (was_late && time <= deadline_) std::erase(late_, index);
  if (!was_late && time > deadline_) late_.push_back(index);
}

}  // namespace pimbb::crossbar::assign
