// The corpus of `pimbb bench` on SRAM compute-in-memory (terminal/bench/corpus.hpp).
//
//   full    the architecture x every distinct layer of six networks
//           x recursion, table3 x latency, energy, edp, blended (alpha = beta = 1)
//   small   the same for two networks
//
// Under the semantics `simulator`, on request, no optimum is claimed: its cases end at a limit.
#pragma once

#include "cim/cli/words.hpp"
#include "terminal/bench/corpus.hpp"

namespace pimbb::cim::cli {

/// The words of the cases.
BenchKind bench_kind();

CorpusKind corpus_kind();

}  // namespace pimbb::cim::cli
