// The object `mapping` of a pimbb-cim-mapping/1 document, which proofs contain as well.
#pragma once

#include "files/json_text.hpp"
#include "pimbb/cim/architecture.hpp"
#include "pimbb/cim/mapping.hpp"

namespace pimbb::cim::io {

files::Json mapping_json(const Architecture& architecture, const Mapping& mapping);

}  // namespace pimbb::cim::io
