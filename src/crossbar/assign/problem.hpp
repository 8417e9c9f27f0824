// The assignment problem: array groups of nodes to equal cores.
//
// All parts of a node that is wider than a core have the same replication: they are a family. Only
// the least replication of each number of cycles matters, because more array groups never cost less
// time; W windows have at most 2 sqrt(W) such options.
#pragma once

#include <cstdint>
#include <vector>

#include "pimbb/crossbar/mapping.hpp"

namespace pimbb::crossbar::assign {

struct Family {
  std::vector<std::size_t> arrays;  ///< indices in Partition::arrays
  std::int64_t windows = 1;
  std::int64_t groups = 0;     ///< array groups of one replica of all parts
  std::int64_t crossbars = 0;  ///< that one replica of all parts takes
};

struct Problem {
  Problem(const Architecture& architecture, const Partition& partition);

  const Architecture& a;
  const Partition& p;
  std::int64_t cores;
  std::int64_t crossbars;  ///< of a core
  std::int64_t quantum;    ///< every time of a core is a multiple of it, in ns
  std::vector<Family> families;

  [[nodiscard]] std::int64_t all_crossbars() const { return cores * crossbars; }
  /// The sum over families of crossbars for this replication is at most all_crossbars().
  [[nodiscard]] bool has_room(const std::vector<std::int64_t>& by_family) const;
  /// Array groups of all replicas.
  [[nodiscard]] std::int64_t all_groups(const std::vector<std::int64_t>& by_family) const;
  /// By family, the fewest replicas with so many cycles at most.
  [[nodiscard]] std::vector<std::int64_t> least_replication(std::int64_t cycles) const;
  /// Replications of families as those of arrays.
  [[nodiscard]] std::vector<std::int64_t> by_array(
      const std::vector<std::int64_t>& by_family) const;
  /// The reverse: of arrays that belong to one family, each has the same.
  [[nodiscard]] std::vector<std::int64_t> by_family(
      const std::vector<std::int64_t>& by_array) const;
  /// `time` or the next multiple of the quantum.
  [[nodiscard]] std::int64_t rounded_up(std::int64_t time) const;
};

struct Option {
  std::int64_t replication = 1;
  std::int64_t cycles = 1;
  /// MVMs of one array group of each replica, idle ones included.
  [[nodiscard]] std::int64_t work() const { return replication * cycles; }
};

/// The least replication of every number of cycles up to `most_cycles`, by ascending replication,
/// none of more than `most` replicas.
std::vector<Option> options(std::int64_t windows, std::int64_t most_cycles, std::int64_t most);

constexpr std::int64_t ceil_div(std::int64_t a, std::int64_t b) { return a / b + (a % b > 0); }

}  // namespace pimbb::crossbar::assign
