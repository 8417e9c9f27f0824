// What labels of one scheme can lead to within a cutoff: labels with dominance, then bounds of
// their completions from the last cell backwards (class_search.hpp, claim 2).
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "cim/answers/class_effort.hpp"
#include "cim/answers/class_search.hpp"
#include "cim/mapper/group_table.hpp"
#include "cim/mapper/nest_walk.hpp"

namespace pimbb::cim::classes {

using mapper::kFirstPending;
using mapper::kMac;
using mapper::Stand;
using mapper::State;
using mapper::Time;
using mapper::Trace;

/// The least of all completions within the cutoff.
struct Least {
  Time latency = 0;
  Int128 total = 0;
  Wide value;  ///< of the first goal

  void take(const Least& other) {
    latency = std::min(latency, other.latency);
    total = std::min(total, other.total);
    value = std::min(value, other.value);
  }
};

template <class Rule, std::size_t More>
class CompletionBounds {
 public:
  using L = mapper::Label<More>;
  using P = mapper::Prospect<More>;

  CompletionBounds(const ClassQuestion& question, const mapper::Scheme& scheme,
                   const mapper::DimensionSteps& steps, ClassEffort& effort)
      : question_(question),
        units_(question.problem.units),
        effort_(effort),
        walk_(question.problem, scheme, steps, question.target, mapper::Walked::all),
        groups_(walk_.space().cells, {}),
        last_(walk_.space().cells - 1) {}

  /// Must be complete before bounds are asked for; it is not if a limit stops it.
  void run() {
    set_labels();
    if (!effort_.stopped()) bound_backwards();
  }

  [[nodiscard]] mapper::NestWalk<Rule, More>& walk() { return walk_; }
  /// States without a group lead to nothing within the cutoff.
  [[nodiscard]] mapper::GroupTable<Rule, More>& groups() { return groups_; }
  /// Whether any nest is within the cutoff.
  [[nodiscard]] bool is_possible() { return groups_.size() > 0 && !groups_[0].labels.empty(); }
  [[nodiscard]] std::uint64_t bytes() const {
    return groups_.bytes() + least_count_ * sizeof(std::optional<Least>) + walk_.bytes();
  }

  /// Of the completions of a label of group `g` that are within the cutoff; nothing if there are
  /// none. Settles its room.
  [[nodiscard]] std::optional<Least> bound_of(L& label, std::uint32_t g) {
    const auto& group = groups_[g];
    const P& prospect = group.prospect;
    const auto& outlook = walk_.outlook();
    if (group.labels.empty() || !outlook.settle_room(label, prospect)) return std::nullopt;
    Least bound;
    bound.latency = outlook.latency_bound(label, prospect);
    bound.total = outlook.total_bound(label, prospect, bound.latency);
    bound.value = question_.target.value(bound.latency, bound.total);
    if (!is_within(bound)) return std::nullopt;
    for (std::size_t k = 0; k < group.labels.size(); ++k) {
      const L& x = group.labels[k];
      if (!group.covers(x, label, {})) continue;  // claim 2
      const std::optional<Least>& least = least_[g][k];
      if (!least) return std::nullopt;
      const Time later =
          outlook.numbers.has_ports() ? 0 : -Rule::delay(x.times, label.times, prospect.ahead).each;
      raise(bound, *least, later, label.energy - x.energy);
      if (!is_within(bound)) return std::nullopt;
    }
    return bound;
  }

 private:
  // ---- labels with dominance

  void set_labels() {
    P prospect;
    if (!walk_.look_ahead({}, prospect)) return;
    L first = walk_.first_label();
    if (!stays(first, prospect)) return;
    groups_.insert(groups_[groups_.open({}, prospect)], first);
    for (std::uint32_t cell = 0; cell < last_ && !effort_.stopped(); ++cell) {
      if (groups_.at(cell).empty()) continue;
      walk_.enter(cell);
      for (const Tensor t : mapper::kMoveOrder) {
        const std::size_t count = groups_.at(cell).size();
        for (std::size_t k = 0; k < count && !effort_.stopped(); ++k) {
          const std::uint32_t from = groups_.at(cell)[k];
          const State state = groups_.state(from);
          if (state.stand[index(t)].transfer >= kFirstPending) continue;
          walk_.moves(t, state, [&](const State& next, const Trace*, const auto& change) {
            extend_labels(from, next, change);
          });
        }
      }
      for (std::size_t k = 0; k < groups_.at(cell).size() && !effort_.stopped(); ++k) {
        const std::uint32_t from = groups_.at(cell)[k];
        const State state = groups_.state(from);
        if (effort_.is_stopped(groups_[from].labels.size())) return;
        walk_.loops(state, [&](const State& next, const Trace*, const auto& change) {
          extend_labels(from, next, change);
        });
      }
    }
  }

