// Event by event, where only transfers are events: the other instructions are timed as soon as all
// that they wait for has ended.
#include "crossbar/schedule/timing.hpp"

#include <algorithm>
#include <cassert>

#include "crossbar/schedule/latency_time.hpp"
#include "crossbar/schedule/throughput_time.hpp"
#include "crossbar/schedule/transfers.hpp"

namespace pimbb::crossbar::schedule {
namespace {

constexpr std::size_t kUnits = 3;
constexpr std::int64_t kOpen = -1;  // a time that is not known yet

class Simulator {
 public:
  Simulator(const Architecture& architecture, const Stream& stream, const run::Guard& guard,
            std::int64_t cutoff)
      : a_(architecture),
        stream_(stream),
        steps_(guard),
        cutoff_(cutoff),
        units_(static_cast<std::size_t>(a_.all_cores()) * kUnits),
        next_(stream.instructions.size(), kNone),
        waiting_(stream.instructions.size(), kNone),
        also_waiting_(units_.size() + stream.instructions.size(), kNone),
        events_(a_.all_cores()),
        transfers_(a_) {
    timing_.starts.assign(stream.instructions.size(), kOpen);
    timing_.ends.assign(stream.instructions.size(), kOpen);
    timing_.core_ends.assign(static_cast<std::size_t>(a_.all_cores()), 0);
  }

  Timing run() && {
    fill_queues();
    const auto units = static_cast<Index>(units_.size());
    for (Index i = 0; i < static_cast<Index>(stream_.instructions.size()); ++i) {
      if (at(i).op == Opcode::pixel) pass(i);
    }
    for (Index u = 0; u < units; ++u) advance(u);
    settle();
    while (events_.first().time != EventTree::kNever) {
      serve(Event(events_.first()));
      settle();
      steps_();
      if (std::max(timing_.time, transfers_.least()) > cutoff_) {
        timing_.time = std::numeric_limits<std::int64_t>::max();
        return std::move(timing_);
      }
    }
    assert(std::ranges::count(timing_.ends, kOpen) == 0);
    timing_.busy.memory = transfers_.busy().memory;
    timing_.busy.bus = transfers_.busy().bus;
    timing_.busy.link = transfers_.busy().link;
    return std::move(timing_);
  }

 private:
  struct UnitState {
    Index head = kNone;  // the next instruction
    Index tail = kNone;
    std::int64_t free = 0;  // when it may start
  };

