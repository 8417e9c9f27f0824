// Mappings within upper limits on `ht` and `ll` at once, and with enough local memory if that is
// enforced: what solve() does not look for. A tree of boxes of replications, whose leaves are
// packings; meant for small problems and for what searches of one estimate leave open.
#pragma once

#include <optional>

#include "crossbar/assign/packing.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::crossbar::within {

struct TreeLimits {
  std::optional<std::int64_t> deadline = {};  ///< on `ht`, ns
  std::optional<Rational> latency = {};       ///< on `ll`, ns; the network has one
};

struct TreeFound {
  assign::Answer answer = assign::Answer::undecided;
  Mapping mapping;   ///< if yes
  Rational latency;  ///< least_latency(): of the mapping, the least of all unless undecided
  /// least_latency(): nothing is below `latency`, or there is no mapping at all.
  bool proven = false;
};

/// Any mapping within the limits.
TreeFound any_within(const assign::Problem& problem, const TreeLimits& limits,
                     assign::Effort& effort);
/// The one of least `ll`.
TreeFound least_latency_within(const assign::Problem& problem, const TreeLimits& limits,
                               assign::Effort& effort);

}  // namespace pimbb::crossbar::within
