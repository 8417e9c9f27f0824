// How often each node is replicated, by rules that look at windows and crossbars alone.
#pragma once

#include <cstdint>
#include <vector>

#include "pimbb/crossbar/baseline.hpp"

namespace pimbb::crossbar::heuristic {

/// A node with all its parts, which have the same replication.
struct Family {
  std::size_t first = 0;       ///< index of its first part in Partition::arrays
  std::size_t parts = 1;       ///< they follow each other
  std::int64_t crossbars = 0;  ///< of one replica
  std::int64_t windows = 1;
  bool is_conv = false;
};

std::vector<Family> families(const Partition& partition);

/// Crossbars of all cores, less those of one replica of each node; < 0 if they do not fit.
std::int64_t crossbars_left(const Architecture& architecture, const std::vector<Family>& families);

/// One more replica for the Conv with the most cycles (ties: the smaller number), while more than
/// `keep` of the `left` crossbars remain and its replica fits. From one replica each; by family.
std::vector<std::int64_t> puma_replication(const std::vector<Family>& families, std::int64_t left,
                                           std::int64_t keep);

/// r * floor(rest / (1.2 * sum of r * crossbars)) for the Convs, at least 1 and at most one for
/// each window; `rest` is what other nodes leave. r is 1, or (`by_windows`) the windows over the
/// second smallest number of windows.
std::vector<std::int64_t> even_replication(const Architecture& architecture,
                                           const std::vector<Family>& families, bool by_windows);

/// The array groups first fit in the order of nodes; while they do not fit, the Conv whose replica
/// has the most crossbars (ties: the smaller number) has one replica less. Nothing if no Conv has
/// more than one.
std::optional<Mapping> first_fit(const Architecture& architecture, const Partition& partition,
                                 const std::vector<Family>& families,
                                 std::vector<std::int64_t> replication);

}  // namespace pimbb::crossbar::heuristic
