// Replication by least idle work, dealing out, exchange.
#include "crossbar/assign/balance.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "crossbar/assign/exchange.hpp"
#include "crossbar/assign/levels.hpp"
#include "crossbar/partition/filling.hpp"
#include "crossbar/partition/placement.hpp"
#include "exact/int128.hpp"

namespace pimbb::crossbar::assign {
namespace {

/// The option of least idle work among those of less than twice the replicas of the first.
const Option& least_idle(const std::vector<Option>& all) {
  const Option* best = &all.front();
  for (const Option& option : all) {
    if (option.replication >= 2 * all.front().replication) break;
    if (option.work() < best->work()) best = &option;
  }
  return *best;
}

constexpr std::uint64_t kMostHalvings = 6;  // of the cap of a family
constexpr std::uint64_t kDeadlines = 16;    // that may be tried with all steps of a start

/// Replications of a family, from what is wanted to what must be.
using Choices = std::array<std::int64_t, 3>;

/// The family that takes most more in step `step` than in the next one is content with that.
bool give_way(const Problem& problem, const std::vector<Choices>& choices, std::size_t step,
              std::vector<std::int64_t>& chosen) {
  std::size_t worst = 0;
  Int128 most = 0;
  for (std::size_t f = 0; f < chosen.size(); ++f) {
    const Int128 more = Int128{problem.families[f].crossbars} * (chosen[f] - choices[f][step + 1]);
    if (more <= most) continue;
    most = more;
    worst = f;
  }
  if (most > 0) chosen[worst] = choices[worst][step + 1];
  return most > 0;
}

/// One of the options that idle little, by chance: different cycles make times easy to balance.
/// `idle` is what is left of the idle multiplications that all families may have.
const Option& one_of(const std::vector<Option>& all, std::int64_t groups, std::int64_t windows,
                     std::int64_t& idle, SplitMix64& random) {
  std::vector<const Option*> little;
  for (const Option& option : all) {
    if (option.replication >= 4 * all.front().replication) break;
    if (Int128{groups} * (option.work() - windows) <= idle) little.push_back(&option);
  }
  if (little.empty()) return least_idle(all);
  const Option& chosen = *little[random.below(little.size())];
  idle -= groups * (chosen.work() - windows);
  return chosen;
}

/// By family; nothing if the cap leaves too little room.
std::optional<std::vector<std::int64_t>> choose_replication(const Problem& problem,
                                                            const Start& start,
                                                            SplitMix64& random) {
  std::vector<Choices> choices;
  std::vector<std::int64_t> chosen;
  std::int64_t idle = start.idle;
  const bool halved = start.varied && random.below(2) == 0;
  for (const Family& family : problem.families) {
    const std::int64_t most = problem.all_crossbars() / family.crossbars;
    const std::vector<Option> allowed = options(family.windows, start.cap, most);
    if (allowed.empty()) return std::nullopt;
    const std::int64_t usual = least_idle(allowed).replication;
    std::int64_t wanted = usual;
    if (halved) {
      const std::int64_t cap =
          std::max<std::int64_t>(1, start.cap >> random.below(kMostHalvings + 1));
      const std::vector<Option> lower = options(family.windows, cap, most);
      if (!lower.empty()) wanted = least_idle(lower).replication;
    } else if (start.varied && random.below(2) == 0) {
      wanted = one_of(allowed, family.groups, family.windows, idle, random).replication;
    }
    choices.push_back({wanted, usual, allowed.front().replication});
    chosen.push_back(wanted);
  }
  for (std::size_t step = 0; !problem.has_room(chosen);) {
    if (give_way(problem, choices, step, chosen)) continue;
    if (++step == 2) return std::nullopt;
  }
  return chosen;
}

class Dealer {
 public:
  Dealer(const Problem& problem, const std::vector<std::int64_t>& replication)
      : problem_(problem),
        filling_(problem.a, problem.p),
        load_(static_cast<std::size_t>(problem.cores), 0) {
    for (std::size_t v = 0; v < replication.size(); ++v) filling_.replication(v) = replication[v];
  }

