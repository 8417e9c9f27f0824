// The corpora of `pimbb bench` on DRAM-PIM (terminal/bench/corpus.hpp).
//
//   full    every architecture preset x every distinct layer of seven networks
//           x analytic, hybrid, trace x latency, energy, edp, blended (alpha = beta = 1)
//   small   the same for two architectures and two networks
//   hard    dram_pim/cli/bench_hard.hpp
//
// and of whole devices
//
//   full    three devices x four matrix-vector products and the layers of ResNet-18 and ResNet-50
//           x trace x latency, energy, edp
//   small   the matrix-vector products: 36 cases
#pragma once

#include "dram_pim/cli/words.hpp"

#include "pimbb/dram_pim/rules.hpp"
#include "terminal/bench/corpus.hpp"

namespace pimbb::dram_pim::cli {

/// The words of DRAM-PIM's cases.
BenchKind bench_kind();

/// Cases solved with `rules`, or without one of these.
CorpusKind corpus_kind(const Rules& rules);

/// The same of cases on devices.
BenchKind device_bench_kind();
CorpusKind device_corpus_kind(const Rules& rules);

}  // namespace pimbb::dram_pim::cli
