// Exchanges of bundles: array groups of at most two nodes for those of at most two others.
//
// Single array groups differ by few numbers of cycles, which have many factors in common: what a
// late core has too much of is often no difference of two of them. Bundles have thousands of
// differences. Those of one core are sorted by work, so that for each bundle of the other one the
// few that take away enough work, but no more than the other core has time for, are next to each
// other. Work is proportional to time in cores that always have enough to multiply; the time of
// what is found is computed.
#include <algorithm>

#include "crossbar/assign/core_time.hpp"
#include "crossbar/assign/exchange.hpp"

namespace pimbb::crossbar::assign {
namespace {

constexpr std::int64_t kMostOfKind = 6;  // array groups of a node in a bundle
constexpr std::size_t kManyKinds = 12;   // in a core; of each, fewer go into a bundle
constexpr int kMostLooks = 64;           // exchanges whose times are computed, for two cores

}  // namespace

std::vector<Exchange::Bundle> Exchange::bundles(const Core& core) const {
  const std::int64_t most = core.held.size() > kManyKinds ? 2 : kMostOfKind;
  std::vector<Bundle> all(1);
  const auto extend = [&](const Bundle& base, const Held& held) {
    for (std::int64_t n = 1; n <= std::min(most, held.groups); ++n) {
      Bundle more = base;
      more.held.push_back({held.rank, n});
      more.work += n * kinds_[held.rank].cycles;
      more.crossbars += n * kinds_[held.rank].width;
      all.push_back(std::move(more));
    }
  };
  for (std::size_t i = 0; i < core.held.size(); ++i) {
    const std::size_t first = all.size();
    extend({}, core.held[i]);
    const std::size_t last = all.size();
    for (std::size_t j = 0; j < i; ++j) {
      for (std::size_t single = first; single < last; ++single) {
        const Bundle base = all[single];
        extend(base, core.held[j]);
      }
    }
  }
  std::ranges::stable_sort(all, {}, &Bundle::work);
  return all;
}

std::optional<Exchange::Core> Exchange::exchanged(const Core& core, const Bundle& out,
                                                  const Bundle& in) const {
  Core result = core;
  result.room += out.crossbars - in.crossbars;
  if (result.room < 0) return std::nullopt;
  for (const Held& held : out.held) {
    std::ranges::find(result.held, held.rank, &Held::rank)->groups -= held.groups;
  }
  std::erase_if(result.held, [](const Held& held) { return held.groups == 0; });
  for (const Held& held : in.held) {
    const auto place = std::ranges::lower_bound(result.held, held.rank, {}, &Held::rank);
    if (place != result.held.end() && place->rank == held.rank) {
      place->groups += held.groups;
    } else {
      result.held.insert(place, held);
    }
  }
  if (static_cast<std::int64_t>(result.held.size()) > problem_.a.core.max_nodes) {
    return std::nullopt;
  }
  CoreTime time(problem_.a.mvm);
  for (const Held& held : result.held) time.add(held.groups, kinds_[held.rank].cycles);
  result.time = time.take();
  return result;
}

void Exchange::replace(std::size_t index, Core&& by) {
  const std::int64_t time = by.time;
  by.time = cores_[index].time;
  cores_[index] = std::move(by);
  set_time(index, time);
}

bool Exchange::exchange_bundles(std::size_t from, std::size_t to, const std::vector<Bundle>& outs,
                                bool wholly) {
  const std::int64_t interval = problem_.a.mvm.interval;
  const Core& a = cores_[from];
  const Core& b = cores_[to];
  const std::int64_t excess = (a.time - deadline_ + interval - 1) / interval;
  const std::int64_t slack = (deadline_ - b.time) / interval;
  const std::int64_t least = wholly ? excess : 1;
  if (slack < least) return false;
  const std::vector<Bundle> ins = bundles(b);
  int looks = 0;
  for (const Bundle& out : outs) {
    if (out.work < least) continue;
    auto in = std::ranges::lower_bound(ins, out.work - slack, {}, &Bundle::work);
    for (; in != ins.end() && in->work <= out.work - least; ++in) {
      if (a.room + out.crossbars < in->crossbars || b.room + in->crossbars < out.crossbars) {
        continue;
      }
      std::optional<Core> new_a = exchanged(a, out, *in);
      std::optional<Core> new_b = exchanged(b, *in, out);
      if (!new_a || !new_b) continue;
      if (beyond(new_a->time) + beyond(new_b->time) < beyond(a.time) + beyond(b.time) &&
          (!wholly || new_a->time <= deadline_)) {
        replace(from, std::move(*new_a));
        replace(to, std::move(*new_b));
        return true;
      }
      if (++looks == kMostLooks) return false;
    }
  }
  return false;
}

bool Exchange::mend_core(std::size_t from, bool wholly, std::uint64_t& steps) {
  const std::vector<Bundle> outs = bundles(cores_[from]);
  const std::size_t first = random_.below(cores_.size());
  for (std::size_t i = 0; i < cores_.size() && steps > 0; ++i) {
    const std::size_t to = (first + i) % cores_.size();
    if (to == from || cores_[to].time >= deadline_) continue;
    steps -= std::min<std::uint64_t>(steps, outs.size());
    if (exchange_bundles(from, to, outs, wholly)) return true;
  }
  return false;
}

void Exchange::mend(std::uint64_t& steps) {
  const std::vector<std::size_t> late = late_;
  for (const std::size_t core : late) {
    if (steps == 0) return;
    if (cores_[core].time <= deadline_) continue;
    if (!mend_core(core, true, steps)) mend_core(core, false, steps);
  }
}

}  // namespace pimbb::crossbar::assign
