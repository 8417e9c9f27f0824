// A mapping that the user gives with --mapping, with the machine and the layer it is for.
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
  Workload workload;
  Mapping mapping;
  std::string layouts;  ///< where they come from, in words
};

/// Reads all three, and chooses the layouts that the settings ask for, the best ones by
/// `row_model`. Throws InputError if one is missing or malformed, or if the mapping is not
/// feasible: the message names the rule that it breaks.
GivenMapping read_given_mapping(const MappingSettings& settings, RowModel row_model);

}  // namespace pimbb::dram_pim::cli
