// What is known about packings while classes of mappings are listed and counted: one replication
// after another, of which a mapping within a deadline is wanted, or a proof that there is none.
//
// Most questions are answered by earlier ones.
//
// Claim. Let a legal mapping have the replication R and take T ns under `ht`, and let r <= R for
// each node. Without the last R - r replicas of each node it is a legal mapping with replication r.
// If also ceil(W/r) = ceil(W/R) for each node, it takes no more than T.
// Proof. The array groups of a node are numbered by ascending core, so that those of its last
// replicas are its last ones. All others keep their numbers, and so all other replicas their homes
// and parts. No core gets more nodes, array groups or, as no home receives from more cores, local
// memory. If all cycles are what they were, no core has more active array groups in any cycle, and
// a cycle takes no less with more of them.
//
// So a mapping that is known answers for all replications below it, and a replication without a
// packing for all above it; with a deadline, those of equal cycles.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "crossbar/answers/packer.hpp"

namespace pimbb::crossbar::classes {

using Replication = std::vector<std::int64_t>;  // by family

/// The mapping without the last replicas of each family beyond `replication`, which are no more
/// than it has.
Mapping without_last_replicas(const assign::Problem& problem, const Mapping& mapping,
                              const Replication& replication);

class ClassPackings {
 public:
  /// References are kept.
  ClassPackings(const assign::Problem& problem, const joint::JointBoxes& boxes,
                assign::Effort& effort, SolveStatistics& spent);
  ClassPackings(const ClassPackings&) = delete;
  ClassPackings& operator=(const ClassPackings&) = delete;

  /// Keeps a mapping; its `ht`, or nothing if it breaks a rule.
  std::optional<std::int64_t> offer(Mapping mapping);
  /// Whether the replication has a legal mapping that meets the deadline. Deadlines of
  /// JointBoxes::longest() or later are none.
  assign::Answer decide(const Replication& replication, std::int64_t deadline);

  struct Known {
    Mapping mapping;
    std::int64_t ht = 0;
  };
  /// A mapping that meets the deadline, if one is known: after decide() has said so, one is.
  [[nodiscard]] std::optional<Known> known(const Replication& replication,
                                           std::int64_t deadline) const;
  [[nodiscard]] bool is_known(const Replication& replication, std::int64_t deadline) const {
    return find(replication, deadline) != nullptr;
  }
  /// The mapping that became known last.
  [[nodiscard]] std::optional<Mapping> last_kept() const {
    return kept_.empty() ? std::nullopt : std::optional(kept_.back().mapping);
  }
  /// Of the mappings that are kept.
  [[nodiscard]] std::vector<Replication> replications() const;
  /// Told a replication.
  using Test = std::function<bool(const Replication&)>;
  /// Whether mappings are known of some replication of the box. Of those that follow from one
  /// mapping the greatest one must pass the test.
  [[nodiscard]] bool is_any_known(const assign::Box& box, std::int64_t deadline,
                                  const Test& test) const;

 private:
  struct Kept {
    Replication replication;
    std::int64_t ht = 0;
    Mapping mapping;
  };
  struct Refuted {
    Replication replication;
    std::int64_t deadline = 0;
  };

  [[nodiscard]] bool is_free(std::int64_t deadline) const { return deadline >= longest_; }
  [[nodiscard]] const Kept* find(const Replication& replication, std::int64_t deadline) const;
  [[nodiscard]] bool is_refuted(const Replication& replication, std::int64_t deadline) const;
  [[nodiscard]] bool has_same_cycles(const Replication& a, const Replication& b) const;
  assign::Answer with_memory(const Replication& replication, std::int64_t deadline);

  const assign::Problem& problem_;
  assign::Effort& effort_;
  std::int64_t longest_;
  std::uint64_t nodes_;  // of an exact search
  joint::Packer packer_;
  std::deque<Kept> kept_;  // the first one stays
  std::deque<Refuted> refuted_;
};

}  // namespace pimbb::crossbar::classes
