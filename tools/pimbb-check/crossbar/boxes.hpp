// The tree of boxes of replications that refutes everything better than a claim.
//
// A box has a least and a greatest replication of each family. Before its record is read it is made
// smaller, by what cannot be or is of no use. The record says that nothing in it is better, for a
// reason that is checked, or divides it into two boxes, whose records follow.
#pragma once

#include "packing.hpp"
#include "problem.hpp"

namespace pimbb_check::crossbar {

struct TreeWork {
  std::uint64_t boxes = 0, by_count = 0, by_mix = 0, by_value = 0, packings = 0;
  PackingWork packing;

  /// For people.
  [[nodiscard]] std::vector<std::string> described() const;
};

/// Reads the records of all boxes: no mapping has an `ht` below `bound`.
void check_throughput_tree(const Problem& p, const Rational& bound, Lines& lines, TreeWork& work);
/// No mapping has an `ll` below `bound`.
void check_latency_tree(const Problem& p, const Rational& bound, Lines& lines, TreeWork& work);
/// No mapping has an `ht` below the one and an `ll` below the other.
void check_joint_tree(const Problem& p, const Rational& ht, const Rational& ll, Lines& lines,
                      TreeWork& work);
/// No mapping is legal. One with more replicas contains one with a single replica of each node, so
/// that this is the only box.
void check_infeasible(const Problem& p, Lines& lines, TreeWork& work);

}  // namespace pimbb_check::crossbar
