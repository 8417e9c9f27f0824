// Arrivals are bounded in parallel and collected in their order. Most are never looked at, so they
// are put in order only as far as they are asked for.
#include "dram_pim/mapper/root_bounds.hpp"

#include <numeric>
#include <span>

#include "dram_pim/mapper/symmetry.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

using HopefulSpan = std::span<RootBounds::Hopeful>;

/// Puts the `count` least arrivals first, and the one that comes after them next. The least of each
/// chunk are found in parallel; the least of all are among them.
void put_least_first(HopefulSpan all, std::size_t count, const std::function<void()>& check) {
  const std::size_t chunk = std::max<std::size_t>(4 * count, std::size_t{1} << 13);
  std::vector<HopefulSpan> chunks;
  for (std::size_t k = 0; k < all.size(); k += chunk) {
    chunks.push_back(all.subspan(k, std::min(chunk, all.size() - k)));
  }
  run::parallel_for(chunks.size(), [&](std::size_t k) {
    check();
    const std::size_t some = std::min(count + 1, chunks[k].size());
    std::ranges::nth_element(chunks[k], chunks[k].begin() + static_cast<std::ptrdiff_t>(some - 1));
    chunks[k] = chunks[k].first(some);
  });
  if (chunks.size() == 1) return;
  std::vector<RootBounds::Hopeful> least;
  for (const HopefulSpan& some : chunks) least.insert(least.end(), some.begin(), some.end());
  std::ranges::nth_element(least, least.begin() + static_cast<std::ptrdiff_t>(count));
  const RootBounds::Hopeful next = least[count];
  std::size_t place = 0;  // of one that is not among the least
  for (const HopefulSpan& some : std::span(chunks).subspan(1)) {
    for (RootBounds::Hopeful& arrival : some) {
      if (!(arrival < next)) continue;
      while (all[place] < next) ++place;
      std::swap(all[place], arrival);
    }
  }
  for (const HopefulSpan& some : chunks) {
    const auto found = std::ranges::find(some, next);
    if (found != some.end()) return std::swap(*found, all[count]);
  }
}

/// Puts arrivals in an order in which each of `places` has what it would have if all were sorted,
/// and nothing less comes behind it: in the time of a few passes instead of a sort's.
void separate(HopefulSpan arrivals, std::span<const std::size_t> places,
              const std::function<void()>& check, std::size_t first = 0) {
  if (places.empty()) return;
  check();
  const std::size_t half = places.size() / 2;
  const std::size_t middle = places[half] - first;
  std::ranges::nth_element(arrivals, arrivals.begin() + static_cast<std::ptrdiff_t>(middle));
  run::parallel_for(2, [&](std::size_t k) {
    if (k == 0) return separate(arrivals.first(middle), places.first(half), check, first);
    separate(arrivals.subspan(middle + 1), places.subspan(half + 1), check, first + middle + 1);
  });
}

}  // namespace

RootBounds::RootBounds(const Instance& instance, const Storage& storage, const CostToGo& cost_to_go,
                       const Target& target, const Rules& rules, const Wide* cutoff,
                       const MakeJoint& make_joint, const std::function<void()>& check) {
  const Given given{instance, storage, cost_to_go, target, rules, cutoff, check};
  std::vector<std::size_t> among(instance.arrivals.size());
  std::iota(among.begin(), among.end(), std::size_t{0});
  add_all(given, among, nullptr);
  if (!arrivals.empty()) {
    among.clear();
    for (const Hopeful& arrival : arrivals) among.push_back(arrival.second);
    if (const JointRows* joint = make_joint(among)) {
      const LeastBounds unlisted = unlisted_;  // not among them
      *this = RootBounds();
      add_all(given, among, joint);
      include(unlisted);
    }
  }
}

