// Boxes of replications of which all classes within a cutoff are wanted, not only the best.
//
// Unlike in the search for an optimum, every replication counts: also one with more replicas than
// its cycles need, or than its providers have use for. A box is left out only if no mapping of it
// is within the cutoff, and taken as a whole only if all of its packings are.
#pragma once

#include <cstdint>
#include <optional>

#include "crossbar/answers/class_packings.hpp"
#include "crossbar/answers/joint_search.hpp"

namespace pimbb::crossbar::classes {

/// Values of classes that are wanted: at most so much, or less.
using Cutoff = joint::LatencyCap;

class ClassBoxes {
 public:
  /// References are kept.
  ClassBoxes(const assign::Problem& problem, Goal goal, joint::JointBoxes& boxes,
             assign::Effort& effort)
      : problem_(problem), goal_(goal), boxes_(boxes), effort_(effort) {}

  [[nodiscard]] Goal goal() const { return goal_; }
  [[nodiscard]] assign::Box root() const { return boxes_.root(); }
  /// `ht` that mappings within the cutoff have at most.
  [[nodiscard]] std::int64_t deadline(const Cutoff& cutoff) const;
  /// Nothing costs more.
  [[nodiscard]] Rational greatest() const;
  /// Drops at the ends of the ranges what has no mapping within the cutoff; false if the box has
  /// none. `thorough`: also by bounds that take their time.
  bool narrow(assign::Box& box, const Cutoff& cutoff, bool thorough = true);
  /// Whether the packings of the greatest and the least replication say all about a box: each
  /// packing of the box that meets deadline(cutoff) is within the cutoff, and if the greatest
  /// replication has one, all have.
  [[nodiscard]] bool is_alike(const assign::Box& box, const Cutoff& cutoff) const;
  /// Whether known mappings may be within the cutoff.
  [[nodiscard]] bool has_known(const ClassPackings& packings, const assign::Box& box,
                               const Cutoff& cutoff) const;
  /// Counting: nothing of the replication costs less.
  [[nodiscard]] Rational least(const Replication& replication) const;
  /// `ll` of a replication.
  [[nodiscard]] Rational latency(const Replication& replication) const {
    return boxes_.value(replication);
  }

  using Halving = assign::LatencyBoxes::Halving;
  /// Of the first family that has a choice, so that low halves first is in lexicographic order.
  [[nodiscard]] std::optional<Halving> first_halving(const assign::Box& box) const;
  /// Of the family with most choices.
  [[nodiscard]] std::optional<Halving> widest_halving(const assign::Box& box) const;

 private:
  [[nodiscard]] std::int64_t seam(const assign::Box& box, std::size_t f) const;
  [[nodiscard]] bool is_beyond(const assign::Box& box, const Cutoff& cutoff, bool thorough);

  const assign::Problem& problem_;
  Goal goal_;
  joint::JointBoxes& boxes_;
  assign::Effort& effort_;
  bool is_bounded_ = false;  // once the first bound by prices was computed
};

}  // namespace pimbb::crossbar::classes
