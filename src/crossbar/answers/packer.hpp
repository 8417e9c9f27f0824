// Packings of single replications within deadlines: first by counting, then by dealing out and
// exchanging array groups, then exactly. What was refuted, or tried in vain, is remembered.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "crossbar/answers/joint_boxes.hpp"
#include "crossbar/assign/packing.hpp"
#include "pimbb/crossbar/solver.hpp"

namespace pimbb::crossbar::joint {

/// Nodes that a box counts as: bounds and dealing out take as long as so many of a packing, about.
std::uint64_t nodes_of_box(const assign::Problem& problem);

/// Whether packings of all mappings of a box are worth a search; then good mappings are found by
/// the search itself.
bool is_small(const assign::Problem& problem);

class Packer {
 public:
  /// Receives each mapping that is found; says its `ht`, or nothing if it breaks a rule.
  using Offer = std::function<std::optional<std::int64_t>(Mapping)>;

  /// References are kept.
  Packer(const assign::Problem& problem, const JointBoxes& boxes, assign::Effort& effort,
         SolveStatistics& spent, Offer offer)
      : problem_(problem),
        boxes_(boxes),
        effort_(effort),
        spent_(spent),
        offer_(std::move(offer)) {}

  /// Whether the replication, by family, has a packing within the deadline, with so many nodes at
  /// most; undecided also if the one that was found breaks a rule. yes: one was offered.
  assign::Answer pack(const std::vector<std::int64_t>& replication, std::int64_t deadline,
                      std::uint64_t nodes);

 private:
  /// What is known of the packings of a replication.
  struct Known {
    std::int64_t refuted = 0;  ///< the latest deadline without a packing
    std::int64_t tried = 0;    ///< the latest one that dealing out and exchanges did not meet
  };

  Known& known(const std::vector<std::int64_t>& replication);
  bool offer_within(Mapping mapping, std::int64_t deadline);
  bool deal_out(const std::vector<std::int64_t>& replication, std::int64_t deadline);

  const assign::Problem& problem_;
  const JointBoxes& boxes_;
  assign::Effort& effort_;
  SolveStatistics& spent_;
  Offer offer_;
  std::map<std::vector<std::int64_t>, Known> known_;
  Known forgotten_;  // where there is no memory for more
};

}  // namespace pimbb::crossbar::joint
