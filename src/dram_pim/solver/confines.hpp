// The part of the space that a question is about, for search and proof.
#pragma once

#include "dram_pim/mapper/instance.hpp"
#include "pimbb/dram_pim/question.hpp"

namespace pimbb::dram_pim::mapper {

/// Method, layouts and loop orders of the question, together with its constraints. Throws
/// InputError if they contradict each other or the architecture.
Confines confines_of(const Architecture& architecture, const Workload& workload,
                     const Question& question);

}  // namespace pimbb::dram_pim::mapper
