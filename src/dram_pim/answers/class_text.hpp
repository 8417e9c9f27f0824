// The canonical text of a mapping, by which classes of equal cost are put in order.
//
//     H:K8 W:C8 I: 0:R3S3 1:K2C4 2:- 3:P56Q56 stores:o,iwo,iwo,iwo layout:s,s,r(58x58)
//
// spatial factors by direction; the loops of each level, innermost level first, outermost loop
// first; the tensors that each level stores; the layouts of input, weight and output: s
// (sequential; sn, sh with the order nchw or nhwc where it is free), r (row-aligned; the input with
// its block).
#pragma once

#include <string>

#include "pimbb/dram_pim/mapping.hpp"

namespace pimbb::dram_pim::answers {

std::string class_text(const Architecture& architecture, const Mapping& mapping);

}  // namespace pimbb::dram_pim::answers
