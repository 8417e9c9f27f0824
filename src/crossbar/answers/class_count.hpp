// How many classes are within a cutoff: boxes of replications of which all are, or none, are
// counted at once.
#pragma once

#include <cstdint>
#include <functional>

#include "crossbar/answers/class_boxes.hpp"

namespace pimbb::crossbar::classes {

struct CountedBoxes {
  std::uint64_t classes = 0;
  bool all = true;  ///< otherwise there may be more
};

/// Counts all replications with a packing within the cutoff. `visit` is told each box that is
/// counted, its replications in lexicographic order from its least one. Counts end at 2^63, and
/// with the effort. On large networks only replications below those of known mappings are counted.
CountedBoxes count_classes(const assign::Problem& problem, ClassBoxes& boxes,
                           ClassPackings& packings, const Cutoff& cutoff, assign::Effort& effort,
                           const std::function<void(const assign::Box&)>& visit);

/// Of a box; 2^63 if there are more.
std::uint64_t replications_of(const assign::Box& box);

/// The next replication of a box in lexicographic order; false after the last one.
bool to_next(Replication& replication, const assign::Box& box);

}  // namespace pimbb::crossbar::classes
