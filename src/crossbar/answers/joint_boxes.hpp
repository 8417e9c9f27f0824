// Boxes of replications for `ll` and `ht` at once: which mappings with `ht` at most a deadline are
// looked for, and what bounds their `ll`.
//
// Neither the reduction of `ht` alone (only the least replication of each number of cycles) nor
// that of `ll` alone (no more replicas than the fastest provider has use for) holds for both: what
// one of them drops, the other goal may need. Together they do:
//
//   A mapping is *reduced* if each node v has at most U_v replicas, or the fewest of its number of
//   cycles, where U_v is the greatest rate of its providers, 1 for a node on no path, and without
//   limit where paths begin. For every mapping there is a reduced one with the same `ll` and no
//   greater `ht`.
//
// Proof. Take the nodes in the order of the graph. If v has R > U_v replicas, and r < R are the
// fewest with as many cycles, reduce R to R' = max(r, U_v). Cycles grow as replicas get fewer, so
// that R', between r and R, has the cycles of both. Array groups of v are taken from any cores:
// conditions (1) to (3) still hold, and no core has more active array groups in any cycle, so that
// none takes longer. The rates of v are min(rho, R) for rates rho <= U_v of its providers: they,
// and the rates of all nodes behind it, are what they were, and so is `ll`. The rates of earlier
// nodes do not depend on v, so that nodes that were reduced remain so. The parts of a node that is
// wider than a core have one replication and are reduced together.
//
// A limit of local memory is no part of this: fewer array groups may be numbered otherwise and need
// more of it. A box is refuted without that limit, and solved only by a mapping that keeps it; one
// replication whose packing breaks it remains open.
//
// In a box, U_v is at most what the greatest replications of the box allow: a replication above
// that is the fewest of its cycles, or the mapping is not reduced.
#pragma once

#include <optional>
#include <string>

#include "crossbar/assign/bounds.hpp"
#include "crossbar/assign/latency_boxes.hpp"

namespace pimbb::crossbar::joint {

class JointBoxes {
 public:
  explicit JointBoxes(const assign::Problem& problem) : problem_(problem), latency_(problem) {}

  /// All replications; not yet tightened.
  [[nodiscard]] assign::Box root() const { return latency_.root(); }
  /// Drops at the ends of the ranges what no reduced mapping with `ht` <= `deadline` has; false if
  /// the box has none, by the counts of room, of multiplications, or beside wide nodes.
  [[nodiscard]] bool tighten(assign::Box& box, std::int64_t deadline) const {
    return tighten(box, deadline, Kept::reduced);
  }
  /// The same for all mappings, reduced or not.
  [[nodiscard]] bool tighten_all(assign::Box& box, std::int64_t deadline) const {
    return tighten(box, deadline, Kept::all);
  }
  /// What a proof takes from a box before its record (docs/crossbar-proof-format.md): by cycles,
  /// room and use, once each.
  void shrink(assign::Box& box, std::int64_t deadline) const;
  /// Why none of the mappings of a box meets the deadline, by a count: the record of a proof; or
  /// "".
  [[nodiscard]] std::string count_against(const assign::Box& box, std::int64_t deadline) const;
  /// Whether a count excludes that such a replication meets the deadline.
  [[nodiscard]] bool is_refuted(const std::vector<std::int64_t>& replication,
                                std::int64_t deadline) const;

  /// `ll`, exactly.
  [[nodiscard]] Rational value(const std::vector<std::int64_t>& replication) const {
    return latency_.value(replication);
  }
  /// Prices by which a mix of cuts bounds `ll`, in its units.
  struct Prices {
    Int128 crossbar = 0;
    Int128 work = 0;         ///< of a multiplication, by a rule
    std::int64_t width = 0;  ///< of this rule
  };
  struct Bound {
    Rational value;  ///< ns
    /// That prove the value, if it is not 0; without `prices` by the mix's own price.
    assign::Allocation::Mix mix = {};
    std::optional<Prices> prices = {};
  };
  /// A lower bound of `ll` in a box that is tightened, for mappings that meet the deadline.
  /// `first`: with as many rounds as the first box of a search deserves.
  [[nodiscard]] Bound bound(const assign::Box& box, std::int64_t deadline, bool first,
                            const std::function<bool()>& stop);

  [[nodiscard]] const assign::LatencyBoxes& latency() const { return latency_; }
  /// Array groups of a replica by family whose MVMs, idle ones included, only so many cores do.
  struct WorkRule {
    std::vector<std::int64_t> groups;
    std::int64_t cores = 0;
    std::int64_t width = 0;  ///< of what is too wide for it
  };
  /// Of all mappings of the box: all array groups in all cores, and narrow ones in those that wide
  /// ones leave to them. None that holds for nothing.
  [[nodiscard]] std::vector<WorkRule> rules(const assign::Box& box) const;
  /// The one that leaves least time, by what the box needs at least.
  [[nodiscard]] WorkRule tightest_rule(const assign::Box& box) const;
  /// MVMs by a rule.
  [[nodiscard]] std::int64_t work(const WorkRule& rule,
                                  const std::vector<std::int64_t>& replication) const;
  /// MVMs that the cores of a rule start within the deadline at most.
  [[nodiscard]] std::int64_t most_work(const WorkRule& rule, std::int64_t deadline) const;
  /// ns, of any mapping at most.
  [[nodiscard]] std::int64_t longest() const;

 private:
  enum class Kept : std::uint8_t { reduced, all };
  /// What a bound is made of: weights of a mix of cuts, and prices in their units.
  struct Pricing {
    WorkRule rule;
    std::int64_t most_work = 0;
    std::vector<Int128> weights = {};
    double price = 0;          // of a crossbar
    double price_of_work = 0;  // of a multiplication
  };
  struct Priced {
    Rational bound;
    bool too_large =
        false;  // the replications of the least terms need more crossbars than there are
    bool too_long = false;  // they need more time
  };
  [[nodiscard]] Priced priced(const assign::Box& box, const Pricing& at) const;
  [[nodiscard]] bool tighten(assign::Box& box, std::int64_t deadline, Kept kept) const;
  [[nodiscard]] bool by_room(assign::Box& box) const;
  void by_use(assign::Box& box) const;
  [[nodiscard]] bool by_work(assign::Box& box, std::int64_t deadline) const;
  [[nodiscard]] std::int64_t least_work(const WorkRule& rule, const assign::Box& box) const;
  void by_cycles(assign::Box& box, std::int64_t cycles) const;
  [[nodiscard]] assign::Needs needs(const assign::Box& box) const;
  [[nodiscard]] bool beside_wide(const assign::Box& box, std::int64_t deadline) const;

  const assign::Problem& problem_;
  assign::LatencyBoxes latency_;
  double price_of_work_ = 0;  // of the last bound, by that of crossbars
};

}  // namespace pimbb::crossbar::joint
