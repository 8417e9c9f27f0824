// The oracle's own reading of the seven rules of feasibility.
#pragma once

#include <string>

#include "support/oracle_tiles.hpp"

namespace oracle {

/// The first rule that the mapping breaks, by the names of pimbb::dram_pim::Violation::rule; empty:
/// feasible.
std::string broken_rule(const Architecture& a, const Workload& w, const Mapping& m);

// The rules one by one, for searches that decide a mapping step by step.
bool unit_allows(const Architecture& a, pimbb::dram_pim::Direction direction, Dim j);
bool storage_allowed(const Architecture& a, std::size_t level, Tensor t, bool stored);
bool fits(const Architecture& a, const Workload& w, const Mapping& m, std::size_t level);
bool layout_fits(const Architecture& a, const Workload& w, const Mapping& m, Tensor t);

}  // namespace oracle