/// Puts some more parts in place, four times as many arrivals as before.
void RootBounds::part_more(const std::function<void()>& check) {
  constexpr std::size_t kPartedAtFirst = 1024;
  const std::size_t most = std::max(kPartedAtFirst, 4 * parted_);
  std::vector<std::size_t> begins;
  std::size_t end = end_of_part(parted_);
  for (; end < std::min(most, arrivals.size()); end = end_of_part(end)) begins.push_back(end);
  const std::size_t first = parted_ + (parted_ > 0 ? 1 : 0);  // the one there is in place
  const HopefulSpan rest = HopefulSpan(arrivals).subspan(first);
  if (end < arrivals.size()) put_least_first(rest, end - first, check);
  separate(rest.first(end - first), begins, check, first);
  parted_ = end;
}

std::vector<RootBounds::Hopeful> RootBounds::part(std::size_t begin,
                                                  const std::function<void()>& check) {
  while (parted_ < end_of_part(begin)) part_more(check);
  const auto place = [&](std::size_t k) {
    return arrivals.begin() + static_cast<std::ptrdiff_t>(k);
  };
  std::vector<Hopeful> some(place(begin), place(end_of_part(begin)));
  std::ranges::sort(some, {}, &Hopeful::second);
  return some;
}

void RootBounds::add_all(const Given& given, const std::vector<std::size_t>& among,
                         const JointRows* joint) {
  constexpr std::size_t kChunk = 1024;
  std::vector<RootBounds> parts(run::chunk_count(among.size(), kChunk), RootBounds());
  run::for_each_chunk(among.size(), kChunk, [&](const run::Chunk& chunk) {
    given.check();
    RootBounds& part = parts[chunk.number];
    for (std::size_t i = chunk.begin; i < chunk.end; ++i) part.add(given, joint, among[i]);
  });
  std::vector<std::size_t> places{0};
  for (const RootBounds& part : parts) {
    places.push_back(places.back() + part.arrivals.size());
    include(part);
    unlisted_.include(part.unlisted_);
  }
  arrivals.resize(places.back());
  run::parallel_for(parts.size(), [&](std::size_t k) {
    const auto place = arrivals.begin() + static_cast<std::ptrdiff_t>(places[k]);
    std::ranges::copy(parts[k].arrivals, place);
    parts[k].arrivals = {};
  });
}

/// Activations of a tensor whose DRAM bank is an open resource add to the transfers still to come.
std::pair<Sums, Int128> RootBounds::least_sums(const Instance& instance, const Storage& storage,
                                               const JointRows* joint, std::size_t i) {
  const Arrival arrival = instance.arrivals[i];
  Sums least;
  least.latency = arrival.least.latency;
  least.energy = arrival.least.energy;
  if (storage.has_open_bank()) {
    const PerTensor<Int128> rows = least_rows(instance.lattice, instance.rows, arrival.step);
    least.open = storage.rows_alone(rows).open;
  }
  Int128 activations = arrival.least.activations;
  if (joint != nullptr) {
    const Int128 missing = std::max<Int128>(0, joint->least(i) - activations);
    activations += missing;
    least.energy += missing * instance.scale.activation_energy;
  }
  return {least, activations};
}

void RootBounds::add(const Given& given, const JointRows* joint, std::size_t i) {
  const Instance& instance = given.instance;
  const Storage& storage = given.storage;
  const TileIndex to = instance.arrivals[i].step.to.tile;
  const bool upright_only = instance.turns && given.rules.has(Rule::symmetry);
  if (upright_only && !is_upright(instance.lattice[to])) return;
  const CostToGo::Entry rest = given.cost_to_go.below_row_buffer(to);
  const auto [least, activations] = least_sums(instance, storage, joint, i);
  const Wide own = given.target.bound(least, given.cost_to_go, rest, activations);
  const bool prunes = given.rules.has(Rule::lattice);
  if (prunes && own >= Wide::infinity()) return;
  Int128 slowest = std::max(least.latency, rest.latency());
  for (std::size_t k = 0; k < storage.open_count(); ++k) {
    slowest = std::max(slowest, least.open[k] + rest.open(k));
  }
  const LeastBounds bounds{own, slowest, least.energy + rest.least_energy()};
  include(bounds);
  if (prunes && given.cutoff != nullptr && own >= *given.cutoff) {
    unlisted_.include(bounds);
  } else {
    arrivals.emplace_back(own, i);
  }
}

}  // namespace pimbb::dram_pim::mapper
