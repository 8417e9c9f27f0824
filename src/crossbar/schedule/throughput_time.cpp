// One step a unit: whether what it waits for is known; when it begins; what follows.
#include "crossbar/schedule/throughput_time.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "crossbar/schedule/teams.hpp"
#include "crossbar/schedule/transfers.hpp"

namespace pimbb::crossbar::schedule {
namespace {

/// What the vector unit or the dma is about in a round, or after all.
enum class Stage : std::uint8_t { own_sums, all_sums };
enum class Moves : std::uint8_t { loads, sends, stores, shares };

struct CoreProgress {
  Turns products;
  Turns sums;
  Turns loads;
  Turns results;  // SENDs and STs
  Stage stage = Stage::own_sums;
  Moves moves = Moves::loads;
  std::size_t share = 0;   // of a vector node
  bool computed = false;   // it needs its ST only
  bool requested = false;  // its next transfer is an event
  std::int64_t mvm_free = 0;
  std::int64_t vec_free = 0;
  std::int64_t dma_free = 0;

  CoreProgress(const Teams& teams, const std::vector<Index>& of_core)
      : products(teams, of_core), sums(products), loads(products), results(products) {
    if (of_core.empty()) moves = Moves::shares;
  }
};

class ThroughputTime {
 public:
  ThroughputTime(const Architecture& architecture, Teams teams, const run::Guard& guard,
                 std::int64_t cutoff)
      : mvm_(architecture.mvm),
        cutoff_(cutoff),
        steps_(guard),
        teams_(std::move(teams)),
        events_(architecture.all_cores()),
        transfers_(architecture) {
    for (std::size_t c = 0; c < teams_.of_core.size(); ++c) {
      cores_.emplace_back(teams_, teams_.of_core[c]);
      expect(static_cast<Index>(c));
    }
  }

  std::int64_t run() && {
    for (Index c = 0; c < static_cast<Index>(cores_.size()); ++c) request(c);
    while (events_.first().time != EventTree::kNever) {
      serve(Event(events_.first()));
      steps_();
      if (std::max(time_, transfers_.least()) > cutoff_) {
        return std::numeric_limits<std::int64_t>::max();
      }
    }
    assert(std::ranges::all_of(cores_, [](const CoreProgress& core) {
      return core.products.ended() && core.sums.ended() && core.moves == Moves::shares;
    }));
    return time_;
  }

 private:
  Team& team(Index t) { return teams_.all[static_cast<std::size_t>(t)]; }
  GroupProgress* groups(const Team& team) { return teams_.groups.data() + team.first; }
  CoreProgress& core(Index c) { return cores_[static_cast<std::size_t>(c)]; }
  const std::vector<VectorShare>& shares(Index c) {
    return teams_.shares[static_cast<std::size_t>(c)];
  }

  void expect(Index c) {
    for (const Index t : teams_.of_core[static_cast<std::size_t>(c)]) {
      const Team& at = team(t);
      transfers_.expect(c, Port::memory,
                        at.groups * (at.first_load + (at.windows - 1) * at.later_load));
      transfers_.expect(c, teams_.at_home(t) ? Port::memory : Port::bus,
                        at.windows * at.transfer.time);
    }
    for (const VectorShare& share : shares(c)) {
      transfers_.expect(c, Port::memory, share.load + share.store);
    }
  }

  // --- mvm

  /// Whether anything was multiplied.
  bool multiply(CoreProgress& core) {
    const std::int64_t before = core.mvm_free;
    for (Turns& turns = core.products; !turns.ended(); turns.next_round()) {
      for (; !turns.round_ended(); turns.next()) {
        const Team& at = team(turns.team());
        if (!multiply(core, at, turns)) return core.mvm_free != before;
      }
    }
    return core.mvm_free != before;
  }

