// Arrivals are bounded in parallel and collected in their order.
#include "dram_pim/mapper/root_bounds.hpp"

#include <numeric>
#include <span>

#include "dram_pim/mapper/symmetry.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::dram_pim::mapper {
namespace {

/// Puts arrivals in an order in which each of `places` has what it would have if all were sorted,
/// and nothing less comes behind it: in the time of a few passes instead of a sort's.
void separate(std::span<RootBounds::Hopeful> arrivals, std::span<const std::size_t> places,
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
  make_parts(check);
}

void RootBounds::make_parts(const std::function<void()>& check) {
  std::vector<std::size_t> begins;
  for (std::size_t k = end_of_part(0); k < arrivals.size(); k = end_of_part(k)) begins.push_back(k);
  separate(arrivals, begins, check);
}

std::vector<RootBounds::Hopeful> RootBounds::part(std::size_t begin) const {
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
  std::vector<RootBounds> parts((among.size() + kChunk - 1) / kChunk, RootBounds());
  run::parallel_for(parts.size(), [&](std::size_t k) {
    given.check();
    for (std::size_t i = k * kChunk; i < std::min(among.size(), (k + 1) * kChunk); ++i) {
      parts[k].add(given, joint, among[i]);
    }
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
