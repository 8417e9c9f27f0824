// Trees of boxes that refute everything better than a bound, as records
// (docs/crossbar-proof-format.md).
#pragma once

#include <cstdint>

#include "crossbar/assign/packing.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::crossbar::proof {

// Each tells the records of the tree. A search that the effort ends throws run::Stopped, one that
// finds what the tree denies std::logic_error.

/// No mapping has an `ht` below the bound, in ns.
void refute_throughput(const assign::Problem& problem, std::int64_t bound, assign::Effort& effort,
                       const assign::Trace& trace);
/// No mapping has an `ll` below the bound.
void refute_latency(const assign::Problem& problem, const Rational& bound, assign::Effort& effort,
                    const assign::Trace& trace);
/// No mapping has an `ht` below the one, in ns, and an `ll` below the other.
void refute_joint(const assign::Problem& problem, std::int64_t ht, const Rational& ll,
                  assign::Effort& effort, const assign::Trace& trace);
/// No mapping is legal.
void refute_all(const assign::Problem& problem, assign::Effort& effort, const assign::Trace& trace);

}  // namespace pimbb::crossbar::proof
