// A mapping inside another document.
#pragma once

#include "files/value.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::io {

/// The mapping of a value: a pimbb-mapping/1 document, or its `mapping` alone.
Mapping mapping_in(const files::Value& value, const Architecture& architecture);

}  // namespace pimbb::dram_pim::io
