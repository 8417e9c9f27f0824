// pimbb network --agree-layouts: one plan for all layers of a graph.
#pragma once

#include "dram_pim/cli/words.hpp"

#include "dram_pim/cli/network_settings.hpp"
#include "pimbb/dram_pim/network.hpp"

namespace pimbb::dram_pim::cli {

/// Computes the plan, writes the report and the files, and returns the exit code.
int run_layout_plan(const NetworkCommandSettings& settings, const Question& question,
                    const Architecture& architecture, const Network& network);

}  // namespace pimbb::dram_pim::cli