  [[nodiscard]] const Instruction& at(Index i) const {
    return stream_.instructions[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] const Work& work(Index i) const {
    return stream_.works[static_cast<std::size_t>(at(i).work)];
  }
  std::int64_t& start_of(Index i) { return timing_.starts[static_cast<std::size_t>(i)]; }
  std::int64_t& end_of(Index i) { return timing_.ends[static_cast<std::size_t>(i)]; }
  /// That a transfer takes.
  [[nodiscard]] Port port(Index i) const {
    return at(i).op == Opcode::send ? Port::bus : Port::memory;
  }

  void fill_queues() {
    for (Index i = 0; i < static_cast<Index>(stream_.instructions.size()); ++i) {
      if (at(i).unit == Unit::none) continue;
      ++timing_.instructions;
      if (at(i).unit == Unit::dma) transfers_.expect(at(i).core, port(i), work(i).time);
      UnitState& unit = units_[static_cast<std::size_t>(at(i).core) * kUnits +
                               static_cast<std::size_t>(at(i).unit)];
      if (unit.tail == kNone) {
        unit.head = i;
      } else {
        next_[static_cast<std::size_t>(unit.tail)] = i;
      }
      unit.tail = i;
    }
  }

  /// Whether `i` has ended; if not, `waiter` (a unit, or a pixel behind the units) is told when it
  /// does. Raises `time` to `before` ns before its end.
  bool ended(Index i, Index waiter, std::int64_t& time, std::int64_t before = 0) {
    if (i == kNone) return true;
    if (end_of(i) == kOpen) {
      also_waiting_[static_cast<std::size_t>(waiter)] = waiting_[static_cast<std::size_t>(i)];
      waiting_[static_cast<std::size_t>(i)] = waiter;
      return false;
    }
    time = std::max(time, end_of(i) - before);
    return true;
  }

  void complete(Index i, std::int64_t end) {
    end_of(i) = end;
    if (at(i).core != kNone) {
      std::int64_t& last = timing_.core_ends[static_cast<std::size_t>(at(i).core)];
      last = std::max(last, end);
      timing_.time = std::max(timing_.time, end);
    }
    Index& first = waiting_[static_cast<std::size_t>(i)];
    while (first != kNone) {
      woken_.push_back(first);
      first = also_waiting_[static_cast<std::size_t>(first)];
    }
  }

  /// All consequences of what has ended.
  void settle() {
    const auto units = static_cast<Index>(units_.size());
    while (!woken_.empty()) {
      const Index waiter = woken_.back();
      woken_.pop_back();
      if (waiter < units) {
        advance(waiter);
      } else {
        pass(waiter - units);
      }
    }
  }

  /// Ends a pixel when it and all before it are available.
  void pass(Index i) {
    const Index waiter = i + static_cast<Index>(units_.size());
    std::int64_t end = 0;
    if (!ended(at(i).after[0], waiter, end) || !ended(at(i).after[1], waiter, end)) return;
    start_of(i) = end;
    complete(i, end);
  }

  /// Whether an MVM need not wait for readers of blocks that its result takes the place of.
  bool has_room(const Instruction& mvm, Index u, std::int64_t& ready) {
    const Index before = mvm.after[0];
    return (before == kNone || ended(at(before).reader, u, ready, a_.mvm.time)) &&
           ended(mvm.until, u, ready, a_.mvm.time);
  }

  /// Starts instructions of a unit until one has to wait.
  void advance(Index u) {
    UnitState& unit = units_[static_cast<std::size_t>(u)];
    while (unit.head != kNone) {
      const Index i = unit.head;
      const Instruction& instruction = at(i);
      std::int64_t ready = unit.free;
      if (!ended(instruction.after[0], u, ready) || !ended(instruction.after[1], u, ready)) return;
      if (instruction.op == Opcode::mvm && !has_room(instruction, u, ready)) return;
      if (instruction.unit == Unit::dma) {
        events_.set(instruction.core, ready);
        return;
      }
      unit.head = next_[static_cast<std::size_t>(i)];
      start_of(i) = ready;
      if (instruction.op == Opcode::mvm) {
        unit.free = ready + a_.mvm.interval;
        complete(i, ready + a_.mvm.time);
      } else {
        unit.free = ready + (instruction.op == Opcode::recv ? 0 : work(i).time);
        if (instruction.op != Opcode::recv) timing_.busy.vector += work(i).time;
        complete(i, unit.free);
      }
    }
  }

  void serve(const Event& event) {
    events_.set(event.core, EventTree::kNever);
    const Index u = event.core * static_cast<Index>(kUnits) + static_cast<Index>(Unit::dma);
    const Index i = units_[static_cast<std::size_t>(u)].head;
    const Transfers::Served served = transfers_.serve(event, port(i), work(i));
    start_of(i) = served.start;
    transferred(u, i, served.end);
  }

  void transferred(Index u, Index i, std::int64_t end) {
    UnitState& unit = units_[static_cast<std::size_t>(u)];
    unit.head = next_[static_cast<std::size_t>(i)];
    unit.free = end;
    complete(i, end);
    woken_.push_back(u);
  }

  const Architecture& a_;
  const Stream& stream_;
  run::GuardedSteps steps_;
  std::int64_t cutoff_;
  std::vector<UnitState> units_;     // by core: mvm, vec, dma
  std::vector<Index> next_;          // by instruction: the next one of its unit
  std::vector<Index> waiting_;       // by instruction: the first that waits for its end
  std::vector<Index> also_waiting_;  // by unit, then by instruction: the next that waits
  std::vector<Index> woken_;
  EventTree events_;
  Transfers transfers_;
  Timing timing_;
};

}  // namespace

Timing simulate(const Architecture& a, const Stream& stream, const run::Guard& guard,
                std::int64_t cutoff) {
  return Simulator(a, stream, guard, cutoff).run();
}

std::int64_t simulated_time(const Architecture& a, const Partition& p, const Mapping& mapping,
                            Mode mode, const run::Guard& guard, std::int64_t cutoff) {
  return mode == Mode::ht ? throughput_time(a, p, mapping, guard, cutoff)
                          : latency_time(a, p, mapping, guard, cutoff);
}

}  // namespace pimbb::crossbar::schedule
