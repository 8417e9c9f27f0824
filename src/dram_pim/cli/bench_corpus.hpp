// The corpus of `pimbb bench`: a list of cases, each solved by one call of solve().
//
//   full    every architecture preset x every distinct layer of the network presets
//           x analytic, hybrid x latency, energy, edp, blended (alpha = beta = 1)
//   small   the same for two architectures and two networks
//   FILE    one line for each architecture and network: ARCH NETWORK[:LAYER] ROW_MODEL OBJECTIVE,
//           with the values of the options of the same name; '#' begins a comment
//
// Layers of equal shape on the same architecture are the same problem and occur once, with the name
// of the first layer. The order of the list is fixed, because signatures depend on it.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <memory>
#include <string>
#include <vector>

#include "dram_pim/cli/bench_settings.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::cli {

struct BenchCase {
  std::string architecture_name;  ///< as given: a preset or a file
  std::shared_ptr<const Architecture> architecture;
  std::string layer;  ///< "network:layer"
  Workload workload;
  RowModel row_model = RowModel::hybrid;
  Objective objective;

  /// "simple_pim resnet18:conv2_x hybrid edp", a line of a corpus file.
  [[nodiscard]] std::string name() const;
};

/// The cases in order. Throws InputError if a source is not acceptable or options contradict the
/// corpus.
std::vector<BenchCase> bench_corpus(const CorpusSettings& settings);

}  // namespace pimbb::dram_pim::cli
