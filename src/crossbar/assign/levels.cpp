// Each trial draws replications, then how many cores have which level.
#include "crossbar/assign/levels.hpp"

#include <algorithm>
#include <numeric>
#include <set>

#include "crossbar/partition/filling.hpp"
#include "crossbar/partition/placement.hpp"
#include "exact/int128.hpp"

namespace pimbb::crossbar::assign {
namespace {

constexpr int kTrials = 64;                     // of replications
constexpr int kDeals = 8;                       // for each of them
constexpr std::int64_t kMostDealt = 4'000'000;  // array groups, in all trials
constexpr std::uint64_t kMostFillers = 3;
constexpr std::int64_t kCyclesOfFiller = 4;  // at most
constexpr std::int64_t kRoomOfFiller = 8;    // part of all crossbars, at one cycle
constexpr std::uint64_t kSlow = 4;           // a family in so many has as many cycles as possible

/// Intervals of a multiplication: array groups of a core that share the time of one.
std::int64_t intervals(const Mvm& mvm) { return ceil_div(mvm.time, mvm.interval); }

/// Families in random order take what is left of the idle multiplications.
class ReplicationDraw {
 public:
  ReplicationDraw(const Problem& problem, std::int64_t most_cycles, std::int64_t idle,
                  SplitMix64& random)
      : problem_(problem),
        most_cycles_(most_cycles),
        idle_(idle),
        random_(random),
        fillers_(random.below(kMostFillers + 1)),
        has_slow_(random.below(2) == 0) {}

