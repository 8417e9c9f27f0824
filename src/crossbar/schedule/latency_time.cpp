// One task a unit: whether what it waits for is known; when it begins; what follows.
#include "crossbar/schedule/latency_time.hpp"

#include <algorithm>
#include <cassert>
#include <limits>

#include "crossbar/schedule/makers.hpp"
#include "crossbar/schedule/pixels.hpp"
#include "crossbar/schedule/rounds.hpp"

namespace pimbb::crossbar::schedule {
namespace {

struct UnitProgress {
  const Task* next = nullptr;
  const Task* end = nullptr;
  std::int64_t free = 0;
  Index step = 0;        // of the next task
  bool waiting = false;  // for a pixel

  [[nodiscard]] bool ended() const { return next == end; }
  void done() {
    ++next;
    step = 0;
  }
};

struct CoreUnits {
  UnitProgress mvm;
  UnitProgress vec;
  UnitProgress dma;
  bool requested = false;  // the next transfer is an event
};

class LatencyTime {
 public:
  LatencyTime(const Architecture& architecture, const Partition& partition, Makers makers,
              const run::Guard& guard, std::int64_t cutoff)
      : p_(partition),
        mvm_(architecture.mvm),
        cutoff_(cutoff),
        steps_(guard),
        makers_(std::move(makers)),
        groups_(makers_.groups),
        pixels_(partition, makers_.read, makers_.tasks.size()),
        cores_(makers_.tasks.size()),
        events_(architecture.all_cores()),
        transfers_(architecture) {
    for (std::size_t c = 0; c < cores_.size(); ++c) {
      const UnitTasks& tasks = makers_.tasks[c];
      for (const auto& [unit, list] : {std::pair{&cores_[c].mvm, &tasks[0]},
                                       {&cores_[c].vec, &tasks[1]},
                                       {&cores_[c].dma, &tasks[2]}}) {
        unit->next = list->data();
        unit->end = list->data() + list->size();
      }
      expect(static_cast<Index>(c), tasks[2]);
    }
  }

  std::int64_t run() && {
    for (Index c = 0; c < static_cast<Index>(cores_.size()); ++c) advance(c);
    settle();
    while (events_.first().time != EventTree::kNever) {
      serve(Event(events_.first()));
      settle();
      steps_();
      if (std::max(time_, transfers_.least()) > cutoff_) {
        return std::numeric_limits<std::int64_t>::max();
      }
    }
    assert(std::ranges::all_of(cores_, [](const CoreUnits& core) {
      return core.mvm.ended() && core.vec.ended() && core.dma.ended();
    }));
    return time_;
  }

 private:
  Maker& maker(Index m) { return makers_.all[static_cast<std::size_t>(m)]; }
  CoreUnits& core(Index c) { return cores_[static_cast<std::size_t>(c)]; }
  GroupProgress* groups(const Maker& at) { return groups_.data() + at.first; }
  static std::size_t parity(Index number) { return static_cast<std::size_t>(number % 2); }

  void expect(Index c, const std::vector<Task>& transfers) {
    std::vector<Index> loads(makers_.all.size());
    for (const auto& [m, window, job] : transfers) {
      const Maker& at = maker(m);
      if (job == Job::pass_on) {
        transfers_.expect(c, port(at), at.transfer.time);
      } else {
        const bool first = loads[static_cast<std::size_t>(m)]++ < at.loads;
        transfers_.expect(c, Port::memory,
                          std::max(at.groups, 1) * (first ? at.first_load : at.later_load));
      }
    }
  }

  static Port port(const Maker& at) {
    return at.at_home && at.delivery == Delivery::stored ? Port::memory : Port::bus;
  }

  /// Whether all pixels are there that the maker's next window needs; the unit then waits for them.
  bool receive(const Maker& at, UnitProgress& unit, std::int64_t place) {
    for (const std::size_t source : p_.sources[at.node]) {
      if (source == 0) continue;
      const Index need = needed_pixel(p_, at.node, source, unit.next->window);
      if (!pixels_.there(source, need)) {
        unit.waiting = true;
        pixels_.wait(source, need, place);
        return false;
      }
      unit.free = std::max(unit.free, pixels_.end(source, need));
    }
    return true;
  }