  [[nodiscard]] bool stays(L& label, const P& prospect) const {
    return walk_.outlook().settle_room(label, prospect) &&
           walk_.outlook().may_improve(label, prospect, question_.cutoff);
  }

  template <class Change>
  void extend_labels(std::uint32_t from, const State& state, const Change& change) {
    P prospect;
    if (groups_[from].labels.empty() || !walk_.look_ahead(state, prospect)) return;
    L next = groups_[from].least();
    change(next);
    if (!stays(next, prospect)) return;
    auto& group = groups_[groups_.open(state, prospect)];
    for (const L& label : groups_[from].labels) {
      if (effort_.is_time_to_stop()) return;
      next = label;
      change(next);
      effort_.count_candidate();
      if (stays(next, prospect)) groups_.insert(group, next);
    }
  }

  // ---- bounds backwards

  void bound_backwards() {
    least_.resize(groups_.size());
    for (std::uint32_t cell = last_ + 1; cell-- > 0;) {
      walk_.enter(cell);
      for (std::size_t rank = kRanks; rank-- > 0;) {
        for (const std::uint32_t g : groups_.at(cell)) {
          const State state = groups_.state(g);
          if (rank_of(state) != rank || groups_[g].labels.empty()) continue;
          if (effort_.is_stopped(groups_[g].labels.size())) return;
          bound_group(g, state);
        }
      }
    }
  }

  /// A move leads to a state of higher rank.
  static constexpr std::size_t kRanks = 2 * kTensors + 1;
  static std::size_t rank_of(const State& state) {
    std::size_t rank = 0;
    for (const Stand& stand : state.stand) {
      rank += stand.transfer >= kFirstPending ? 2 : stand.level == kMac ? 0 : 1;
    }
    return rank;
  }

  void bound_group(std::uint32_t g, const State& state) {
    const std::vector<L>& labels = groups_[g].labels;
    std::vector<std::optional<Least>>& least = least_[g];
    least.resize(labels.size());
    least_count_ += labels.size();
    const auto take = [&](std::size_t k, const std::optional<Least>& other) {
      if (!other) return;
      if (least[k]) {
        least[k]->take(*other);
      } else {
        least[k] = other;
      }
    };
    if (state.cell == last_) {
      if (!walk_.may_end(state)) return;
      for (std::size_t k = 0; k < labels.size(); ++k) take(k, end_within(state, labels[k]));
      return;
    }
    const auto follow = [&](const State& next, const Trace*, const auto& change) {
      const std::optional<std::uint32_t> to = groups_.find(next);
      if (!to) return;
      for (std::size_t k = 0; k < labels.size(); ++k) {
        if (effort_.is_time_to_stop()) return;
        L label = labels[k];
        change(label);
        take(k, bound_of(label, *to));
      }
    };
    for (const Tensor t : mapper::kMoveOrder) {
      if (state.stand[index(t)].transfer < kFirstPending) walk_.moves(t, state, follow);
    }
    walk_.loops(state, follow);
  }

  /// The cost of a complete nest; nothing if it is beyond the cutoff.
  [[nodiscard]] std::optional<Least> end_within(const State& state, const L& label) const {
    const auto end = walk_.end(state, label);
    if (!question_.target.admits(end.latency, end.total, question_.cutoff)) return std::nullopt;
    return Least{end.latency, end.total, question_.target.value(end.latency, end.total)};
  }

  [[nodiscard]] bool is_within(const Least& bound) const {
    return bound.value < question_.cutoff &&
           question_.target.admits(bound.latency, bound.total, question_.cutoff);
  }

  /// Completions end `later` than those of `least`, and take so much more dynamic energy.
  void raise(Least& bound, const Least& least, Time later, mapper::Energy excess) const {
    const mapper::Target& target = question_.target;
    const Int128 more = walk_.outlook().with_energy ? units_.total(excess, later) : Int128{0};
    bound.latency = std::max(bound.latency, least.latency + later);
    bound.total = std::max(bound.total, least.total + more);
    Wide value = least.value;
    if (target.goal() == Goal::edp) {
      value = value + Wide::product(later, least.total) + Wide::product(more, least.latency) +
              Wide::product(later, more);
    } else {
      value = value + target.value(later, more);
    }
    bound.value = std::max({bound.value, value, target.value(bound.latency, bound.total)});
  }

  const ClassQuestion& question_;
  const cost::Units& units_;
  ClassEffort& effort_;
  mapper::NestWalk<Rule, More> walk_;
  mapper::GroupTable<Rule, More> groups_;
  std::uint32_t last_;                                    // cell
  std::vector<std::vector<std::optional<Least>>> least_;  // by group and label
  std::uint64_t least_count_ = 0;
};

}  // namespace pimbb::cim::classes
