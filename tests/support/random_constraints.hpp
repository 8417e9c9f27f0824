// Random constraints on mappings, and the oracle's own reading of them.
#pragma once

#include "pimbb/dram_pim/constraints.hpp"
#include "support/brute_force.hpp"
#include "support/choices.hpp"
#include "support/instances.hpp"

namespace testkit {

/// One to four constraints of any kind that suit the layer's bounds one by one; together they may
/// leave no mapping.
pimbb::dram_pim::Constraints random_constraints(Choices& choices, const Instance& instance);

/// What of a mapping satisfies constraints, written from their definition.
oracle::Restriction part_of(const pimbb::dram_pim::Constraints& constraints);

}  // namespace testkit