  // --- mvm

  bool multiply(CoreUnits& units, Index c) {
    UnitProgress& unit = units.mvm;
    const std::int64_t before = unit.free;
    while (!unit.ended() && !unit.waiting) {
      if (!multiply(maker(unit.next->maker), unit, c)) break;
      unit.done();
    }
    return unit.free != before;
  }

  /// The first result takes the place of the one before, which is read no later than it is passed
  /// on; the others, which end later, do so all the more.
  bool multiply(Maker& at, UnitProgress& unit, Index c) {
    const Index number = at.computed;
    if (at.passed_on < number) return false;
    if (unit.step == 0) {
      if (!receive(at, unit, 2 * std::int64_t{c})) return false;
    }
    GroupProgress* group = groups(at);
    std::int64_t free = unit.free;
    if (unit.step == 0) free = std::max(free, at.passed_on_end - mvm_.time);
    for (; unit.step < at.groups; ++unit.step) {
      GroupProgress& next = group[unit.step];
      if (next.loaded < (number + 1) * at.loads) return false;
      const std::int64_t start =
          std::max({free, next.load_ends[parity(number)], next.ends[1 - parity(number)]});
      unit.free = free = start + mvm_.interval;
      next.ends[parity(number)] = start + mvm_.time;
      ++next.multiplied;
    }
    ++at.computed;
    return true;
  }

  // --- vec

  bool add_up(CoreUnits& units, Index c) {
    UnitProgress& unit = units.vec;
    bool any = false;
    while (!unit.ended() && !unit.waiting) {
      Maker& at = maker(unit.next->maker);
      const Job job = unit.next->job;
      const bool done = job == Job::own_sum    ? add_own(at, unit)
                        : job == Job::all_sums ? add_others(at, unit)
                                               : compute(at, unit, c);
      if (!done) break;
      unit.done();
      any = true;
    }
    time_ = std::max(time_, unit.free);
    return any;
  }

  bool add_own(Maker& at, UnitProgress& unit) {
    if (at.computed <= at.summed) return false;
    const GroupProgress* group = groups(at);
    std::int64_t free = std::max(unit.free, group->ends[parity(at.summed)]);
    for (Index g = 1; g < at.groups; ++g) {
      free = std::max(free, group[g].ends[parity(at.summed)]) + at.pass;
    }
    unit.free = at.sum_end = free;
    ++at.summed;
    return true;
  }

  bool add_others(Maker& at, UnitProgress& unit) {
    if (at.groups == 1) {
      if (at.computed <= at.summed) return false;
      unit.free = std::max(unit.free, groups(at)->ends[parity(at.summed)]);
    }
    for (; unit.step < static_cast<Index>(at.others.size()); ++unit.step) {
      Ends& messages = maker(at.others[static_cast<std::size_t>(unit.step)]).messages;
      if (messages.size() == 0) return false;
      unit.free = std::max(unit.free, messages.take()) + at.pass;
    }
    if (at.groups == 1) ++at.summed;
    unit.free += at.pass;
    complete(at, unit.next->window, unit.free);
    return true;
  }

  bool compute(Maker& at, UnitProgress& unit, Index c) {
    if (static_cast<Index>(at.loaded.size()) < at.loads) return false;
    if (!receive(at, unit, 2 * std::int64_t{c} + 1)) return false;
    for (Index i = 0; i < at.loads; ++i) unit.free = std::max(unit.free, at.loaded.take());
    ++at.computed;
    unit.free += at.pass;
    complete(at, unit.next->window, unit.free);
    return true;
  }

  /// A pixel.
  void complete(Maker& at, Index window, std::int64_t end) {
    if (at.delivery == Delivery::stays) {
      pass_on(at, window, end);
    } else {
      at.results.add(end);
    }
  }

  /// A pixel, or the sum of a maker away from home.
  void pass_on(Maker& at, Index window, std::int64_t end) {
    if (at.at_home && makers_.read[at.node]) pixels_.make(at.node, window, end);
    at.passed_on_end = end;
    ++at.passed_on;
  }