  /// By family; nothing if a family has no option, or all together no room.
  std::optional<std::vector<std::int64_t>> draw() {
    std::vector<std::size_t> order(problem_.families.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    random_.shuffle(order);
    std::vector<std::int64_t> replication(order.size());
    for (const std::size_t f : order) {
      const std::optional<Option> option = draw_option(problem_.families[f]);
      if (!option) return std::nullopt;
      idle_ -= idle_of(problem_.families[f], *option);
      replication[f] = option->replication;
    }
    if (!problem_.has_room(replication)) return std::nullopt;
    return replication;
  }

 private:
  static std::int64_t idle_of(const Family& family, const Option& option) {
    return family.groups * (option.work() - family.windows);
  }

  /// Of least idle work, with most cycles among equals; in some draws, most cycles of all.
  std::optional<Option> draw_option(const Family& family) {
    const std::int64_t most = problem_.all_crossbars() / family.crossbars;
    const bool fills =
        fillers_ > 0 && family.windows > 1 &&
        Int128{family.crossbars} * family.windows <= problem_.all_crossbars() / kRoomOfFiller;
    fillers_ -= fills ? 1 : 0;
    const std::int64_t few = 1 + static_cast<std::int64_t>(random_.below(kCyclesOfFiller));
    const bool slow = has_slow_ && !fills && random_.below(kSlow) == 0;
    std::optional<Option> best;
    for (const Option& option :
         options(family.windows, fills ? std::min(few, most_cycles_) : most_cycles_, most)) {
      if (idle_of(family, option) > idle_) continue;
      if (!best || option.work() < best->work()) best = option;
      if (slow) break;
    }
    return best;
  }

  const Problem& problem_;
  std::int64_t most_cycles_;
  std::int64_t idle_;
  SplitMix64& random_;
  std::uint64_t fillers_;  // still to be drawn: families of few cycles
  bool has_slow_;
};

class LevelDealer {
 public:
  LevelDealer(const Problem& problem, const std::vector<std::int64_t>& replication,
              std::int64_t deadline)
      : problem_(problem),
        deadline_(deadline / problem.a.mvm.interval),
        together_(intervals(problem.a.mvm)),
        filling_(problem.a, problem.p),
        cores_(static_cast<std::size_t>(problem.cores)) {
    std::vector<std::size_t> order(replication.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::vector<std::int64_t> cycles;
    for (const std::size_t v : order) {
      filling_.replication(v) = replication[v];
      cycles.push_back(partition::cycles(problem.p.arrays[v], replication[v]));
    }
    std::ranges::stable_sort(order, std::greater<>{}, [&](std::size_t v) {
      return std::pair(cycles[v], problem.p.arrays[v].width);
    });
    for (const std::size_t v : order) {
      if (levels_.empty() || levels_.back().cycles != cycles[v]) levels_.push_back({cycles[v]});
      const std::int64_t groups = problem.p.arrays[v].groups * replication[v];
      levels_.back().left.push_back({v, groups});
      levels_.back().groups += groups;
    }
  }

  /// Whether all have room.
  bool deal(SplitMix64& random) {
    if (!draw_levels(random)) return false;
    std::size_t first = 0;
    for (Level& level : levels_) {
      if (!deal_first(level, first)) return false;
      first += static_cast<std::size_t>(level.cores);
    }
    return deal_others();
  }

  /// Intervals beyond the deadline, of all cores.
  [[nodiscard]] std::int64_t lateness() const {
    std::int64_t late = 0;
    for (const Core& core : cores_) late += std::max<std::int64_t>(0, core.time - deadline_);
    return late;
  }
  [[nodiscard]] const Mapping& mapping() const { return filling_.mapping(); }

 private:
  struct Level {  // array groups of as many cycles
    std::int64_t cycles = 0;
    std::vector<Share> left = {};  // wide ones first
    std::int64_t groups = 0;
    std::int64_t cores = 0;  // of this level
  };
  struct Core {
    std::int64_t level = 0;  // cycles
    std::int64_t time = 0;   // intervals
  };

  /// Of how many cores a level can be.
  [[nodiscard]] std::int64_t most_cores(const Level& level) const {
    return level.cycles * together_ <= deadline_ ? level.groups / together_ : 0;
  }

  /// Some cores have the highest level: else its array groups have no place.
  bool draw_levels(SplitMix64& random) {
    std::int64_t later = 0;
    for (const Level& level : levels_) later += most_cores(level);
    std::int64_t open = problem_.cores;
    for (Level& level : levels_) {
      const std::int64_t most = std::min(most_cores(level), open);
      later -= most_cores(level);
      const std::int64_t least =
          std::max<std::int64_t>(&level == &levels_.front() ? 1 : 0, open - later);
      if (least > most) return false;
      const auto more = static_cast<std::uint64_t>(most - least);
      level.cores = least + static_cast<std::int64_t>(random.below(more + 1));
      open -= level.cores;
    }
    return true;
  }

  /// Wide ones first, in turn to the cores of the level, so that none has more than others.
  bool deal_first(Level& level, std::size_t first) {
    auto next = level.left.begin();
    const std::int64_t all = level.cores * together_;
    for (std::int64_t i = 0; i < all; ++i) {
      if (next->groups == 0) ++next;
      const std::size_t c = first + static_cast<std::size_t>(i % level.cores);
      if (filling_.room(c, next->array) == 0) return false;
      filling_.put(c, next->array, 1);
      --next->groups;
      cores_[c] = {level.cycles, level.cycles * together_};
    }
    return true;
  }

  bool deal_others() {
    std::set<std::pair<std::int64_t, std::size_t>> open;
    for (std::size_t c = 0; c < cores_.size(); ++c) open.emplace(cores_[c].time, c);
    for (const Level& level : levels_) {
      for (const Share& share : level.left) {
        for (std::int64_t left = share.groups; left > 0; --left) {
          const auto place = std::ranges::find_if(open, [&](const auto& entry) {
            return cores_[entry.second].level >= level.cycles &&
                   filling_.room(entry.second, share.array) > 0;
          });
          if (place == open.end()) return false;
          const std::size_t c = place->second;
          open.erase(place);
          filling_.put(c, share.array, 1);
          cores_[c].time += level.cycles;
          if (filling_.free(c) > 0) open.emplace(cores_[c].time, c);
        }
      }
    }
    return true;
  }

  const Problem& problem_;
  std::int64_t deadline_;  // intervals
  std::int64_t together_;
  partition::Filling filling_;
  std::vector<Level> levels_;  // by descending cycles
  std::vector<Core> cores_;
};

}  // namespace

bool has_levels(const Problem& problem) { return intervals(problem.a.mvm) > 1; }

std::optional<Mapping> dealt_by_levels(const Problem& problem, std::int64_t deadline,
                                       std::int64_t idle, SplitMix64& random) {
  std::optional<Mapping> best;
  std::int64_t least = 0;
  const std::int64_t most_cycles = deadline / problem.a.mvm.time;
  std::int64_t left = kMostDealt;
  for (int trial = 0; trial < kTrials && left > 0; ++trial) {
    const auto replication = ReplicationDraw(problem, most_cycles, idle, random).draw();
    if (!replication) continue;
    for (int i = 0; i < kDeals; ++i) {
      if (best && least == 0) return best;
      left -= problem.all_groups(*replication);
      LevelDealer dealer(problem, problem.by_array(*replication), deadline);
      if (!dealer.deal(random)) continue;
      if (best && dealer.lateness() >= least) continue;
      least = dealer.lateness();
      best = dealer.mapping();
    }
  }
  return best;
}

}  // namespace pimbb::crossbar::assign
