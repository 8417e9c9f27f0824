// Replications times placements; those that are not legal are left out.
#include "crossbar/assign/starts.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>

#include "crossbar/assign/balance.hpp"
#include "crossbar/assign/bounds.hpp"
#include "crossbar/assign/chunks.hpp"
#include "crossbar/assign/spread.hpp"
#include "crossbar/partition/filling.hpp"
#include "crossbar/partition/placement.hpp"
#include "run/parallel_for.hpp"

namespace pimbb::crossbar::assign {
namespace {

using Replication = std::vector<std::int64_t>;  // by family

constexpr std::int64_t kCapsOfDoubling = 6;  // about
constexpr std::int64_t kFractions = 16;      // of a given replication

/// Of starts in chunks: cycles, times the fewest whose replicas have room, in quarters; parts of a
/// replica, at most.
constexpr std::array<std::int64_t, 3> kQuarters{5, 6, 8};
constexpr std::array<std::int64_t, 2> kChunks{3, 6};
constexpr std::size_t kExchangesOfChunks = 20'000;

/// Core after core, each up to a level of time.
class Levelling {
 public:
  Levelling(const Problem& problem, const Replication& replication, bool whole)
      : problem_(problem), replication_(problem.by_array(replication)), whole_(whole) {
    order_.resize(replication_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
  }

  void sort_by_cycles() {
    std::ranges::stable_sort(order_, {}, [&](std::size_t v) { return cycles(v); });
  }

  /// With the least level, as far as bisection finds it.
  std::optional<Mapping> run() {
    std::int64_t low = 0;
    std::int64_t high = 1;
    std::optional<Mapping> best = fill(high);
    while (!best && high < kAnyTime) {
      low = high;
      high *= 2;
      best = fill(high);
    }
    while (best && high - low > std::max<std::int64_t>(1, high / 1024)) {
      const std::int64_t middle = low + (high - low) / 2;
      std::optional<Mapping> mapping = fill(middle);
      (mapping ? high : low) = middle;
      if (mapping) best = std::move(mapping);
    }
    return best;
  }

  /// As few cores as possible.
  std::optional<Mapping> filled() { return fill(kAnyTime); }

 private:
  static constexpr std::int64_t kAnyTime = std::int64_t{1} << 60;

  [[nodiscard]] std::int64_t cycles(std::size_t v) const {
    return partition::cycles(problem_.p.arrays[v], replication_[v]);
  }

  /// Array groups that a core may hold for `level` ns if their node has the most cycles in it: at
  /// least one.
  [[nodiscard]] std::int64_t most_groups(std::size_t v, std::int64_t level) const {
    const Mvm& mvm = problem_.a.mvm;
    const std::int64_t started = (level / cycles(v) - mvm.time) / mvm.interval + 1;
    return std::max<std::int64_t>(1, started);
  }

  [[nodiscard]] std::optional<Mapping> fill(std::int64_t level) const {
    partition::Filling filling(problem_.a, problem_.p);
    std::size_t core = 0;
    std::int64_t held = 0;  // by the core
    for (const std::size_t v : order_) {
      filling.replication(v) = replication_[v];
      const std::int64_t all = problem_.p.arrays[v].groups;
      for (std::int64_t left = all * replication_[v]; left > 0;) {
        if (core == static_cast<std::size_t>(problem_.cores)) return std::nullopt;
        std::int64_t here = std::min({left, filling.room(core, v), most_groups(v, level) - held});
        const bool fits =
            most_groups(v, level) >= all && problem_.crossbars >= all * problem_.p.arrays[v].width;
        if (whole_ && fits) here -= here % all;
        if (here <= 0) {
          ++core;
          held = 0;
          continue;
        }
        filling.put(core, v, here);
        held += here;
        left -= here;
      }
    }
    return filling.mapping();
  }

  const Problem& problem_;
  std::vector<std::int64_t> replication_;  // by array
  bool whole_;                             // replicas, where a core can hold one
  std::vector<std::size_t> order_;
};

std::set<Replication> replications(const Problem& problem, const Replication& given) {
  std::set<Replication> all;
  const auto bounds = throughput_bounds(problem);
  if (!bounds) return all;
  const std::int64_t most = std::ranges::max(problem.families, {}, &Family::windows).windows;
  for (std::int64_t cap = bounds->cycles / problem.a.mvm.time; cap <= most;
       cap += 1 + cap / kCapsOfDoubling) {
    if (auto usual = usual_replication(problem, cap)) all.insert(std::move(*usual));
    Replication fewest = problem.least_replication(cap);
    if (problem.has_room(fewest)) all.insert(std::move(fewest));
  }
  all.insert(Replication(problem.families.size(), 1));
  for (std::int64_t part = 1; part <= kFractions && !given.empty(); ++part) {
    Replication less;
    for (const std::int64_t r : given) {
      less.push_back(std::max<std::int64_t>(1, r * part / kFractions));
    }
    all.insert(std::move(less));
  }
  return all;
}

std::vector<Mapping> in_chunks(const Problem& problem, const std::function<bool()>& stop) {
  const auto bounds = throughput_bounds(problem);
  if (!bounds) return {};
  const std::int64_t fewest = bounds->cycles / problem.a.mvm.time;
  std::array<std::optional<Mapping>, kQuarters.size() * kChunks.size()> found;
  run::parallel_for(found.size(), [&](std::size_t i) {
    const std::int64_t cycles = ceil_div(fewest * kQuarters[i / kChunks.size()], 4);
    found[i] = balanced_chunks(problem, problem.least_replication(cycles),
                               kChunks[i % kChunks.size()], kExchangesOfChunks, stop);
  });
  std::vector<Mapping> mappings;
  for (std::optional<Mapping>& mapping : found) {
    if (!mapping || find_violation(problem.a, problem.p, *mapping)) continue;
    mappings.push_back(std::move(*mapping));
  }
  return mappings;
}

}  // namespace

std::vector<Mapping> starting_mappings(const Problem& problem, const Replication& replication,
                                       const std::function<bool()>& stop) {
  const std::set<Replication> chosen = replications(problem, replication);
  const std::vector<Replication> all(chosen.begin(), chosen.end());
  std::vector<std::vector<Mapping>> found(all.size());
  run::parallel_for(all.size(), [&](std::size_t i) {
    const auto keep = [&](std::optional<Mapping> mapping) {
      if (!mapping || find_violation(problem.a, problem.p, *mapping)) return;
      found[i].push_back(std::move(*mapping));
    };
    keep(dealt_out(problem, all[i], problem.crossbars));
    keep(spread(problem, all[i]));
    Levelling groups(problem, all[i], /*whole=*/false);
    keep(groups.filled());  // in the order of the network
    groups.sort_by_cycles();
    keep(groups.filled());
    keep(groups.run());
    Levelling replicas(problem, all[i], /*whole=*/true);
    replicas.sort_by_cycles();
    keep(replicas.run());
    keep(first_fit(problem, all[i]));
  });
  std::vector<Mapping> mappings = in_chunks(problem, stop);
  for (std::vector<Mapping>& each : found) std::ranges::move(each, std::back_inserter(mappings));
  return mappings;
}

}  // namespace pimbb::crossbar::assign
