// A feasible mapping at once, for a search that is stopped before it has found one.
//
// For a few spatial schemes and a few orders of dimensions (weights, inputs or outputs stay), the
// levels are filled greedily; the best of these mappings is taken. It is one that the question
// admits: its factors, its double buffering, and its loops where method `ws` demands them. There
// may be a mapping although none is found.
#pragma once

#include <optional>
#include <vector>

#include "cim/mapper/schemes.hpp"
#include "pimbb/cim/mapping.hpp"
#include "pimbb/cim/question.hpp"

namespace pimbb::cim::heuristic {

/// Of the first schemes, and of more of them until there is a mapping. `layer` is padded already,
/// but for Padding::ceil.
std::optional<Mapping> first_mapping(const Architecture& architecture, const Workload& layer,
                                     const Question& question,
                                     const std::vector<const mapper::Scheme*>& schemes);

/// Schemes that need no enumeration: the largest divisors that fit, axis by axis; and none.
std::vector<mapper::Scheme> simple_schemes(const Architecture& architecture, const Workload& layer);

}  // namespace pimbb::cim::heuristic
