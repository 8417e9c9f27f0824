// The search for the least `ll` of mappings that meet a deadline under `ht`, and for the least `ht`
// of those within a limit of `ll`: a tree of boxes of replications, whose leaves are packings.
//
// Boxes are taken least bound of `ll` first. The greatest replication of a box has its least `ll`:
// if it can be packed within the deadline, the box is solved. Otherwise, unlike for `ll` alone,
// fewer replicas may meet the deadline, and the box is halved. The least `ht` within a limit of
// `ll` is found by bisection on deadlines: is there any such mapping?
//
// All mappings found are kept as long as no other beats them on both goals; replications that are
// known to have no packing within a deadline are not packed again for an earlier one.
#pragma once

#include <optional>
#include <vector>

#include "crossbar/answers/packer.hpp"
#include "pimbb/crossbar/solver.hpp"

namespace pimbb::crossbar::joint {

struct JointPoint {
  std::int64_t ht = 0;  ///< ns
  Rational ll;          ///< ns
  Mapping mapping;
};

/// An upper limit of `ll`.
struct LatencyCap {
  std::optional<Rational> most;
  bool strict = false;  ///< the limit itself is excluded
  [[nodiscard]] bool admits(const Rational& ll) const {
    return !most || (strict ? ll < *most : ll <= *most);
  }
};

/// Mappings of which none beats another on both goals.
class Archive {
 public:
  /// False if one that is known is as good.
  bool add(JointPoint point);
  /// By ascending `ht`.
  [[nodiscard]] const std::vector<JointPoint>& points() const { return points_; }
  /// The one of least `ll` among those within both limits; nothing if there is none.
  [[nodiscard]] const JointPoint* within(std::int64_t deadline, const LatencyCap& cap) const;
  /// The one of least `ht` within the cap.
  [[nodiscard]] const JointPoint* fastest(const LatencyCap& cap) const;

 private:
  std::vector<JointPoint> points_;
};

class JointSearch {
 public:
  JointSearch(const assign::Problem& problem, assign::Effort& effort, SolveStatistics& spent);

  /// Whether there is a legal mapping; one becomes known if there is.
  [[nodiscard]] assign::Answer find_any();
  /// Adds a mapping to those known unless one is as good. Its `ht`; nothing if it breaks a rule.
  std::optional<std::int64_t> offer(Mapping mapping);
  /// No mapping has less `ht`: proven elsewhere.
  void set_throughput_bound(std::int64_t bound) { bound_ = std::max(bound_, bound); }

  struct Least {
    std::optional<JointPoint> point;
    Rational bound;       ///< of the goal, for all mappings within the limits
    bool proven = false;  ///< the point attains the bound; or there is no mapping within the limits
  };
  /// `enough`: any mapping within the limits will do.
  Least least_latency(std::int64_t deadline, const LatencyCap& cap, bool enough = false);
  Least least_throughput(std::int64_t deadline, const LatencyCap& cap);

  [[nodiscard]] const Archive& archive() const { return archive_; }
  [[nodiscard]] JointBoxes& boxes() { return boxes_; }

 private:
  struct OpenBox {
    assign::Box box;
    assign::LatencyBoxes::Halving at;
  };
  struct Tree;

  bool is_refuted(const assign::Box& box, std::int64_t deadline);
  void push(Tree& tree, assign::Box box, Rational bound, bool first);
  void take_box(Tree& tree);
  bool may_take(const Tree& tree);
  double estimate(const std::vector<std::int64_t>& replication);

  const assign::Problem& problem_;
  JointBoxes boxes_;
  assign::Effort& effort_;
  Archive archive_;
  Packer packer_;
  assign::Paths::Memory memory_;
  std::int64_t bound_ = 0;  // of `ht`, ns
};

}  // namespace pimbb::crossbar::joint
