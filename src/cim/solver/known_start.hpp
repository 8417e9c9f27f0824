// A search that begins with what similar problems have taught: a mapping, and a bound.
//
// Such a mapping is often optimal or nearly so. Then schemes with bounds above it need no search,
// the others are searched against its value, and beams, which look for a first mapping, are not
// needed.
#pragma once

#include <optional>

#include "pimbb/cim/solver.hpp"

namespace pimbb::cim::mapper {

struct KnownStart {
  std::optional<Mapping> mapping = {};  ///< that the question admits
  std::optional<Rational> least = {};   ///< no mapping has less
};

/// As solve(), for one goal, by the exact method, without the semantics `simulator`. The mapping
/// returned is the given one if nothing is better.
Solution solve_from(const KnownStart& start, const Architecture& architecture,
                    const Workload& workload, const Question& question, const RunLimits& limits);

}  // namespace pimbb::cim::mapper
