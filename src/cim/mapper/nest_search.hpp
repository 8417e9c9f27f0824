// The best nest of a scheme: labels along the steps of nest_walk.hpp, cell after cell.
#pragma once

#include "cim/mapper/beam.hpp"
#include "cim/mapper/group_table.hpp"
#include "cim/mapper/nest_walk.hpp"

namespace pimbb::cim::mapper {

template <class Rule, std::size_t More>
class NestSearch {
 public:
  using L = Label<More>;
  using G = Group<Rule, More>;
  using P = Prospect<More>;

  NestSearch(const Problem& problem, const Scheme& scheme, const DimensionSteps& steps,
             const Target& target, const Wide& cutoff, const LabelLimits& limits)
      : p_(problem),
        scheme_(scheme),
        target_(target),
        walk_(problem, scheme, steps, target, Walked::best),
        cutoff_(cutoff),
        limits_(limits),
        groups_(walk_.space().cells, walk_.outlook().exchange(cutoff)) {}

  SchemeOutcome run() {
    start();
    const std::uint32_t last = walk_.space().cells - 1;
    for (std::uint32_t cell = 0; cell < last && !stopped_; ++cell) {
      if (groups_.at(cell).empty()) continue;
      walk_.enter(cell);
      if (limits_.width > 0) keep_best(groups_, cell, walk_.outlook(), limits_.width, true);
      for (const Tensor t : kMoveOrder) move(cell, t);
      if (limits_.width > 0) keep_best(groups_, cell, walk_.outlook(), limits_.width, false);
      for (std::size_t k = 0; k < groups_.at(cell).size() && !stopped_; ++k) {
        add_loops(groups_.at(cell)[k]);
      }
      groups_.release(cell);
    }
    if (!stopped_) finish(last);
    outcome_.complete = !stopped_ && limits_.width == 0;
    outcome_.states = groups_.size();
    return std::move(outcome_);
  }

 private:
  void start() {
    P prospect;
    if (!walk_.look_ahead({}, prospect)) return;
    groups_.insert(groups_[groups_.open({}, prospect)], walk_.first_label());
  }

  /// Changes all labels of group `from`, and puts those that may improve into the group of `state`;
  /// `trace` is the loop that does this, if it is one.
  template <class Change>
  void follow(std::uint32_t from, const State& state, const Trace* trace, const Change& change) {
    P prospect;
    if (!walk_.look_ahead(state, prospect)) return;
    const auto stays = [&](L& label) {
      change(label);
      return walk_.outlook().settle_room(label, prospect) &&
             walk_.outlook().may_improve(label, prospect, cutoff_);
    };
    L next = least_;
    if (!stays(next)) return;
    G& group = groups_[groups_.open(state, prospect)];
    for (const L& label : groups_[from].labels) {
      next = label;
      ++outcome_.candidates;
      if (!stays(next)) continue;
      if (trace != nullptr) next.trace = static_cast<std::uint32_t>(traces_.size());
      if (!groups_.insert(group, next) || trace == nullptr) continue;
      traces_.push_back(*trace);
      traces_.back().parent = label.trace;
    }
  }

  void move(std::uint32_t cell, Tensor t) {
    const std::size_t count = groups_.at(cell).size();  // what comes in addition has moved
    for (std::size_t k = 0; k < count; ++k) {
      const std::uint32_t group = groups_.at(cell)[k];
      const State state = groups_.state(group);
      const bool waits = state.stand[index(t)].transfer >= kFirstPending;
      if (waits || groups_[group].labels.empty()) continue;
      least_ = groups_[group].least();
      walk_.moves(t, state, [&](const State& next, const Trace* trace, const auto& change) {
        follow(group, next, trace, change);
      });
    }
  }

  void add_loops(std::uint32_t from) {
    const State state = groups_.state(from);
    for (const Stand& stand : state.stand) {
      if (stand.transfer == kLeaving) return;
    }
    if (groups_[from].labels.empty() || is_stopped(groups_[from].labels.size())) return;
    least_ = groups_[from].least();
    walk_.loops(state, [&](const State& next, const Trace* trace, const auto& change) {
      follow(from, next, trace, change);
    });
  }

  /// Counts labels that are about to be extended, and stops at limits.
  bool is_stopped(std::size_t labels) {
    outcome_.labels += labels;
    const std::uint64_t bytes = groups_.bytes() + traces_.size() * sizeof(Trace) + walk_.bytes();
    outcome_.bytes = std::max(outcome_.bytes, bytes);
    stopped_ = outcome_.labels > limits_.labels || outcome_.bytes > limits_.bytes ||
               (limits_.stop && limits_.stop());
    return stopped_;
  }

  void finish(std::uint32_t cell) {
    for (const std::uint32_t g : groups_.at(cell)) {
      if (!walk_.may_end(groups_.state(g))) continue;
      for (const L& label : groups_[g].labels) finish(groups_.state(g), label);
    }
    groups_.release(cell);
  }

  void finish(const State& state, const L& label) {
    const auto end = walk_.end(state, label);
    if (!target_.admits(end.latency, end.total, cutoff_)) return;
    cutoff_ = target_.value(end.latency, end.total);
    outcome_.best =
        Found{cutoff_, end.latency, end.total, mapping_of(traces_, label.trace, p_, scheme_)};
  }

  const Problem& p_;
  const Scheme& scheme_;
  const Target& target_;
  NestWalk<Rule, More> walk_;
  Wide cutoff_;
  const LabelLimits& limits_;
  GroupTable<Rule, More> groups_;
  std::vector<Trace> traces_;
  L least_;  // of the labels that are moved or extended
  bool stopped_ = false;
  SchemeOutcome outcome_;
};

}  // namespace pimbb::cim::mapper