  /// Whether the team need not wait. The first result takes the place of the one before, which is
  /// read no later than it is stored or sent; the others, which end later, do so all the more.
  bool multiply(CoreProgress& core, const Team& at, Turns& turns) {
    const Index round = turns.round();
    if (at.passed_on < round) return false;
    const auto parity = static_cast<std::size_t>(round % 2);
    GroupProgress* group = groups(at);
    std::int64_t free = core.mvm_free;
    if (turns.step == 0) free = std::max(free, at.passed_on_end - mvm_.time);
    for (; turns.step < at.groups; ++turns.step) {
      GroupProgress& next = group[turns.step];
      if (next.loaded <= round) return false;
      const std::int64_t start = std::max({free, next.load_ends[parity], next.ends[1 - parity]});
      core.mvm_free = free = start + mvm_.interval;
      next.ends[parity] = start + mvm_.time;
      ++next.multiplied;
    }
    return true;
  }

  // --- vec

  /// Whether anything was added.
  bool add_up(CoreProgress& core) {
    bool any = false;
    Turns& turns = core.sums;
    while (!turns.ended()) {
      const bool own = core.stage == Stage::own_sums;
      for (; !turns.round_ended(); turns.next()) {
        if (!(own ? add_own(core, turns, any) : add_others(core, turns, any))) return any;
      }
      if (own) {
        core.stage = Stage::all_sums;
        turns.again();
      } else {
        core.stage = Stage::own_sums;
        turns.next_round();
      }
    }
    return any;
  }

  /// Waits for the multiplication of the round; whether it need not wait any longer.
  static bool multiplied(CoreProgress& core, const GroupProgress& group, Index round) {
    if (group.multiplied <= round) return false;
    core.vec_free = std::max(core.vec_free, group.ends[static_cast<std::size_t>(round % 2)]);
    return true;
  }

  /// Local VVADDs onto the first group's result.
  bool add_own(CoreProgress& core, Turns& turns, bool& any) {
    Team& at = team(turns.team());
    if (at.groups == 1) return true;
    const GroupProgress* group = groups(at);
    if (turns.step == 0) {
      if (!multiplied(core, group[0], turns.round())) return false;
      turns.step = 1;
    }
    for (; turns.step < at.groups; ++turns.step) {
      if (!multiplied(core, group[turns.step], turns.round())) return false;
      core.vec_free += at.pass;
      any = true;
    }
    if (at.home == turns.team()) return true;
    ++at.summed;
    at.sum_end = core.vec_free;
    return true;
  }

  /// At home: the sums of other teams, and ACT.
  bool add_others(CoreProgress& core, Turns& turns, bool& any) {
    Team& at = team(turns.team());
    if (at.home != turns.team()) return true;
    if (at.groups == 1 && !multiplied(core, groups(at)[0], turns.round())) return false;
    for (; turns.step < static_cast<Index>(at.others.size()); ++turns.step) {
      Ends& messages = team(at.others[static_cast<std::size_t>(turns.step)]).messages;
      if (messages.size() == 0) return false;
      core.vec_free = std::max(core.vec_free, messages.take()) + at.pass;
      any = true;
    }
    core.vec_free += at.pass;
    ++at.summed;
    at.sum_end = core.vec_free;
    any = true;
    return true;
  }

  // --- dma

  /// Makes the next transfer an event, if what it waits for is known. A LD waits for nothing: the
  /// result of the window that it takes the place of has been passed on before.
  void request(Index c) {
    CoreProgress& at = core(c);
    if (at.requested) return;
    go_on(at);
    std::int64_t ready = at.dma_free;
    at.requested = at.moves == Moves::shares ? share_ready(c, at, ready)
                                             : at.moves == Moves::loads || result_ready(at, ready);
    if (at.requested) events_.set(c, ready);
  }

  /// To the next transfer.
  void go_on(CoreProgress& at) const {
    while (at.moves != Moves::shares && !has_transfer(at)) next_moves(at);
  }

  /// Whether there is another one of the kind that it is about, in this round.
  bool has_transfer(CoreProgress& at) const {
    if (at.moves == Moves::loads) return !at.loads.round_ended();
    const bool stores = at.moves == Moves::stores;
    while (!at.results.round_ended() && teams_.at_home(at.results.team()) != stores) {
      at.results.next();
    }
    return !at.results.round_ended();
  }

