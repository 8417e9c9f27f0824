// What distinguishes a mapping from another, in a line.
#pragma once

#include <string>

#include "pimbb/cim/mapping.hpp"

namespace pimbb::cim::cli {

/// The parts that differ, as `mapping` has them: "cores K8; loops Q7 P8 C16; input at other levels;
/// GlobalBuffer doubles weight"; "" if nothing differs.
std::string difference(const Architecture& architecture, const Mapping& mapping,
                       const Mapping& from);

}  // namespace pimbb::cim::cli
