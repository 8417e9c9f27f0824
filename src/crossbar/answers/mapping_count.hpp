// How many legal mappings have a replication and take no longer than a deadline: every assignment
// of numbers of array groups to the numbered cores.
//
// Core by core: from what is left of each node, each content that a core may have leads to what is
// left for the next one, and the ways to the same rest are added up. Rests that the cores to come
// have no room for are dropped. Numbers are exact, of any size.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "crossbar/answers/class_packings.hpp"
#include "pimbb/rational.hpp"

namespace pimbb::crossbar::classes {

/// What counts may take, in pairs of a rest and a content.
struct CountEffort {
  std::uint64_t left = 0;
  std::function<bool()> stop = {};
};

/// Nothing if it takes more than `most` pairs or than there are left, and where local memory is
/// enforced, which depends on the order of the cores.
std::optional<Rational> count_mappings(const assign::Problem& problem,
                                       const Replication& replication,
                                       std::optional<std::int64_t> deadline, std::uint64_t most,
                                       CountEffort& effort);

}  // namespace pimbb::crossbar::classes
