// The best k classes of mappings of a network on a crossbar accelerator, or all within a percentage
// of the optimum.
//
//   const auto top = best_mappings(architecture, partition, {Goal::ht}, {.most = 5});
//
// Mappings with the same replication, one R for each array node, are one class: this is what a
// designer chooses, and what the cores hold follows from it up to packing. Parts of a node share
// their R. Every replication that can be packed legally is a class, also one with more replicas
// than its cycles need.
//
// Under `ll` all mappings of a class cost the same. Under `ht` the cost of a class is that of its
// best packing. Its *members* are the legal mappings with that replication which attain the cost:
// all assignments of numbers of array groups to the numbered cores, so that exchanging the contents
// of two cores makes another member. They are counted exactly or not at all: the count has a limit
// of kMostCountSteps steps a class.
//
// Classes are listed by cost; those of equal cost by their canonical text, which is R in the order
// of the nodes, that is, in lexicographic order.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "pimbb/crossbar/cost.hpp"
#include "pimbb/crossbar/solver.hpp"
#include "pimbb/top.hpp"

namespace pimbb::crossbar {

struct MappingClass {
  Mapping mapping;  ///< one of the class, of the value
  Metrics metrics;  ///< of the mapping
  Rational value;   ///< ns
  /// No mapping of the class costs less. The value, unless a limit under `ht` came before the proof
  /// that it is that of the best packing.
  Rational bound;
  /// Members; nothing if they are not counted: under a limit, with local memory enforced, or where
  /// the value is not proven.
  std::optional<Rational> mappings;
};

struct TopClasses : SolveStatistics {
  Goal goal = Goal::ht;
  TopStatus status = TopStatus::partial;
  /// By cost, then by replication.
  std::vector<MappingClass> classes;
  std::vector<std::string> texts;  ///< the canonical text of each: "4 2 1"
  /// Not listed, at the cost of the last one listed; without their mappings. Large networks have
  /// too many to count: then at least so many, and if the list is complete all the same, there may
  /// be others of that cost whose texts come before.
  ClassTotal tied;
  std::optional<ClassTotal> optimal;  ///< that attain the optimum, if that is proven
  std::optional<ClassTotal> within;   ///< all within TopRange::within, if that was asked for
  std::optional<Rational> bound;      ///< partial: what is missing costs no less, ns
  std::string reason;                 ///< infeasible: why
  double seconds = 0;
  int threads = 1;
};

/// Nodes of the search for classes where no limit is given, and of the count of ties.
inline constexpr std::uint64_t kDefaultTopNodes = 1'500'000;
inline constexpr std::uint64_t kTiedNodes = 200'000;
/// What the count of the members of a class may take, and of all classes together: pairs of what is
/// left of the array groups and what the next core takes of it.
inline constexpr std::uint64_t kMostCountSteps = 500'000;
inline constexpr std::uint64_t kAllCountSteps = 5'000'000;

/// Throws what solve() does, and InputError if the range is not valid. The answer does not depend
/// on the number of threads, nor on timing unless a limit of time or an interruption ends the
/// search.
TopClasses best_mappings(const Architecture& architecture, const Partition& partition,
                         const Question& question = {}, const TopRange& range = {},
                         const RunLimits& limits = {});

}  // namespace pimbb::crossbar
