// Which columns of a program are 0 in every optimum.
//
// A column that is 0 or 1 is 0 if 1 breaks a row whatever the others are: its coefficient plus the
// least that the other terms add up to exceeds the bound. In the row of a cost whose value is known
// not to exceed a limit, these are the columns that alone are dearer than the limit; then the joint
// choices that sum to an option taken never, and so on until nothing changes.
#pragma once

#include "dram_pim/milp/program_builder.hpp"

namespace pimbb::dram_pim::milp {

/// For every column whether it is 0 in every solution in which no cost exceeds its `most`.
std::vector<bool> never_taken(const std::vector<DraftColumn>& columns,
                              const std::vector<DraftRow>& rows);

}  // namespace pimbb::dram_pim::milp
