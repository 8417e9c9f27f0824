// The tiles that the level inside the row buffer may be filled with, listed before there is a
// lattice, for layers under the row model trace (mapper/fill_screen.hpp, trace/fill_times.hpp).
#pragma once

#include <optional>
#include <vector>

#include "dram_pim/mapper/fill_screen.hpp"

namespace pimbb::dram_pim::mapper {

/// The fills of mappings of interest under this storage choice, as far as is told quickly; nothing
/// if they are too many. `least` and `hopeless`: as for fills_are_hopeful. Throws what the guard
/// throws.
std::optional<std::vector<Factors>> list_fills(const Architecture& architecture,
                                               const Workload& workload, RowModel model,
                                               const Confines& confines, const Storage& storage,
                                               const Costs& least, const Hopeless& hopeless,
                                               const run::Guard& guard);

}  // namespace pimbb::dram_pim::mapper