  // --- dma

  /// Makes the next transfer an event, if what it waits for is known.
  void request(Index c) {
    CoreUnits& units = core(c);
    UnitProgress& unit = units.dma;
    if (units.requested || unit.ended()) return;
    const Maker& at = maker(unit.next->maker);
    std::int64_t ready = unit.free;
    units.requested =
        unit.next->job == Job::load ? load_ready(at, unit, ready) : result_ready(at, ready);
    if (units.requested) events_.set(c, ready);
  }

  bool load_ready(const Maker& at, const UnitProgress& unit, std::int64_t& ready) {
    if (at.groups == 0) return true;
    const GroupProgress& group = groups(at)[unit.step];
    const Index number = group.loaded / at.loads;
    if (number < 2) return true;
    if (group.multiplied < number - 1) return false;
    ready = std::max(ready, group.ends[parity(number)]);
    return true;
  }

  bool result_ready(const Maker& at, std::int64_t& ready) {
    if (at.at_home) {
      if (at.results.size() == 0) return false;
      ready = std::max(ready, at.results.first());
      return true;
    }
    if ((at.groups == 1 ? at.computed : at.summed) <= at.passed_on) return false;
    ready = std::max(ready, at.groups == 1 ? groups(at)->ends[parity(at.passed_on)] : at.sum_end);
    return true;
  }

  void serve(const Event& event) {
    CoreUnits& units = core(event.core);
    units.requested = false;
    if (units.dma.next->job == Job::load) {
      load(event, units.dma);
    } else {
      serve_result(event, units.dma);
    }
    time_ = std::max(time_, units.dma.free);
    advance(event.core);
    if (!units.requested) events_.set(event.core, EventTree::kNever);
  }

  void load(const Event& event, UnitProgress& unit) {
    Maker& at = maker(unit.next->maker);
    if (at.groups == 0) {
      unit.free = transfers_.serve(event, Port::memory, {0, at.first_load, 0}).end;
      at.loaded.add(unit.free);
      unit.done();
      return;
    }
    GroupProgress& group = groups(at)[unit.step];
    const Index number = group.loaded / at.loads;
    const std::int64_t time = number == 0 ? at.first_load : at.later_load;
    unit.free = transfers_.serve(event, Port::memory, {0, time, 0}).end;
    group.load_ends[parity(number)] = unit.free;
    ++group.loaded;
    if (++unit.step == at.groups) unit.done();
  }

  void serve_result(const Event& event, UnitProgress& unit) {
    Maker& at = maker(unit.next->maker);
    unit.free = transfers_.serve(event, port(at), at.transfer).end;
    pass_on(at, unit.next->window, unit.free);
    unit.done();
    if (at.at_home) {
      at.results.take();
    } else {
      at.messages.add(unit.free);
      advance(maker(at.home).core);
    }
  }

  /// The units of a core, until all have to wait.
  void advance(Index c) {
    CoreUnits& units = core(c);
    multiply(units, c);
    while (add_up(units, c) && multiply(units, c)) {
    }
    request(c);
  }

  /// Those that wait for pixels which are there now.
  void settle() {
    while (const std::optional<std::int64_t> place = pixels_.awake()) {
      const auto c = static_cast<Index>(*place / 2);
      (*place % 2 == 0 ? core(c).mvm : core(c).vec).waiting = false;
      advance(c);
    }
  }

  const Partition& p_;
  const Mvm mvm_;
  const std::int64_t cutoff_;
  run::GuardedSteps steps_;
  Makers makers_;
  std::vector<GroupProgress> groups_;
  Pixels pixels_;
  std::vector<CoreUnits> cores_;
  EventTree events_;
  Transfers transfers_;
  std::int64_t time_ = 0;
};

}  // namespace

std::int64_t latency_time(const Architecture& a, const Partition& p, const Mapping& mapping,
                          const run::Guard& guard, std::int64_t cutoff) {
  return LatencyTime(a, p, makers(a, p, mapping, guard), guard, cutoff).run();
}

}  // namespace pimbb::crossbar::schedule
