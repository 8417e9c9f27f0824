// Lower bounds of `ht` by counting.
//
//   load       all multiplications, shared evenly by all cores
//   cycles     the fewest cycles for which the replicas that they need have room
//   mandatory  if no narrower node fits beside k array groups of width w0 or more, of which a core
//              holds no more, the cores with fewer than k of them do all the narrower nodes
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "crossbar/assign/problem.hpp"

namespace pimbb::crossbar::assign {

struct ThroughputBounds {  ///< ns
  std::int64_t load = 0;
  std::int64_t cycles = 0;
  std::int64_t mandatory = 0;
  [[nodiscard]] std::int64_t best() const { return std::max({load, cycles, mandatory}); }
};

/// Of all mappings; nothing if the array groups of one replica of each node have no room.
std::optional<ThroughputBounds> throughput_bounds(const Problem& problem);

/// What mappings have at least, by array.
struct Needs {
  std::vector<std::int64_t> groups;  ///< array groups of all replicas
  std::vector<std::int64_t> work;    ///< multiplications of all array groups, idle ones included
};

/// The bound `mandatory` of such mappings; nothing if there are none.
std::optional<std::int64_t> mandatory_bound(const Problem& problem, const Needs& needs);

/// A width of this bound that refutes all such mappings, or those within the deadline; or nothing.
std::optional<std::int64_t> refuting_width(const Problem& problem, const Needs& needs,
                                           std::optional<std::int64_t> deadline);

/// The cores that hold fewer array groups of a width or more than a core can: only these have room
/// for narrower ones.
struct NarrowCores {
  std::int64_t width = 0;
  std::int64_t cores = 0;  ///< at most; less than 0 if the wide ones have no room
};

/// By width, where no narrower array group fits beside as many wide ones as a core holds; of
/// mappings with so many array groups at least, by array.
std::vector<NarrowCores> narrow_cores(const Problem& problem,
                                      const std::vector<std::int64_t>& groups);

}  // namespace pimbb::crossbar::assign
