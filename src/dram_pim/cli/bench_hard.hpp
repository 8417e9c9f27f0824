// The corpus `hard` of `pimbb bench`: problems on which bounds, tables and the number of storage
// choices are at their limits, where the corpus `full` is settled within milliseconds.
//
//   activations    3x3 convolutions, whose tensors compete for open rows
//   lattices       extents with rich divisors on arrays of 64 x 64 and 128 x 128 PEs
//   buffers        64 KB to 2 MB behind a row buffer of any tiles, batches of 16 and 64, a product
//                  of 16,384 x 16,384 x 16,384
//   padding        extents without divisors: 197, 257 and 50,257, as they are and padded
//   levels         5 to 8 levels of memory, 2 to 6 of them with free bypass
//
// each for three row models and, but for the first, latency, energy and EDP. The problems were
// chosen before they were measured. Machines and layers are in bench_hard.cpp, as tables.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>
#include <vector>

#include "pimbb/dram_pim/architecture.hpp"
#include "terminal/bench/case.hpp"

namespace pimbb::dram_pim::cli {

/// The accelerators of the corpus that are no presets: those figures of simple_pim that the corpus
/// does not change.
std::vector<Architecture> hard_machines();

/// The cases in order, with the names of their parts and the layer: to be completed.
std::vector<BenchCase> hard_cases();

}  // namespace pimbb::dram_pim::cli
