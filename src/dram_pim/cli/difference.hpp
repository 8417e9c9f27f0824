// What distinguishes a mapping from another one, in a few words.
#pragma once

#include <string>

#include "dram_pim/cli/words.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::cli {

/// "array C8 x K8; GlobalBuffer K2 P4; RowBuffer keeps weight over P Q; input row_aligned, 1 x 58":
/// what is different of spatial factors, loops, reuse, storage and layouts, as the mapping has it.
/// "orders" if nothing else is.
std::string difference(const Architecture& architecture, const Mapping& mapping,
                       const Mapping& from);

}  // namespace pimbb::dram_pim::cli
