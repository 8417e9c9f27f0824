// Whether some mapping meets a deadline under `ht`: a tree of boxes of replications, whose leaves
// are packings.
#pragma once

#include "crossbar/assign/packing.hpp"

namespace pimbb::crossbar::assign {

struct Decision {
  Answer answer = Answer::undecided;
  Mapping mapping;  ///< if yes
};

/// `leaves` counts the packings.
Decision meets(const Problem& problem, std::int64_t deadline, Effort& effort, std::uint64_t& leaves,
               const Trace& trace = {});

}  // namespace pimbb::crossbar::assign
