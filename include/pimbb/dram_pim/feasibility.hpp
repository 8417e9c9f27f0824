// The rules of a feasible mapping (docs/model.md, "Mapping").
#pragma once

#include <optional>
#include <string>

#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim {

struct Violation {
  std::string rule;     ///< "factorization", "spatial", "pe_array", "unit_type", "storage",
                        ///< "capacity", "layout"
  std::string message;  ///< names level, tensor or dimension, the need and the limit
};

/// The first rule that `mapping` breaks, or nothing if it is feasible. A mapping with the wrong
/// number of levels or a non-positive factor breaks "factorization".
std::optional<Violation> find_violation(const Architecture& architecture, const Workload& workload,
                                        const Mapping& mapping);

}  // namespace pimbb::dram_pim