  /// Array groups of `wide` nodes evenly, then those of most cycles first.
  std::optional<Mapping> by_cycles(std::int64_t wide) {
    std::vector<std::size_t> wide_ones;
    std::vector<std::size_t> narrow_ones;
    for (std::size_t v = 0; v < problem_.p.arrays.size(); ++v) {
      (problem_.p.arrays[v].width >= wide ? wide_ones : narrow_ones).push_back(v);
    }
    std::ranges::stable_sort(wide_ones, std::greater<>{},
                             [&](std::size_t v) { return problem_.p.arrays[v].width; });
    std::ranges::stable_sort(narrow_ones, std::greater<>{},
                             [&](std::size_t v) { return cycles(v); });
    const auto used = [this](std::size_t c) { return problem_.crossbars - filling_.free(c); };
    const auto load = [this](std::size_t c) { return load_[c]; };
    if (!deal(wide_ones, used) || !deal(narrow_ones, load)) return std::nullopt;
    return filling_.mapping();
  }

  /// Wide ones first: no room is lost if each width divides the next one.
  std::optional<Mapping> by_width() {
    std::vector<std::size_t> order(problem_.p.arrays.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t v) {
      return std::pair(problem_.p.arrays[v].width, cycles(v));
    });
    const auto load = [this](std::size_t c) { return load_[c]; };
    if (!deal(order, load)) return std::nullopt;
    return filling_.mapping();
  }

 private:
  [[nodiscard]] std::int64_t replication(std::size_t v) const {
    return filling_.mapping().replication[v];
  }
  [[nodiscard]] std::int64_t cycles(std::size_t v) const {
    return partition::cycles(problem_.p.arrays[v], replication(v));
  }

  /// Each array group to the core of least `measure` that has room.
  template <class Measure>
  bool deal(const std::vector<std::size_t>& arrays, const Measure& measure) {
    std::set<std::pair<std::int64_t, std::size_t>> open;
    for (std::size_t c = 0; c < load_.size(); ++c) open.emplace(measure(c), c);
    for (const std::size_t v : arrays) {
      for (std::int64_t left = problem_.p.arrays[v].groups * replication(v); left > 0; --left) {
        const auto place = std::ranges::find_if(
            open, [&](const auto& entry) { return filling_.room(entry.second, v) > 0; });
        if (place == open.end()) return false;
        const std::size_t c = place->second;
        open.erase(place);
        filling_.put(c, v, 1);
        load_[c] += cycles(v);
        if (filling_.free(c) > 0) open.emplace(measure(c), c);
      }
    }
    return true;
  }

  const Problem& problem_;
  partition::Filling filling_;
  std::vector<std::int64_t> load_;  // multiplications, by core
};

}  // namespace

std::optional<std::vector<std::int64_t>> usual_replication(const Problem& problem,
                                                           std::int64_t cap) {
  SplitMix64 none(0);
  Start start;
  start.cap = cap;
  return choose_replication(problem, start, none);
}

std::optional<Mapping> dealt_out(const Problem& problem,
                                 const std::vector<std::int64_t>& replication, std::int64_t wide) {
  const std::vector<std::int64_t> r = problem.by_array(replication);
  std::optional<Mapping> mapping = Dealer(problem, r).by_cycles(wide);
  return mapping ? mapping : Dealer(problem, r).by_width();
}

Balanced balance(const Problem& problem, const Start& start, std::int64_t target,
                 const std::function<bool()>& stop) {
  SplitMix64 random(start.seed);
  Balanced result;
  if (start.from != nullptr) {
    result.mapping = *start.from;
  } else if (start.levels) {
    result.mapping = dealt_by_levels(problem, target, start.idle, random);
    if (!result.mapping) return result;
  } else {
    const auto replication = choose_replication(problem, start, random);
    if (!replication) return result;
    result.mapping = dealt_out(problem, *replication, start.wide);
    if (!result.mapping) return result;
  }
  Exchange exchange(problem, *result.mapping, random());
  result.time = exchange.time();
  const auto keep = [&] {
    if (exchange.time() >= result.time) return;
    result.time = exchange.time();
    result.mapping = exchange.mapping();
  };
  std::uint64_t steps = start.steps / 2;
  exchange.reach(target, steps, stop);
  keep();
  steps += start.steps - start.steps / 2;
  std::int64_t failed = target;  // within the steps that a deadline may take
  while (result.time - failed > problem.quantum && steps > 0 && !(stop && stop())) {
    const std::int64_t quanta = (result.time - failed) / problem.quantum;
    const std::int64_t deadline = failed + quanta / 2 * problem.quantum;
    std::uint64_t part = std::min(steps, start.steps / kDeadlines);
    steps -= part;
    if (!exchange.reach(deadline, part, stop)) failed = deadline;
    keep();
    steps += part;
  }
  while (result.time > target && exchange.reach(result.time - problem.quantum, steps, stop)) keep();
  return result;
}

}  // namespace pimbb::crossbar::assign
