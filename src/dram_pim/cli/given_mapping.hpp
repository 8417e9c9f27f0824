// A mapping given with --mapping, with its accelerator and layer.
#pragma once

#include "dram_pim/cli/words.hpp"

#include <string>

#include "dram_pim/cli/options.hpp"
#include "pimbb/dram_pim/architecture.hpp"
#include "pimbb/dram_pim/mapping.hpp"
#include "pimbb/workload.hpp"

namespace pimbb::dram_pim::cli {

struct GivenMapping {
  Architecture architecture;
  Workload layer;     ///< as it is asked for
  Workload workload;  ///< the one that is mapped: its bounds may be padded
  Mapping mapping;
  std::string made_for;  ///< another layer that the mapping was made for; empty if none is known
  std::string layouts;   ///< where they come from, in words
};

/// Reads all three and selects the layouts of the settings; the best layouts are those under
/// `row_model`. Throws InputError if one is missing or malformed, or if the mapping is not
/// feasible; the message names the rule that it breaks, and says so if the mapping was made for
/// another layer.
GivenMapping read_given_mapping(const MappingSettings& settings, RowModel row_model,
                                const OutputSettings& output);

}  // namespace pimbb::dram_pim::cli
