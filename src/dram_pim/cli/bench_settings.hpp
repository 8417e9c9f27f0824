// The settings of pimbb bench.
#pragma once

#include <optional>
#include <string>

#include "dram_pim/cli/options.hpp"
#include "terminal/output_settings.hpp"

namespace pimbb::dram_pim::cli {

/// A corpus and a selection of its problems. Absent: no restriction.
struct CorpusSettings {
  std::string corpus = "full";
  std::optional<std::string> arch;
  std::optional<std::string> network;
  std::optional<Objective> objective;
  std::optional<RowModel> row_model;
};

struct BenchSettings {
  CorpusSettings corpus;
  RunLimits limits;
  Rules rules;
  int repeat = 1;
  bool ablation = false;
  bool signature_only = false;
  OutputSettings output;
};

}  // namespace pimbb::dram_pim::cli
