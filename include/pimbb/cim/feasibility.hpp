// The rules of a feasible mapping.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "pimbb/cim/mapping.hpp"
#include "pimbb/cim/padding.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::cim {

struct Violation {
  std::string rule;     ///< "spatial", "factorization", "levels", "double", "capacity"
  std::string where;    ///< the axis, dimension or level
  std::string message;  ///< what was found and what is allowed
};

/// The first rule that `mapping` breaks, or nothing if it is feasible.
std::optional<Violation> find_violation(const Architecture& architecture, const Workload& workload,
                                        const Mapping& mapping, Padding padding = Padding::exact);

/// Bits of one instance of a level that the tiles of a feasible mapping take, both halves of
/// doubled ones. The level need not be bounded.
std::int64_t bits_at(const Architecture& architecture, const Workload& workload,
                     const Mapping& mapping, std::size_t level, Padding padding = Padding::exact);

}  // namespace pimbb::cim
