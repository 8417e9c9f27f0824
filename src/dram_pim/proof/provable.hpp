// What proofs cover: which layers, questions and answers.
#pragma once

#include "pimbb/dram_pim/question.hpp"
#include "pimbb/run_limits.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::proof {

/// Throws InputError unless an answer of this status to an exact question can be proven.
void check_provable(const Workload& layer, const Question& question, Status status);

}  // namespace pimbb::dram_pim::proof
