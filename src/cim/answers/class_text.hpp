// The canonical text of a mapping, by which classes of equal cost are put in order.
//
//     cores:Q8 rows:C32 columns:K16 Q7@6,6,6 P8@3,0,4 double:3i,5w
//
// spatial factors by axis; the loops, outermost first, each with the levels of input, weight and
// output by number; the levels that are double-buffered, with the tensors.
#pragma once

#include <string>

#include "pimbb/cim/mapping.hpp"

namespace pimbb::cim::classes {

std::string class_text(const Architecture& architecture, const Mapping& mapping);

}  // namespace pimbb::cim::classes
