// For evaluators, which take feasible mappings only.
#pragma once

#include "pimbb/crossbar/mapping.hpp"

namespace pimbb::crossbar::partition {

/// Throws InputError if the mapping is not feasible, with the rule that it breaks.
void require_feasible(const Architecture& architecture, const Partition& partition,
                      const Mapping& mapping);

}  // namespace pimbb::crossbar::partition
