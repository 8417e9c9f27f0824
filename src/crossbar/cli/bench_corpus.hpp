// The corpus of `pimbb bench` on crossbar accelerators (terminal/bench/corpus.hpp): a case is a
// whole network.
//
//   full    every preset x six networks x ht, ll, by the exact method
//   small   one accelerator and one network that are solved in seconds, and others that have no
//   room
#pragma once

#include "crossbar/cli/words.hpp"
#include "terminal/bench/corpus.hpp"

namespace pimbb::crossbar::cli {

/// The words of the cases.
BenchKind bench_kind();

CorpusKind corpus_kind();

}  // namespace pimbb::crossbar::cli
