// Timeloop mappings: a list of directives, each for the loops or the tensors of one level.
//
//   mapping:
//     - {target: DRAM,         type: temporal, factors: C=4 M=8, permutation: CM}     C inside M
//     - {target: GlobalBuffer, type: spatial,  factors: P=8 M=2, permutation: PM, split: 1}
//     - {target: GlobalBuffer, type: datatype, keep: [Inputs, Outputs], bypass: [Weights]}
//
// docs/audit.md says how they are interpreted, and what is refused.
#pragma once

#include "files/value.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::io {

/// Whether the document is a Timeloop mapping: a list of directives at the root or in `mapping`.
bool is_timeloop_mapping(const files::Value& root);

/// Reads a Timeloop mapping. It has no layouts, so all tensors are sequential. Throws InputError
/// unless the factors of each dimension multiply to the layer's bound.
Mapping read_timeloop_mapping(const files::Value& root, const Architecture& architecture,
                              const Workload& workload);

}  // namespace pimbb::dram_pim::io
