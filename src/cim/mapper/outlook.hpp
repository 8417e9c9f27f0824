// What can become of labels: whether everything still fits, and bounds of latency and energy.
//
// Rule 3 (free room). Bits committed at a shared level count as 0 once everything that may still be
// kept there fits beside them.
// Proof. From then on the level's capacity cannot be exceeded, and nothing else depends on them. []
#pragma once

#include <algorithm>
#include <type_traits>

#include "cim/mapper/cost_to_go.hpp"
#include "cim/mapper/group.hpp"
#include "cim/mapper/label_numbers.hpp"
#include "cim/mapper/state.hpp"
#include "cim/mapper/target.hpp"

namespace pimbb::cim::mapper {

template <class Rule, std::size_t More>
class Outlook {
 public:
  using L = Label<More>;
  using P = Prospect<More>;

  Outlook(const Space& space, const Target& target)
      : numbers(space.problem()),
        with_energy(target.uses_energy()),
        p_(space.problem()),
        space_(space),
        target_(target),
        to_go_(space) {
    for (const Tensor t : kAllTensors) {
      const std::uint32_t whole = space.plots[index(t)] - 1;
      for (const std::uint8_t m : p_.shared) {
        if (!p_.architecture.levels[m].stores[index(t)]) continue;
        most_[index(t)][m] =
            std::max(space.data(t, m, whole, false), space.data(t, m, whole, true)) *
            (p_.may_double(m, t) ? 2 : 1);
      }
    }
  }

  const LabelNumbers numbers;
  const bool with_energy;

  /// Room and bounds of a state; nothing can complete it if false.
  bool look_ahead(const State& state, const CellFacts& facts, const PendingTable& pending,
                  P& prospect) const {
    prospect.ahead.left = facts.left;
    prospect.ahead.after_next = facts.left / facts.smallest;
    prospect.ahead.repeats = facts.smallest - 1;
    for (const Tensor t : kAllTensors) {
      const Stand& stand = state.stand[index(t)];
      const std::uint32_t plot = facts.plot[index(t)];
      if (!look_for_room(t, stand, plot, prospect)) return false;
      const ToGo& rest = stand.transfer == kLeaving || stand.level == kMac
                             ? to_go_.leaving(t, stand.level, stand.psum, plot)
                             : to_go_.placed(t, stand.level, stand.psum, plot);
      if (rest.time >= kNever) return false;
      prospect.energy += rest.energy;
      Time& time = prospect.ahead.time[index(t)];
      time = rest.time;
      Time hidden = 0;
      if (stand.transfer >= kFirstPending) {
        const Pending& own = pending[stand.transfer];
        prospect.energy += own.energy * to_go_.left(t, plot);
        time += own.time * to_go_.weight(t, plot, own.hidden);
        if (own.hidden) hidden = cost::ways(t) * own.time;
      } else {
        hidden = to_go_.hidden(t, stand.level, stand.psum, plot);
      }
      prospect.ahead.hidden = std::max(prospect.ahead.hidden, hidden);
    }
    for (std::size_t s = 0; s < p_.shared.size(); ++s) {
      if (prospect.need[s] > size(p_.shared[s])) return false;
    }
    return true;
  }

  /// Whether shared levels have room; and rule 3.
  bool settle_room(L& label, const P& prospect) const {
    for (std::size_t s = 0; s < p_.shared.size(); ++s) {
      const std::int64_t room = size(p_.shared[s]) - label.more[s];
      if (prospect.need[s] > room) return false;
      if (prospect.future[s] <= room) label.more[s] = 0;
    }
    return true;
  }

  /// Whether a completion may be better than the cutoff and keep all caps.
  [[nodiscard]] bool may_improve(const L& label, const P& prospect, const Wide& cutoff) const {
    const Time latency = latency_bound(label, prospect);
    return target_.admits(latency, total_bound(label, prospect, latency), cutoff);
  }
  /// The least value of all completions.
  [[nodiscard]] Wide bound(const L& label, const P& prospect) const {
    const Time latency = latency_bound(label, prospect);
    return target_.value(latency, total_bound(label, prospect, latency));
  }

  /// Lower bounds of all completions.
  [[nodiscard]] Time latency_bound(const L& label, const P& prospect) const {
    return numbers.floor(label, Rule::bound(label.times, prospect.ahead));
  }
  [[nodiscard]] Int128 total_bound(const L& label, const P& prospect, Time latency) const {
    return with_energy ? p_.units.total(label.energy + prospect.energy, latency) : Int128{0};
  }

  [[nodiscard]] std::int64_t size(std::size_t level) const {
    return *p_.architecture.levels[level].size_bits;
  }
  /// For all nests of the scheme that may be better than the cutoff.
  [[nodiscard]] Exchange exchange(const Wide& cutoff) const {
    Time latency = space_.products * p_.units.product;
    Energy energy = space_.activations();
    Time slowest = 0;
    for (const Tensor t : kAllTensors) {
      const ToGo& rest = to_go_.leaving(t, kMac, false, 0);
      energy += rest.energy;
      slowest = std::max(slowest, rest.time);
    }
    if (slowest >= kNever) return {};
    if (std::is_same_v<Rule, Recursion>) latency += slowest;
    Exchange exchange = target_.exchange(latency, p_.units.total(energy, latency), cutoff);
    if (numbers.has_ports()) exchange.least = 0;  // a busy port ends no earlier
    return exchange;
  }

  [[nodiscard]] std::uint64_t bytes() const { return to_go_.bytes(); }

 private:
  bool look_for_room(Tensor t, const Stand& stand, std::uint32_t plot, P& prospect) const {
    for (std::size_t s = 0; s < p_.shared.size(); ++s) {
      const std::size_t m = p_.shared[s];
      if (stand.level == kMac || stand.level <= m) prospect.future[s] += most_[index(t)][m];
    }
    if (stand.level == kMac || !p_.architecture.levels[stand.level].size_bits) return true;
    const std::int64_t bits =
        space_.data(t, stand.level, plot, stand.psum) * (p_.must_double(stand.level, t) ? 2 : 1);
    const std::int8_t s = p_.shared_index[stand.level];
    if (s < 0) return bits <= size(stand.level);
    prospect.need[static_cast<std::uint8_t>(s)] += bits;
    return true;
  }

  const Problem& p_;
  const Space& space_;
  const Target& target_;
  CostToGo to_go_;
  PerTensor<std::array<std::int64_t, kMaxLevels>> most_{};  // bits at shared levels
};

}  // namespace pimbb::cim::mapper