  static void next_moves(CoreProgress& at) {
    if (at.moves == Moves::loads) {
      if (at.loads.round() > 0) at.moves = Moves::sends;  // else there are no results yet
      if (!at.loads.ended()) at.loads.next_round();
    } else if (at.moves == Moves::sends) {
      at.moves = Moves::stores;
      at.results.again();
    } else {
      at.results.next_round();
      at.moves = at.results.ended() ? Moves::shares : Moves::loads;
    }
  }

  bool result_ready(const CoreProgress& at, std::int64_t& ready) {
    const Index t = at.results.team();
    const Team& sender = team(t);
    if (sender.groups == 1 && sender.home != t) {
      const GroupProgress& group = *groups(sender);
      if (group.multiplied <= at.results.round()) return false;
      ready = std::max(ready, group.ends[static_cast<std::size_t>(at.results.round() % 2)]);
      return true;
    }
    if (sender.summed <= at.results.round()) return false;
    ready = std::max(ready, sender.sum_end);
    return true;
  }

  bool share_ready(Index c, const CoreProgress& at, std::int64_t& ready) {
    if (at.share == shares(c).size()) return false;
    if (at.computed) ready = std::max(ready, at.vec_free);
    return true;
  }

  void serve(const Event& event) {
    CoreProgress& at = core(event.core);
    at.requested = false;
    switch (at.moves) {
      case Moves::loads: serve_load(event, at); break;
      case Moves::shares: serve_share(event, at); break;
      default: serve_result(event, at); break;
    }
    request(event.core);
    if (!at.requested) events_.set(event.core, EventTree::kNever);
  }

  void serve_load(const Event& event, CoreProgress& at) {
    const Team& loader = team(at.loads.team());
    const Index round = at.loads.round();
    const std::int64_t time = round == 0 ? loader.first_load : loader.later_load;
    at.dma_free = transfers_.serve(event, Port::memory, {0, time, 0}).end;
    GroupProgress& group = groups(loader)[at.loads.step];
    group.load_ends[static_cast<std::size_t>(round % 2)] = at.dma_free;
    ++group.loaded;
    if (++at.loads.step == loader.groups) at.loads.next();
    settle(at);
  }

  void serve_result(const Event& event, CoreProgress& at) {
    Team& sender = team(at.results.team());
    const bool send = at.moves == Moves::sends;
    at.results.next();
    at.dma_free = transfers_.serve(event, send ? Port::bus : Port::memory, sender.transfer).end;
    sender.passed_on_end = at.dma_free;
    ++sender.passed_on;
    time_ = std::max(time_, at.dma_free);
    settle(at);
    if (!send) return;
    sender.messages.add(at.dma_free);
    const Index home = team(sender.home).core;
    if (add_up(core(home))) settle(core(home));
    request(home);
  }

  void serve_share(const Event& event, CoreProgress& at) {
    const VectorShare& share = shares(event.core)[at.share];
    const std::int64_t time = at.computed ? share.store : share.load;
    at.dma_free = transfers_.serve(event, Port::memory, {0, time, 0}).end;
    time_ = std::max(time_, at.dma_free);
    if (at.computed) {
      ++at.share;
    } else {
      at.vec_free = std::max(at.vec_free, at.dma_free) + share.passes;
    }
    at.computed = !at.computed;
  }

  /// Advances the units of a core after a transfer.
  void settle(CoreProgress& at) {
    while (multiply(at) && add_up(at)) {
    }
  }

  const Mvm mvm_;
  const std::int64_t cutoff_;
  run::GuardedSteps steps_;
  Teams teams_;
  std::vector<CoreProgress> cores_;
  EventTree events_;
  Transfers transfers_;
  std::int64_t time_ = 0;
};

}  // namespace

std::int64_t throughput_time(const Architecture& a, const Partition& p, const Mapping& mapping,
                             const run::Guard& guard, std::int64_t cutoff) {
  return ThroughputTime(a, teams(a, p, mapping, guard), guard, cutoff).run();
}

}  // namespace pimbb::crossbar::schedule
